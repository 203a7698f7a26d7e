//! The time plan: allocates the time for one move from a clock.
//!
//! The constants and parameters are untuned starting values unless they name a measurement.

use crate::switches::switches;
use crate::{Clock, Limits, params};
use bartizan_types::Color;
use std::time::Duration;

switches! {
    /// A rule of the time plan.
    enum TimeRule {
        /// A soft limit ends iterative deepening, and a hard limit of several times as much ends the search. Without
        /// this rule, the search stops at the soft limit.
        SoftLimit,
        /// A best move that has changed recently lengthens the soft limit.
        TimeByStability,
        /// A best move that takes a small share of the nodes lengthens the soft limit.
        TimeByNodes,
        /// A falling value lengthens the soft limit.
        TimeByFall,
        /// A move that is better than all others by a wide margin, and a forced recapture, take a part of the soft
        /// limit.
        EasyMove,
    }

    /// A set of rules of the time plan.
    set TimeRules;
}

impl Default for TimeRules {
    fn default() -> Self {
        Self::ALL
    }
}

/// How long a search should take and how long it may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimeManager {
    /// No iteration starts after this time, multiplied by [`Progress::factor`].
    pub(crate) soft: Option<Duration>,
    /// The search stops after this time in any case.
    pub(crate) hard: Option<Duration>,
}

/// The number of moves to plan for if it is unknown and there is no increment.
const MOVES_WITHOUT_INCREMENT: f64 = 26.0;

/// The greatest number of moves to plan for.
const MOST_MOVES: u32 = 50;

/// The maximum share of the usable time for the last move before the time control: all of it, less a safety margin.
const LAST_MOVE_SHARE: f64 = 0.9;

/// The time reserved for a pause forced by the machine. On a virtual machine, a loop that only read the clock saw gaps
/// of 50 to 112 ms about once in ten seconds. Of 463 games at 1+0.01 with a reserve of 80 ms or less, three were lost
/// to them.
const HICCUP: Duration = Duration::from_millis(120);

/// The number of future moves whose overhead is reserved.
const OVERHEAD_MOVES: f64 = 8.0;

/// Whatever the reserve, at least the remaining time divided by this is usable.
const LEAST_USABLE_DIVISOR: u32 = 8;

/// The least time for a move, even with an empty clock.
const LEAST: Duration = Duration::from_millis(1);

impl TimeManager {
    /// Plans a move. `overhead` is the time lost with each move between the clock and the engine; none is lost if time
    /// is measured in nodes.
    pub(crate) fn new(limits: &Limits, turn: Color, overhead: Duration, rules: TimeRules) -> Self {
        let (overhead, pause) = if limits.node_rate.is_some() { Default::default() } else { (overhead, HICCUP) };
        let mut plan =
            limits.clock.map_or_else(Self::default, |clocks| Self::for_clock(clocks.of(turn), overhead, pause));
        if !rules.has(TimeRule::SoftLimit) {
            plan = Self { soft: None, hard: plan.soft };
        }
        if let Some(time) = limits.move_time {
            // Unused time of a fixed move time is wasted, so use all of it except the overhead.
            let time = time.saturating_sub(overhead.min(time / 2)).max(LEAST);
            plan.hard = Some(plan.hard.map_or(time, |hard| hard.min(time)));
        }
        plan
    }

    fn for_clock(clock: Clock, overhead: Duration, pause: Duration) -> Self {
        let moves = match clock.moves_to_go {
            Some(moves) => f64::from(moves.clamp(1, MOST_MOVES)),
            None if clock.increment.is_zero() => MOVES_WITHOUT_INCREMENT,
            None => f64::from(params::time_moves()) / 10.0,
        };
        // Future moves lose the overhead, too, and the machine may pause at any time.
        let reserve = scaled(overhead, moves.min(OVERHEAD_MOVES)).saturating_add(pause);
        let least_usable = (clock.remaining / LEAST_USABLE_DIVISOR).max(LEAST);
        let usable = clock.remaining.saturating_sub(reserve).max(least_usable);
        let share = usable.as_secs_f64() / moves + clock.increment.as_secs_f64() * percent(params::time_increment());
        let ceiling =
            usable.as_secs_f64() * if moves <= 1.0 { LAST_MOVE_SHARE } else { percent(params::time_hard_share()) };
        let soft = share.min(ceiling);
        let hard = (soft * f64::from(params::time_hard()) / 10.0).min(ceiling);
        let duration = |seconds: f64| scaled(Duration::from_secs(1), seconds).max(LEAST);
        Self { soft: Some(duration(soft)), hard: Some(duration(hard)) }
    }
}

/// A duration times a factor of at least 0; [`Duration::MAX`] if that is too long.
pub(crate) fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

/// How clear the choice of the move is after the completed iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    /// Whether there is only one legal move.
    pub(crate) single_reply: bool,
    /// Whether several iterations have found the move easy.
    pub(crate) is_easy: bool,
    /// Consecutive iterations with the same best move.
    pub(crate) stability: u32,
    /// The share of all nodes spent on the best move, 0 to 1.
    pub(crate) best_share: f64,
    /// How far the value has fallen below the mean of the previous iterations, in centipawns.
    pub(crate) fall: i32,
}

