//! Orders, bounds, interruptions, errors and panics of teams of threads.

use bartizan_parallel::{FeedOptions, JobsClosed, cores, feed, map, run};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A number of workers that all do the same.
fn team<J, R>(count: usize, work: impl Fn(J) -> Option<R> + Copy + Send) -> Vec<impl FnMut(J) -> Option<R> + Send> {
    (0..count).map(|_| move |job| work(job)).collect()
}

fn message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic.downcast_ref::<&str>().copied().unwrap_or("?")
}

#[test]
fn a_map_keeps_the_order() {
    for threads in [0, 1, 3, 100] {
        let doubled = map((0..1_000).collect::<Vec<_>>(), threads, |number: u32| 2 * number);
        assert!(doubled.into_iter().eq((0..1_000).map(|number| 2 * number)), "{threads} threads");
    }
    assert!(map(Vec::<u8>::new(), cores().get(), |byte| byte).is_empty());
}

#[test]
fn results_come_in_order_or_as_they_are_ready() {
    for (workers, ahead) in [(1, 1), (2, 1), (4, 2), (3, 64), (8, 0)] {
        for flow in [FeedOptions::kept(ahead), FeedOptions::any(ahead)] {
            let mut results = Vec::new();
            let take = |number| {
                results.push(number);
                Ok::<(), Infallible>(())
            };
            run(0..500, team(workers, Some::<u32>), flow, take).unwrap();
            if flow == FeedOptions::any(ahead) {
                results.sort_unstable();
            }
            assert!(results.into_iter().eq(0..500), "{workers} workers, {flow:?}");
        }
    }
}

/// The first job waits until no more can be taken, so that a larger number would be seen.
#[test]
fn jobs_ahead_are_bounded() {
    let (taken, passed_on) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let most = AtomicUsize::new(0);
    let jobs = (0..300).inspect(|_| {
        let ahead = taken.fetch_add(1, Relaxed) + 1 - passed_on.load(Relaxed);
        most.fetch_max(ahead, Relaxed);
    });
    let work = |job: u32| {
        while job == 0 && taken.load(Relaxed) < 5 {
            std::thread::yield_now();
        }
        Some(job)
    };
    let take = |_| {
        passed_on.fetch_add(1, Relaxed);
        Ok::<(), Infallible>(())
    };
    run(jobs, team(4, work), FeedOptions::kept(5), take).unwrap();
    // A permit is given back just before a result is passed on.
    assert!((5..=6).contains(&most.into_inner()));
}

#[test]
fn a_job_without_a_result_leaves_no_gap() {
    let mut results = Vec::new();
    let take = |number| {
        results.push(number);
        Ok::<(), Infallible>(())
    };
    run(0..50, team(3, |number| (number != 7).then_some(number)), FeedOptions::kept(4), take).unwrap();
    assert!(results.into_iter().eq((0..50).filter(|&number| number != 7)));
}

#[test]
fn without_workers_there_are_no_results() {
    let none: Vec<fn(u8) -> Option<u8>> = Vec::new();
    run(0..5, none, FeedOptions::any(1), |_| Err("a result")).unwrap();
}

#[test]
fn an_error_ends_everything() {
    let done = AtomicUsize::new(0);
    let work = |number: usize| {
        done.fetch_add(1, Relaxed);
        Some(number)
    };
    let failed =
        run(0.., team(2, work), FeedOptions::kept(4), |number| if number == 10 { Err(number) } else { Ok(()) });
    assert_eq!(failed, Err(10));
    assert!(done.into_inner() <= 10 + 4 + 2);
}

#[test]
fn fed_jobs_are_done_and_a_feeder_learns_of_the_end() {
    let mut total = 0;
    let find = |feeder: &bartizan_parallel::JobSender<u64>| (1..=100).try_for_each(|number| feeder.push(number));
    let (found, done) = feed(find, team(2, Some), FeedOptions::any(3), |number| {
        total += number;
        Ok::<(), Infallible>(())
    })
    .unwrap();
    assert_eq!((found, done, total), (Ok(()), Ok(()), 5_050));

    let endless = |feeder: &bartizan_parallel::JobSender<u64>| (0..).try_for_each(|number| feeder.push(number));
    let few = |number| (number < 20).then_some(()).ok_or(());
    let (found, done) = feed(endless, team(2, Some), FeedOptions::kept(3), few).unwrap();
    assert_eq!((found, done), (Err(JobsClosed), Err(())));

    let endless = |feeder: &bartizan_parallel::JobSender<u64>| (0..).try_for_each(|number| feeder.push(number));
    let ending = team(2, |number: u64| (number < 5).then_some(number));
    let (found, done) = feed(endless, ending, FeedOptions::kept(3), |_| Ok::<(), Infallible>(())).unwrap();
    assert_eq!((found, done), (Err(JobsClosed), Ok(())));
}

#[test]
fn panics_are_passed_on() {
    let panics = |job: u32| if job == 20 { panic!("worker") } else { Some(job) };
    let good = |_| Ok::<(), Infallible>(());
    for flow in [FeedOptions::kept(2), FeedOptions::any(2)] {
        let panic = catch_unwind(AssertUnwindSafe(|| run(0.., team(3, panics), flow, good))).unwrap_err();
        assert_eq!(message(&*panic), "worker");
        let bad = |number: u32| if number == 20 { panic!("sink") } else { good(number) };
        let panic = catch_unwind(AssertUnwindSafe(|| run(0.., team(3, Some), flow, bad))).unwrap_err();
        assert_eq!(message(&*panic), "sink");
        let jobs = (0..).inspect(|&number| assert!(number != 20, "jobs"));
        let panic = catch_unwind(AssertUnwindSafe(|| run(jobs, team(3, Some), flow, good))).unwrap_err();
        assert_eq!(message(&*panic), "jobs");
    }
    let panic = catch_unwind(|| map(0..1_000, 3, panics)).unwrap_err();
    assert_eq!(message(&*panic), "worker");
}
