//! Stop and ponder hit.

use crate::Limits;
use crate::control::Control;
use loom::sync::Arc;
use loom::thread;
use std::time::{Duration, Instant};

/// A ponder hit before the first node.
const HIT: fn(&Control) = |control| control.ponder_hit(0);

/// Runs a model of a search and the two threads that may signal to it.
fn model(limits: Limits, signals: [fn(&Control); 2], search: fn(&Control, &Limits)) {
    loom::model(move || {
        // A search that began a minute ago: nothing in the model takes as long.
        let started = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let control = Arc::new(Control::new(&limits, started.into()));
        let clients = signals.map(|signal| {
            let control = control.clone();
            thread::spawn(move || signal(&control))
        });
        search(&control, &limits);
        for client in clients {
            client.join().unwrap();
        }
    });
}

#[test]
fn a_stop_releases_the_result() {
    for limits in [Limits::infinite(), Limits::depth(1).pondering(), Limits::infinite().pondering()] {
        model(limits, [Control::stop, HIT], |control, limits| {
            control.wait_until_released(limits, None);
            assert!(control.is_stopped() || !limits.infinite && !control.is_pondering());
        });
    }
}

#[test]
fn a_ponder_hit_releases_the_result() {
    model(Limits::depth(1).pondering(), [HIT, |_| {}], |control, limits| {
        control.wait_until_released(limits, None);
        assert!(!control.is_pondering());
    });
}

/// Only a stop ends the least time early: not the end of the search, nor the ponder hit.
#[test]
fn a_stop_ends_the_least_time() {
    const DAY: Option<Duration> = Some(Duration::from_secs(86_400));
    for (limits, other) in [
        (Limits::depth(1), Control::end as fn(&Control)),
        (Limits::depth(1).pondering(), HIT),
        (Limits::infinite(), Control::end),
    ] {
        model(limits, [Control::stop, other], |control, limits| {
            control.wait_until_released(limits, DAY);
            assert!(control.is_over());
        });
    }
}

/// A least time that has passed, also counted from the ponder hit, holds nothing back.
#[test]
fn the_least_time_counts_from_the_ponder_hit() {
    model(Limits::depth(1), [|_| {}, |_| {}], |control, limits| {
        control.wait_until_released(limits, Some(Duration::from_secs(30)));
        assert!(control.is_stopped() && !control.is_over());
    });
    model(Limits::depth(1).pondering(), [HIT, Control::stop], |control, limits| {
        control.wait_until_released(limits, Some(Duration::from_secs(30)));
        // The clock has run for less than that since the hit, so only the stop has ended the wait.
        assert!(control.is_over());
    });
}

/// A search that has found out while pondering that its time suffices ends at the ponder hit, whenever it comes.
#[test]
fn a_ponder_hit_ends_a_search_that_has_had_its_time() {
    model(Limits::depth(1).pondering(), [HIT, |_| {}], |control, _| {
        let continues = control.postpone(true);
        // Once pondering is over, the search must not need another signal.
        while continues && !control.is_stopped() {
            thread::yield_now();
        }
        assert!(continues || !control.is_pondering());
    });
}

#[test]
fn the_clock_starts_at_the_ponder_hit() {
    model(Limits::depth(1).pondering(), [HIT, HIT], |control, _| {
        if !control.is_pondering() {
            assert!(control.clock_spent(0) < Duration::from_secs(30), "{:?}", control.clock_spent(0));
        }
    });
}

/// The model detects a lost ponder hit: it fails if the record and the question are two steps.
#[test]
#[should_panic(expected = "lost")]
fn a_record_without_the_lock_loses_a_ponder_hit() {
    use std::sync::atomic::Ordering::SeqCst;
    loom::model(|| {
        let flag = || Arc::new(crate::sync::AtomicBool::new(false));
        let (hit, enough, stop) = (flag(), flag(), flag());
        let client = thread::spawn({
            let (hit, enough, stop) = (hit.clone(), enough.clone(), stop.clone());
            move || {
                hit.store(true, SeqCst);
                stop.store(enough.load(SeqCst), SeqCst);
            }
        });
        let continues = !hit.load(SeqCst);
        enough.store(continues, SeqCst);
        client.join().unwrap();
        assert!(!continues || stop.load(SeqCst), "lost");
    });
}