/// The factor by the age of the best move in iterations; the last one applies to all greater ages.
const STABILITY_FACTORS: [f64; 6] = [1.50, 1.20, 1.05, 0.95, 0.88, 0.82];

/// The greatest factor for an easy move. The last iteration begins before this limit and ends after it: on average, at
/// a fifth of the soft limit.
const EASY_FACTOR: f64 = 0.15;

/// The least factor for the share of nodes, should the parameters make it negative.
const LEAST_NODE_FACTOR: f64 = 0.1;

/// A parameter in hundredths.
fn percent(parameter: i32) -> f64 {
    f64::from(parameter) / 100.0
}

impl Progress {
    /// The share of the soft limit to use: less for a clear choice, more for a doubtful one (Stockfish, Weiss).
    pub(crate) fn factor(&self, rules: TimeRules) -> f64 {
        if self.single_reply {
            return 0.0;
        }
        let factor = |rule, factor| if rules.has(rule) { factor } else { 1.0 };
        let stability = STABILITY_FACTORS[(self.stability as usize).min(STABILITY_FACTORS.len() - 1)];
        let [base, slope] = [params::time_node_base(), params::time_node_slope()].map(percent);
        let nodes = (base - slope * self.best_share).max(LEAST_NODE_FACTOR);
        let [least, most] = [params::time_fall_least(), params::time_fall_most()].map(percent);
        let fall = (1.0 + f64::from(self.fall) / f64::from(params::time_fall())).clamp(least, most);
        let usual = factor(TimeRule::TimeByStability, stability.powf(percent(params::time_stability())))
            * factor(TimeRule::TimeByNodes, nodes)
            * factor(TimeRule::TimeByFall, fall);
        if self.is_easy { usual.min(EASY_FACTOR) } else { usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let ms = Duration::from_millis;
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        TimeManager::new(&Limits::clock(clock), Color::White, ms(10), TimeRules::ALL)
    }

    #[test]
    fn no_plan_oversteps_the_clock() {
        for remaining in [0, 1, 5, 11, 20, 50, 100, 1_000, 60_000, u64::MAX / 4] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let plan = plan(remaining, increment, moves);
                    let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
                    assert!(soft <= hard, "{remaining} {increment} {moves:?}: {plan:?}");
                    assert!(
                        hard <= Duration::from_millis(remaining.max(1)),
                        "{remaining} {increment} {moves:?}: {plan:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn any_times_can_be_planned() {
        let times = [Duration::ZERO, Duration::from_millis(10), Duration::MAX];
        for remaining in times {
            for increment in times {
                for overhead in times {
                    for moves_to_go in [None, Some(1), Some(40)] {
                        let clock = Clock { remaining, increment, moves_to_go };
                        let limits = Limits::clock(clock).with_move_time(remaining);
                        let plan = TimeManager::new(&limits, Color::White, overhead, TimeRules::ALL);
                        assert!(plan.soft.unwrap() >= LEAST && plan.hard.unwrap() >= LEAST, "{clock:?}: {plan:?}");
                        assert_eq!(scaled(plan.soft.unwrap(), 0.0), Duration::ZERO);
                    }
                }
            }
        }
        assert_eq!(scaled(Duration::MAX, 1.5), Duration::MAX);
    }

    #[test]
    fn a_fixed_time_is_used_in_full() {
        let limits = Limits::move_time(Duration::from_millis(100));
        let plan = TimeManager::new(&limits, Color::White, Duration::from_millis(10), TimeRules::ALL);
        assert_eq!(plan, TimeManager { soft: None, hard: Some(Duration::from_millis(90)) });
    }

    #[test]
    fn a_doubtful_choice_takes_longer_than_a_clear_one() {
        let clear = Progress { single_reply: false, is_easy: false, stability: 9, best_share: 0.95, fall: -20 };
        let doubtful = Progress { stability: 0, best_share: 0.3, fall: 60, ..clear };
        let rules = TimeRules::ALL;
        assert!(clear.factor(rules) < 0.7 && doubtful.factor(rules) > 2.0);
        assert_eq!(Progress { single_reply: true, ..doubtful }.factor(rules), 0.0);
        assert_eq!(Progress { is_easy: true, ..clear }.factor(rules), EASY_FACTOR);
        assert_eq!((clear.factor(TimeRules::NONE), doubtful.factor(TimeRules::NONE)), (1.0, 1.0));
    }

    #[test]
    fn without_a_soft_limit_the_search_stops_at_its_share_of_the_clock() {
        let clock = Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None };
        let [with, without] = [TimeRules::ALL, TimeRules::ALL.without(TimeRule::SoftLimit)]
            .map(|rules| TimeManager::new(&Limits::clock(clock), Color::White, Duration::ZERO, rules));
        assert_eq!(without, TimeManager { soft: None, hard: with.soft });
    }
}
