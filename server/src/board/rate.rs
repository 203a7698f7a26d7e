//! A limit for the number of messages in a time.

use std::time::{Duration, Instant};

/// Lets through `BURST` messages at once, and one in each `EVERY` after them.
pub(crate) struct RateLimit {
    /// When all of the burst is available again.
    full: Instant,
}

/// A page that follows a user who scrolls through a game sends about 200 in a second.
const EVERY: Duration = Duration::from_millis(2);
const BURST: u32 = 1_000;

impl RateLimit {
    pub(crate) fn new(now: Instant) -> Self {
        Self { full: now }
    }

    /// Whether one more message is within the limit.
    pub(crate) fn allows(&mut self, now: Instant) -> bool {
        self.full = self.full.max(now) + EVERY;
        self.full <= now + EVERY * BURST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_the_rate() {
        let now = Instant::now();
        let mut limit = RateLimit::new(now);
        assert!((0..BURST).all(|_| limit.allows(now)));
        assert!(!limit.allows(now));
        let mut limit = RateLimit::new(now);
        assert!((0..10 * BURST).all(|number| limit.allows(now + EVERY * number)));
    }
}
