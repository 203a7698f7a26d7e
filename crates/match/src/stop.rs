//! Ending a match early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Asks a running match to end. Clones belong to the same match; any thread may use them.
///
/// Games that are not finished are abandoned within a quarter of a second or so; with a journal they are played when
/// the match is resumed.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// A handle that has not asked to stop.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the match to end.
    pub fn stop(&self) {
        // Relaxed, here and below: the flag publishes no other data.
        self.0.store(true, Relaxed);
    }

    /// The flag itself.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether the match was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Shares a flag that a signal handler sets.
impl From<Arc<AtomicBool>> for StopHandle {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}
