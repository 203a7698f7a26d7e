//! Threads that take jobs from one source and send their results to one place.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

/// The stack size of a thread: a search needs 3 MiB. Untouched memory costs nothing.
const STACK_SIZE: usize = 8 << 20;

fn builder() -> Builder {
    Builder::new().stack_size(STACK_SIZE)
}

/// The number of processors that this program may use.
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The order in which results are passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultOrder {
    /// The order of their jobs.
    Kept,
    /// As they become ready.
    Any,
}

/// How results are passed on: order and buffering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedOptions {
    /// Their order.
    pub order: ResultOrder,
    /// The number of jobs, at least one, that may be in flight: taken, but with results not yet passed on. It bounds
    /// the memory.
    pub ahead: usize,
}

impl FeedOptions {
    /// Passes results on in the order of their jobs.
    pub fn kept(ahead: usize) -> Self {
        Self { order: ResultOrder::Kept, ahead }
    }

    /// Passes results on as they become ready.
    pub fn any(ahead: usize) -> Self {
        Self { order: ResultOrder::Any, ahead }
    }
}

/// No worker takes jobs any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobsClosed;

impl std::fmt::Display for JobsClosed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no more jobs are taken")
    }
}

impl std::error::Error for JobsClosed {}

/// Applies `work` to each item on the given number of threads, the calling one included, and returns the results in the
/// order of the items.
///
/// ```
/// use bartizan_parallel::{cores, map};
///
/// assert_eq!(map(1..=4, cores().get(), |number| number * number), [1, 4, 9, 16]);
/// ```
///
/// # Panics
/// If `work` panics, with its payload.
pub fn map<J, R, I>(items: I, threads: usize, work: impl Fn(J) -> R + Sync) -> Vec<R>
where
    I: IntoIterator<Item = J, IntoIter: Send>,
    R: Send,
{
    let items = items.into_iter();
    let most = items.size_hint().1.unwrap_or(usize::MAX);
    let source = Source::new(items);
    let worker = || {
        let _guard = FailOnPanic(&source);
        let mut done = Vec::new();
        while let Some((number, job)) = source.next() {
            done.push((number, work(job)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let helper = |_| builder().spawn_scoped(scope, worker).ok();
        let helpers: Vec<_> = (1..threads.min(most)).map_while(helper).collect();
        let mut done = worker();
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs each worker on a separate thread and passes the results to `sink`, which runs in the calling thread.
///
/// A worker ends when there are no more jobs, or when it returns `None` for a job, for example after an interruption.
/// Results of other jobs are still passed on, in order. After an error of `sink`, no more jobs are taken and no more
/// results passed on; jobs in progress are completed first.
///
/// ```
/// use bartizan_parallel::{FeedOptions, run};
/// use std::convert::Infallible;
///
/// let mut total = 0;
/// let workers = (0..2).map(|_| |number: u64| Some(number * number));
/// run(1..=100, workers, FeedOptions::kept(8), |square| {
///     total += square;
///     Ok::<(), Infallible>(())
/// })?;
/// assert_eq!(total, 338_350);
/// # Ok::<(), Infallible>(())
/// ```
///
/// # Errors
/// The first one of `sink`.
///
/// # Panics
/// If a worker, the iterator of jobs or `sink` panics, with that payload.
pub fn run<J, R, E, W>(
    jobs: impl Iterator<Item = J> + Send,
    workers: impl IntoIterator<Item = W>,
    flow: FeedOptions,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    R: Send,
    W: FnMut(J) -> Option<R> + Send,
{
    let source = Source::new(jobs);
    let permits = Permits::new(flow.ahead);
    let workers: Mutex<Vec<W>> = Mutex::new(workers.into_iter().collect());
    let count = lock(&workers).len();
    thread::scope(|scope| {
        let (results, finished) = unbounded();
        let start = |_| {
            let (source, permits, workers, results) = (&source, &permits, &workers, results.clone());
            let work = move || {
                let worker = lock(workers).pop();
                worker.into_iter().for_each(|worker| do_jobs(worker, source, permits, &results));
            };
            // A worker that is left without a thread has no jobs.
            builder().spawn_scoped(scope, work).ok()
        };
        let threads: Vec<_> = (0..count).map_while(start).collect();
        drop(results);
        let passed_on = if threads.is_empty() {
            lock(&workers).pop().map_or(Ok(()), |mut worker| {
                let jobs = std::iter::from_fn(|| source.next());
                jobs.map_while(|(_, job)| worker(job)).try_for_each(&mut sink)
            })
        } else {
            let _guard = WakeOnDrop { source: &source, permits: &permits };
            pass_on(&finished, flow.order, &permits, sink).inspect_err(|_| source.fail())
        };
        drop(finished);
        for thread in threads {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        passed_on
    })
}

/// Like [`run`], with jobs that a function pushes from a separate thread. Returns the value of that function and the
/// result of [`run`]. [`JobSender::push`] fails once no worker takes jobs any more.
///
/// # Errors
/// If the thread for the function cannot be started.
///
/// # Panics
/// As [`run`], and if the function panics.
pub fn feed<J, R, E, W, T>(
    find: impl FnOnce(&JobSender<J>) -> T + Send,
    workers: impl IntoIterator<Item = W>,
    flow: FeedOptions,
    sink: impl FnMut(R) -> Result<(), E>,
) -> io::Result<(T, Result<(), E>)>
where
    J: Send,
    R: Send,
    T: Send,
    W: FnMut(J) -> Option<R> + Send,
{
    let (jobs, found) = bounded(flow.ahead);
    thread::scope(|scope| {
        let finder = Builder::new().spawn_scoped(scope, move || find(&JobSender(jobs)))?;
        let done = run(found.into_iter(), workers, flow, sink);
        let found = finder.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok((found, done))
    })
}

/// Takes the jobs of [`feed`].
#[derive(Debug)]
pub struct JobSender<J>(Sender<J>);

impl<J> JobSender<J> {
    /// Waits for room and pushes a job.
    ///
    /// # Errors
    /// [`JobsClosed`] if no worker takes jobs any more.
    pub fn push(&self, job: J) -> Result<(), JobsClosed> {
        self.0.send(job).map_err(|_| JobsClosed)
    }
}

/// Does jobs until there are none left, one yields no result, or results are no longer wanted.
fn do_jobs<J, R>(
    mut worker: impl FnMut(J) -> Option<R>,
    source: &Source<impl Iterator<Item = J>>,
    permits: &Permits,
    results: &Sender<(usize, Option<R>)>,
) {
    let _guard = WakeOnDrop { source, permits };
    loop {
        permits.take();
        let Some((number, job)) = source.next() else { return };
        let result = worker(job);
        let ends = result.is_none();
        if results.send((number, result)).is_err() || ends {
            return;
        }
    }
}

/// Passes the results to `sink` until the last worker has ended.
fn pass_on<R, E>(
    finished: &Receiver<(usize, Option<R>)>,
    order: ResultOrder,
    permits: &Permits,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut pass = |result: Option<R>| {
        permits.give();
        result.map_or(Ok(()), &mut sink)
    };
    for (number, result) in finished {
        if order == ResultOrder::Any {
            pass(result)?;
            continue;
        }
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            pass(result)?;
            next += 1;
        }
    }
    Ok(())
}

/// The jobs, numbered from 0.
struct Source<I> {
    jobs: Mutex<Option<std::iter::Enumerate<I>>>,
    failed: AtomicBool,
}

impl<I: Iterator> Source<I> {
    fn new(jobs: I) -> Self {
        Self { jobs: Mutex::new(Some(jobs.enumerate())), failed: AtomicBool::new(false) }
    }

    fn next(&self) -> Option<(usize, I::Item)> {
        let mut jobs = lock(&self.jobs);
        // Relaxed: the flag publishes no other data.
        if self.failed.load(Relaxed) {
            *jobs = None;
        }
        let next = jobs.as_mut()?.next();
        if next.is_none() {
            *jobs = None;
        }
        next
    }
}

impl<I> Source<I> {
    /// Hands out no more jobs. The feeder notices at the latest when the next job has been taken.
    fn fail(&self) {
        self.failed.store(true, Relaxed);
        *lock(&self.jobs) = None;
    }
}

/// Permits for jobs whose results have not been passed on yet.
struct Permits(Sender<()>, Receiver<()>);

impl Permits {
    fn new(count: usize) -> Self {
        let (sender, receiver) = unbounded();
        let permits = Self(sender, receiver);
        (0..count.max(1)).for_each(|_| permits.give());
        permits
    }

    fn give(&self) {
        // Cannot fail: the receiver is stored next to the sender.
        let _ = self.0.send(());
    }

    fn take(&self) {
        let _ = self.1.recv();
    }
}

/// Stops the other threads if this one panics.
struct FailOnPanic<'a, I>(&'a Source<I>);

impl<I> Drop for FailOnPanic<'_, I> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.fail();
        }
    }
}

/// Wakes a thread that waits for a permit when this one ends, so that it sees the end too, and wakes the next.
struct WakeOnDrop<'a, I> {
    source: &'a Source<I>,
    permits: &'a Permits,
}

impl<I> Drop for WakeOnDrop<'_, I> {
    fn drop(&mut self) {
        drop(FailOnPanic(self.source));
        self.permits.give();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
