//! The time of a search.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measures the time since a search was requested.
#[derive(Clone)]
pub struct Stopwatch(Source);

#[derive(Clone)]
enum Source {
    System(Instant),
    Other(Arc<dyn Fn() -> Duration + Send + Sync>),
}

impl Stopwatch {
    /// Starts now, using the system clock. WebAssembly outside WASI has none: there, no time ever passes.
    pub fn start() -> Self {
        if cfg!(all(target_family = "wasm", target_os = "unknown")) {
            return Self::of(|| Duration::ZERO);
        }
        Instant::now().into()
    }

    /// Uses a function that returns the time since the start.
    ///
    /// ```
    /// use bartizan_search::Stopwatch;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// use std::time::Duration;
    ///
    /// let milliseconds = Arc::new(AtomicU64::new(0));
    /// let clock = milliseconds.clone();
    /// let stopwatch = Stopwatch::of(move || Duration::from_millis(clock.load(Relaxed)));
    /// milliseconds.store(40, Relaxed);
    /// assert_eq!(stopwatch.elapsed(), Duration::from_millis(40));
    /// ```
    pub fn of(elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Source::Other(Arc::new(elapsed)))
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        match &self.0 {
            Source::System(start) => start.elapsed(),
            Source::Other(elapsed) => elapsed(),
        }
    }
}

/// Started at this time.
impl From<Instant> for Stopwatch {
    fn from(start: Instant) -> Self {
        Self(Source::System(start))
    }
}

impl std::fmt::Debug for Stopwatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stopwatch").field(&self.elapsed()).finish()
    }
}
