//! Stop requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A request to stop early, shared by all its clones.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A request that has not been made yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the request. It cannot be withdrawn.
    pub fn stop(&self) {
        // Relaxed, here and below: the flag publishes no other data.
        self.0.store(true, Relaxed);
    }

    /// Whether the request has been made.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// The flag itself, true once the request has been made.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// Shares a flag that is set elsewhere, such as by a signal handler.
impl From<Arc<AtomicBool>> for StopFlag {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}
