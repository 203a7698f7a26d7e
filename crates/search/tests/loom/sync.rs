//! The contents of `src/sync.rs` built from the types of the loom crate, which runs a model through every interleaving
//! of its threads.

#[allow(unused_imports, reason = "not every model uses atomics")]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64};
use loom::sync::{Condvar as LoomCondvar, Mutex as LoomMutex, MutexGuard as LoomGuard};
use std::ops::{Deref, DerefMut};
use std::time::Instant;

/// A lock with the interface of `parking_lot`, which has no poisoning.
#[derive(Debug)]
pub(crate) struct Mutex<T>(LoomMutex<T>);

/// `None` only while a condition variable has it.
pub(crate) struct Guard<'a, T>(Option<LoomGuard<'a, T>>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(LoomMutex::new(value))
    }

    pub(crate) fn lock(&self) -> Guard<'_, T> {
        Guard(Some(self.0.lock().unwrap()))
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_ref().unwrap()
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().unwrap()
    }
}

/// A condition variable with the interface of `parking_lot`.
#[derive(Debug)]
pub(crate) struct Condvar(LoomCondvar);

/// The result of a wait with an end.
pub(crate) struct WaitTimeoutResult;

impl WaitTimeoutResult {
    pub(crate) fn timed_out(&self) -> bool {
        false
    }
}

impl Condvar {
    pub(crate) fn new() -> Self {
        Self(LoomCondvar::new())
    }

    pub(crate) fn wait<T>(&self, guard: &mut Guard<'_, T>) {
        guard.0 = guard.0.take().map(|guard| self.0.wait(guard).unwrap());
    }

    /// Never times out: the models give no time to pass.
    pub(crate) fn wait_until<T>(&self, guard: &mut Guard<'_, T>, _: Instant) -> WaitTimeoutResult {
        self.wait(guard);
        WaitTimeoutResult
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}
