//! One side's clock, as kept by the referee.

use bartizan_client::{Clocks, EngineLimits, Limits, TimeControl};
use bartizan_types::Color;
use std::num::NonZeroU64;
use std::time::Duration;

/// Maximum time for which an engine with a clock may overstep it before it is told to stop. It distinguishes a late
/// engine from one that hangs.
const LATENESS: Duration = Duration::from_secs(5);

/// Factor by which nodes may take longer than the time that they count as.
const SLOWEST: u32 = 10;

/// A side's clock and its other limits.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: EngineLimits,
    margin: Duration,
    remaining: Duration,
    moves_made: u32,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(limits: EngineLimits, margin: Duration) -> Self {
        Self { limits, margin, remaining: limits.tc.map_or(Duration::ZERO, |tc| tc.first()), moves_made: 0 }
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

    /// Real time for the next move until the engine is told to stop. `hang` is how long an engine may overstep its time
    /// (at most 5 s if that is real time), or stay silent if its time is not limited.
    pub fn max_wait(&self, hang: Duration) -> Duration {
        match (self.allowance(), self.limits.nodestime) {
            (None, _) => hang,
            (Some(allowance), None) => allowance + hang.min(LATENESS),
            (Some(allowance), Some(_)) => allowance * SLOWEST + hang,
        }
    }

    /// The cost of a move that took `elapsed` and, according to the engine, `nodes`.
    pub fn cost(&self, elapsed: Duration, nodes: u64) -> Duration {
        let of_nodes = |rate: u32| Duration::from_secs_f64(nodes as f64 / (f64::from(rate) * 1e3));
        self.limits.nodestime.map_or(elapsed, of_nodes)
    }

    /// How far a move at this cost oversteps the time; `None` if it does not.
    pub fn excess(&self, cost: Duration) -> Option<Duration> {
        cost.checked_sub(self.allowance()?).filter(|excess| !excess.is_zero())
    }

    /// Subtracts the cost of a move and adds the increment or the next period.
    pub fn moved(&mut self, cost: Duration) {
        self.moves_made += 1;
        if let Some(control) = self.limits.tc {
            self.remaining = self.remaining.saturating_sub(cost) + control.increment;
            if control.moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
                self.remaining += control.base;
            }
        }
    }

    /// The limits to send to `mover`, whose clock this is. An opponent without a clock is shown with the same clock.
    pub fn go_limits(&self, other: &Self, mover: Color) -> Limits {
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
        let mut limits = Limits::default();
        limits.clock = clock;
        limits.move_time = self.limits.st.map(Duration::from_secs_f64);
        limits.nodes = self.limits.nodes;
        limits.node_rate = self.limits.nodestime.and_then(|nodes| NonZeroU64::new(u64::from(nodes) * 1_000));
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
        let limits = EngineLimits { tc: Some("2/1+0.1".parse().unwrap()), ..EngineLimits::default() };
        let mut clock = Clock::new(limits, ms(5));
        assert_eq!(clock.allowance(), Some(ms(1_005)));
        assert_eq!([1_005, 1_006].map(|cost| clock.excess(ms(cost))), [None, Some(ms(1))]);
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
        assert_eq!(Clock::new(EngineLimits { nodes: Some(1), ..EngineLimits::default() }, ms(5)).allowance(), None);
    }

    #[test]
    fn without_a_base_time_the_increment_is_there_from_the_first_move() {
        let ms = Duration::from_millis;
        let mut clock =
            Clock::new(EngineLimits { tc: Some("0+0.5".parse().unwrap()), ..EngineLimits::default() }, ms(0));
        assert_eq!(clock.allowance(), Some(ms(500)));
        clock.moved(ms(200));
        assert_eq!(clock.go_limits(&clock, Color::White).clock.unwrap().white, ms(800));
    }

    #[test]
    fn nodes_count_as_time() {
        let ms = Duration::from_millis;
        let real = EngineLimits { tc: Some("2+0.1".parse().unwrap()), ..EngineLimits::default() };
        let nodes = EngineLimits { nodestime: Some(500), ..real };
        let [real, mut clock] = [real, nodes].map(|limits| Clock::new(limits, ms(5)));
        assert_eq!([&real, &clock].map(|clock| clock.cost(ms(700), 300_000)), [ms(700), ms(600)]);
        let hang = Duration::from_secs(60);
        assert_eq!([&real, &clock].map(|clock| clock.max_wait(hang)), [ms(7_005), ms(80_050)]);
        clock.moved(clock.cost(ms(9_999), 300_000));
        assert_eq!(clock.remaining, ms(1_500));
        assert_eq!(clock.go_limits(&clock, Color::Black).node_rate, NonZeroU64::new(500_000));
        assert_eq!(clock.excess(clock.cost(ms(9_999), 752_500)), None);
        assert_eq!(clock.excess(clock.cost(ms(1), 753_000)), Some(ms(1)));
        assert!(clock.excess(clock.cost(ms(1), u64::MAX)).is_some());
    }
}
