//! Signals to a running search: stop and ponder hit. `tests/control_loom.rs` runs them through every interleaving.

use crate::Limits;
use crate::sync::{AtomicBool, AtomicU64, Condvar, Mutex};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::{Duration, Instant};

/// The signals of one search. A late signal cannot reach the next search, which has its own.
#[derive(Debug)]
pub(crate) struct Control {
    started: Instant,
    // Relaxed: the flag publishes no other data. The condition variable orders the waiting.
    stop: AtomicBool,
    // Release and acquire: a thread that sees the end of pondering also sees `clock_start`.
    pondering: AtomicBool,
    /// Whether the time spent pondering would have sufficed for the move.
    enough: AtomicBool,
    /// When the clock started, in microseconds after `started`: zero unless there was a ponder hit.
    clock_start: AtomicU64,
    gate: Mutex<()>,
    released: Condvar,
}

impl Control {
    pub(crate) fn new(limits: &Limits, started: Instant) -> Self {
        Self {
            started,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(limits.ponder),
            enough: AtomicBool::new(false),
            clock_start: AtomicU64::new(0),
            gate: Mutex::new(()),
            released: Condvar::new(),
        }
    }

    pub(crate) fn stop(&self) {
        let _gate = self.gate.lock();
        self.stop.store(true, Relaxed);
        self.released.notify_all();
    }

    pub(crate) fn ponder_hit(&self) {
        let _gate = self.gate.lock();
        if self.pondering.load(Relaxed) {
            self.clock_start.store(self.started.elapsed().as_micros() as u64, Relaxed);
            self.pondering.store(false, Release);
            if self.enough.load(Relaxed) {
                self.stop.store(true, Relaxed);
            }
            self.released.notify_all();
        }
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    #[inline]
    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Acquire)
    }

    /// Records while pondering whether the search would have finished by now, and so ends at the ponder hit. Returns
    /// whether it is pondering: if not, the search decides by itself.
    pub(crate) fn postpone(&self, enough: bool) -> bool {
        // The lock keeps a ponder hit from coming in between: it would miss the record, and the search the hit.
        let _gate = self.gate.lock();
        let is_pondering = self.is_pondering();
        self.enough.store(is_pondering && enough, Relaxed);
        is_pondering
    }

    /// The time since the search started.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time used on our clock.
    pub(crate) fn clock_elapsed(&self) -> Duration {
        self.elapsed().saturating_sub(Duration::from_micros(self.clock_start.load(Relaxed)))
    }

    /// Waits until the search may give its result: at once or, if the limits say so, after a stop or ponder hit.
    pub(crate) fn wait_until_released(&self, limits: &Limits) {
        let mut gate = self.gate.lock();
        while !self.is_stopped() && (limits.infinite || self.is_pondering()) {
            self.released.wait(&mut gate);
        }
    }
}
