//! What the outside says to a running search: stop, and the opponent has played the expected move.

use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::{Duration, Instant};

/// The signals of one search. Each search has its own, so that a late signal cannot reach the next one.
#[derive(Debug)]
pub(crate) struct Control {
    started: Instant,
    // Relaxed: it says "soon" and publishes no other data; the condition variable orders the waiting.
    stop: AtomicBool,
    /// Released and acquired: whoever sees the end of pondering sees when the clock began to run.
    pondering: AtomicBool,
    /// The time pondered so far would have been enough for the move.
    enough: AtomicBool,
    /// When the clock began to run, in microseconds after `started`: not zero after a ponder hit.
    clock_start: AtomicU64,
    gate: Mutex<()>,
    released: Condvar,
}

impl Control {
    pub(crate) fn new(pondering: bool, started: Instant) -> Self {
        Self {
            started,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
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

    /// While pondering: whether the search would have answered by now, and so will at the ponder hit.
    pub(crate) fn set_enough(&self, enough: bool) {
        self.enough.store(enough, Relaxed);
    }

    /// Time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time that has run on our clock.
    pub(crate) fn clock_elapsed(&self) -> Duration {
        self.elapsed().saturating_sub(Duration::from_micros(self.clock_start.load(Relaxed)))
    }

    /// Waits until the search may answer: at once, or after a stop or ponder hit.
    pub(crate) fn wait_until_released(&self, infinite: bool) {
        let mut gate = self.gate.lock();
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            self.released.wait(&mut gate);
        }
    }
}
