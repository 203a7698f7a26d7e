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
