//! Signals to a running search: stop and ponder hit. `tests/loom` runs them through every interleaving.

use crate::sync::{AtomicBool, AtomicU64, Condvar, Mutex};
use crate::{Limits, Stopwatch};
use std::num::NonZeroU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::{Duration, Instant};

/// In a second.
const NANOSECONDS: u128 = 1_000_000_000;

/// The signals of one search. A late signal cannot reach the next search, which has its own.
#[derive(Debug)]
pub(crate) struct Control {
    stopwatch: Stopwatch,
    /// The nodes that count as a second; `None` if the limits mean real time.
    node_rate: Option<NonZeroU64>,
    /// Whether the threads should end their work.
    // Relaxed: the flag publishes no other data. The condition variable orders the waiting.
    stop: AtomicBool,
    // Release and acquire: a thread that sees the end of pondering also sees `clock_start`.
    pondering: AtomicBool,
    /// Whether the time spent pondering would have sufficed for the move.
    enough: AtomicBool,
    /// When the clock started, in microseconds of [`Control::spent`]: zero unless there was a ponder hit.
    clock_start: AtomicU64,
    /// Whether the client has stopped the search, or the result has been given out.
    gate: Mutex<bool>,
    released: Condvar,
}

impl Control {
    pub(crate) fn new(limits: &Limits, stopwatch: Stopwatch) -> Self {
        Self {
            stopwatch,
            node_rate: limits.node_rate,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(limits.ponder),
            enough: AtomicBool::new(false),
            clock_start: AtomicU64::new(0),
            gate: Mutex::new(false),
            released: Condvar::new(),
        }
    }

    /// Ends the search, and gives out its result at once.
    pub(crate) fn stop(&self) {
        let mut is_over = self.gate.lock();
        *is_over = true;
        self.stop.store(true, Relaxed);
        self.released.notify_all();
    }

    /// Ends the search. The result is still held back for its least time.
    pub(crate) fn end(&self) {
        let _gate = self.gate.lock();
        self.stop.store(true, Relaxed);
        self.released.notify_all();
    }

    /// Whether nothing holds the result back any longer.
    pub(crate) fn is_over(&self) -> bool {
        *self.gate.lock()
    }

    /// Ends pondering, after a number of nodes.
    pub(crate) fn ponder_hit(&self, nodes: u64) {
        let _gate = self.gate.lock();
        if self.pondering.load(Relaxed) {
            self.clock_start.store(self.spent(nodes).as_micros() as u64, Relaxed);
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
        // Without the lock, a ponder hit in between would miss the record, and the search would miss the hit.
        let _gate = self.gate.lock();
        let is_pondering = self.is_pondering();
        self.enough.store(is_pondering && enough, Relaxed);
        is_pondering
    }

    /// The time since the search started.
    pub(crate) fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed()
    }

    /// The time since the search started, as its limits count: real time, or that of `nodes`.
    pub(crate) fn spent(&self, nodes: u64) -> Duration {
        let of_nodes = |rate: NonZeroU64| {
            let nanoseconds = u128::from(nodes) * NANOSECONDS / u128::from(rate.get());
            Duration::from_nanos(nanoseconds.try_into().unwrap_or(u64::MAX))
        };
        self.node_rate.map_or_else(|| self.elapsed(), of_nodes)
    }

    /// The time used on our clock, as the limits count.
    pub(crate) fn clock_spent(&self, nodes: u64) -> Duration {
        self.spent(nodes).saturating_sub(self.clock_start())
    }

    /// The number of nodes at which [`Control::clock_spent`] will be `time`; `None` if the limits mean real time.
    pub(crate) fn nodes_at(&self, time: Duration) -> Option<u64> {
        let end = time.saturating_add(self.clock_start()).as_nanos();
        let of_rate = |rate: NonZeroU64| end.saturating_mul(rate.get().into()).div_ceil(NANOSECONDS);
        self.node_rate.map(|rate| of_rate(rate).try_into().unwrap_or(u64::MAX))
    }

    fn clock_start(&self) -> Duration {
        Duration::from_micros(self.clock_start.load(Relaxed))
    }

    /// Waits until the search may give its result: at once or, if the limits say so, after a stop or ponder hit.
    /// Without a stop, the result then waits until its clock has run for `least`, in real time; no thread searches
    /// meanwhile. Returns the time from the start of the search to that second wait.
    pub(crate) fn wait_until_released(&self, limits: &Limits, least: Option<Duration>) -> Duration {
        let mut is_over = self.gate.lock();
        while !self.is_stopped() && (limits.infinite || self.is_pondering()) {
            self.released.wait(&mut is_over);
        }
        let elapsed = self.elapsed();
        let Some(least) = least else { return elapsed };
        self.stop.store(true, Relaxed);
        let left = least.saturating_sub(elapsed.saturating_sub(self.clock_start()));
        // A time that the system cannot represent is beyond that of any game.
        let Some(end) = Instant::now().checked_add(left).filter(|_| !left.is_zero()) else { return elapsed };
        while !*is_over && !self.released.wait_until(&mut is_over, end).timed_out() {}
        elapsed
    }
}
