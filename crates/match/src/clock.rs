//! One side's clock, as the referee keeps it.

use crate::limits::{Limits, TimeControl};
use bartizan_client::{Clocks, Limits as SearchLimits};
use bartizan_types::Color;
use std::time::Duration;

/// A side's clock and its other limits.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    margin: Duration,
    remaining: Duration,
    moves_made: u32,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(limits: Limits, margin: Duration) -> Self {
        Self { limits, margin, remaining: limits.tc.map_or(Duration::ZERO, |tc| tc.base), moves_made: 0 }
    }

    /// Moves until the session ends.
    fn moves_to_go(&self, control: TimeControl) -> Option<u32> {
        control.moves.map(|moves| moves - self.moves_made % moves)
    }

    /// The time for the next move, margin included; `None` if the time is not limited.
    pub fn allowance(&self) -> Option<Duration> {
        let time = match (self.limits.tc, self.limits.st) {
            (Some(_), _) => self.remaining,
            (None, Some(st)) => Duration::from_secs_f64(st),
            (None, None) => return None,
        };
        Some(time + self.margin)
    }

    /// Whether a move that took `elapsed` exceeds the time.
    pub fn is_overdrawn(&self, elapsed: Duration) -> bool {
        self.allowance().is_some_and(|allowance| elapsed > allowance)
    }

    /// Subtracts the time of a move and adds what the time control gives.
    pub fn moved(&mut self, elapsed: Duration) {
        self.moves_made += 1;
        if let Some(control) = self.limits.tc {
            self.remaining = self.remaining.saturating_sub(elapsed) + control.increment;
            if control.moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
                self.remaining += control.base;
            }
        }
    }

    /// The limits to send to `mover`, whose clock this is. An opponent without a clock is shown with the same clock.
    pub fn go_limits(&self, other: &Self, mover: Color) -> SearchLimits {
        let clock = self.limits.tc.map(|control| {
            let own = (self.remaining, control.increment);
            let other = other.limits.tc.map_or(own, |control| (other.remaining, control.increment));
            let (white, black) = if mover.is_white() { (own, other) } else { (other, own) };
            Clocks {
                white: white.0,
                black: black.0,
                winc: white.1,
                binc: black.1,
                moves_to_go: self.moves_to_go(control),
            }
        });
        let mut limits = SearchLimits::infinite();
        limits.clock = clock;
        limits.move_time = self.limits.st.map(Duration::from_secs_f64);
        limits.nodes = self.limits.nodes;
        limits.depth = self.limits.depth;
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_and_increments() {
        let ms = Duration::from_millis;
        let limits = Limits { tc: Some("2/1+0.1".parse().unwrap()), ..Limits::default() };
        let mut clock = Clock::new(limits, ms(5));
        assert_eq!(clock.allowance(), Some(ms(1_005)));
        assert!(!clock.is_overdrawn(ms(1_005)) && clock.is_overdrawn(ms(1_006)));
        clock.moved(ms(400));
        assert_eq!(
            (clock.remaining, clock.go_limits(&clock, Color::White).clock.unwrap().moves_to_go),
            (ms(700), Some(1))
        );
        clock.moved(ms(800));
        // The second session begins.
        assert_eq!(
            (clock.remaining, clock.go_limits(&clock, Color::White).clock.unwrap().moves_to_go),
            (ms(1_100), Some(2))
        );
        assert_eq!(Clock::new(Limits { nodes: Some(1), ..Limits::default() }, ms(5)).allowance(), None);
    }
}
