//! Start, stop and end of searches: the code that distributes searches to threads.

use crate::dispatch::{Dispatch, Shared, Task, ThreadProgress};
use crate::sync::{Condvar, Mutex};
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use loom::thread::{self, JoinHandle};

/// A search, with the number of answers that it has given.
#[derive(Debug)]
struct Search {
    is_stopped: Mutex<bool>,
    stopped: Condvar,
    answers: AtomicUsize,
}

impl Search {
    fn new() -> Job {
        Arc::new(Self { is_stopped: Mutex::new(false), stopped: Condvar::new(), answers: AtomicUsize::new(0) })
    }

    fn stop(&self) {
        *self.is_stopped.lock() = true;
        self.stopped.notify_all();
    }

    /// What a thread does until it sees that the search has ended.
    fn wait_for_stop(&self) {
        let mut is_stopped = self.is_stopped.lock();
        while !*is_stopped {
            self.stopped.wait(&mut is_stopped);
        }
    }
}

type Job = Arc<Search>;
type Pool = Arc<Dispatch<Job, ()>>;

impl Shared for Job {
    fn is_stopped(&self) -> bool {
        *self.is_stopped.lock()
    }
}

/// The main thread: offers each search to the helpers, then answers, unless it `waits` for a stop first.
fn main_thread(pool: &Pool, waits: bool) -> JoinHandle<u64> {
    let pool = pool.clone();
    thread::spawn(move || {
        let (mut done, mut clears) = (ThreadProgress::default(), 0);
        while let Some(task) = pool.next_for_main(&mut done) {
            match task {
                Task::Clear => clears += 1,
                Task::Run(job, ()) => {
                    pool.offer();
                    if waits {
                        job.wait_for_stop();
                    }
                    job.stop();
                    job.answers.fetch_add(1, SeqCst);
                    drop(job);
                    pool.finish_main();
                }
                Task::Join(_) => panic!("the main thread joins no search"),
            }
        }
        clears
    })
}

/// A helper: searches until it sees that the search has ended.
fn helper(pool: &Pool) -> JoinHandle<u64> {
    let pool = pool.clone();
    thread::spawn(move || {
        let (mut done, mut clears) = (ThreadProgress::default(), 0);
        while let Some(task) = pool.next_for_helper(&mut done) {
            match task {
                Task::Clear => clears += 1,
                Task::Join(job) => {
                    job.wait_for_stop();
                    drop(job);
                    pool.finish_helper();
                }
                Task::Run(..) => panic!("a helper leads no search"),
            }
        }
        clears
    })
}

fn model(client: fn(&Pool), waits: bool) {
    let mut builder = Builder::new();
    // Faults of this kind need few preemptions; without a bound the model takes minutes.
    builder.preemption_bound = Some(2);
    builder.check(move || {
        let pool: Pool = Arc::new(Dispatch::new());
        let threads = [main_thread(&pool, waits), helper(&pool)];
        client(&pool);
        pool.close();
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// Once settled, no thread holds a search that has ended.
#[test]
fn a_settled_pool_holds_no_search() {
    model(
        |pool| {
            let job = Search::new();
            pool.push(job.clone(), ());
            job.stop();
            pool.settle();
            assert_eq!((Arc::strong_count(&job), job.answers.load(SeqCst)), (1, 1));
        },
        false,
    );
}

#[test]
fn searches_in_the_queue_are_all_answered() {
    model(
        |pool| {
            let jobs = [Search::new(), Search::new()];
            for job in &jobs {
                pool.push(job.clone(), ());
            }
            for job in &jobs {
                job.stop();
            }
            pool.settle();
            assert!(jobs.iter().all(|job| job.answers.load(SeqCst) == 1 && Arc::strong_count(job) == 1));
        },
        true,
    );
}

/// A search that was not stopped may never end: settling does not wait for it.
#[test]
fn settling_does_not_wait_for_a_running_search() {
    model(
        |pool| {
            let job = Search::new();
            pool.push(job.clone(), ());
            pool.settle();
            job.stop();
        },
        true,
    );
}

/// Closing while a search is queued or runs: it is answered, and both threads end.
#[test]
fn closing_answers_what_is_queued() {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| {
        let pool: Pool = Arc::new(Dispatch::new());
        let threads = [main_thread(&pool, false), helper(&pool)];
        let job = Search::new();
        pool.push(job.clone(), ());
        pool.close();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(job.answers.load(SeqCst), 1);
        drop(pool);
        assert_eq!(Arc::strong_count(&job), 1);
    });
}

/// The main thread clears before a search that was queued after the order, and an idle helper clears at once.
#[test]
fn clearing_comes_before_the_next_search() {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(|| {
        let pool: Pool = Arc::new(Dispatch::new());
        let helper = helper(&pool);
        pool.clear();
        let mut done = ThreadProgress::default();
        pool.push(Search::new(), ());
        assert!(matches!(pool.next_for_main(&mut done), Some(Task::Clear)));
        assert!(matches!(pool.next_for_main(&mut done), Some(Task::Run(..))));
        pool.finish_main();
        pool.push(Search::new(), ());
        pool.clear();
        // This search was queued before the order.
        assert!(matches!(pool.next_for_main(&mut done), Some(Task::Run(..))));
        pool.finish_main();
        assert!(matches!(pool.next_for_main(&mut done), Some(Task::Clear)));
        pool.close();
        assert!(pool.next_for_main(&mut done).is_none());
        assert!(helper.join().unwrap() <= 2);
    });
}
