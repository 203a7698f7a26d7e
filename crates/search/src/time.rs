//! From a clock to the time for one move.

use crate::steps::{Step, Steps};
use crate::{Clock, Limits, params};
use std::time::Duration;

/// How long a search should take and how long it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimePlan {
    /// No new iteration after this, more or less: see [`Progress::factor`].
    pub(crate) soft: Option<Duration>,
    /// Stop at once after this.
    pub(crate) hard: Option<Duration>,
}

/// With no word on how many moves the time is for, plan for so many more if there is an increment …
const MOVES_WITH_INCREMENT: f64 = 20.0;

/// … and for so many if there is none, and nothing will come back.
const MOVES_WITHOUT_INCREMENT: f64 = 26.0;

/// No plan goes further than this.
const MOST_MOVES: u32 = 50;

/// The share of the increment to spend at once.
const INCREMENT_SHARE: f64 = 0.8;

/// The hard limit as a multiple of the soft one …
const HARD_FACTOR: f64 = 4.5;

/// … and as a share of all the time there is.
const HARD_SHARE: f64 = 0.4;

/// With one move to go all the rest could be used; keep a margin for the unforeseen.
const LAST_MOVE_SHARE: f64 = 0.9;

/// What a machine takes away at once, now and then. On a virtual machine a loop that only reads the clock saw gaps of 50 to
/// 112 ms about once in ten seconds; of 463 games at 1+0.01 with a reserve of 80 ms and less three were lost by them.
const HICCUP: Duration = Duration::from_millis(120);

/// Nobody can answer faster; an empty clock still gets this.
const LEAST: Duration = Duration::from_millis(1);

impl TimePlan {
    /// Plans a move. `overhead` is lost between the clock and us with every move.
    pub(crate) fn new(limits: &Limits, overhead: Duration, steps: Steps) -> Self {
        let mut plan = limits.clock.map_or_else(Self::default, |clock| Self::for_clock(clock, overhead));
        if !steps.has(Step::SoftLimit) {
            plan = Self { soft: None, hard: plan.soft };
        }
        if let Some(time) = limits.move_time {
            // Fixed time has no next move to save for: use it all, less what the way takes.
            let time = time.saturating_sub(overhead.min(time / 2)).max(LEAST);
            plan.hard = Some(plan.hard.map_or(time, |hard| hard.min(time)));
        }
        plan
    }

    fn for_clock(clock: Clock, overhead: Duration) -> Self {
        let moves = match clock.moves_to_go {
            Some(moves) => f64::from(moves.clamp(1, MOST_MOVES)),
            None if clock.increment.is_zero() => MOVES_WITHOUT_INCREMENT,
            None => MOVES_WITH_INCREMENT,
        };
        // Each of the moves to come loses the overhead, too, and the machine may take a break at any time; but something must
        // be left to plan with.
        let reserve = overhead.mul_f64(moves.min(8.0)) + HICCUP;
        let usable = clock.remaining.saturating_sub(reserve).max(clock.remaining / 8).max(LEAST);
        let share = usable.as_secs_f64() / moves + clock.increment.as_secs_f64() * INCREMENT_SHARE;
        let ceiling = usable.as_secs_f64() * if moves <= 1.0 { LAST_MOVE_SHARE } else { HARD_SHARE };
        let soft = share.min(ceiling);
        let hard = (soft * HARD_FACTOR).min(ceiling);
        let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).max(LEAST);
        Self { soft: Some(duration(soft)), hard: Some(duration(hard)) }
    }
}

/// What the iterations so far say about how hard the choice is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progress {
    /// There is but one legal move.
    pub(crate) single_reply: bool,
    /// Iterations in a row with the same best move.
    pub(crate) stability: u32,
    /// The share of all nodes spent on the best move, 0 to 1.
    pub(crate) best_share: f64,
    /// By how much the value has fallen below the average of the iterations before, in centipawns.
    pub(crate) fall: i32,
}

/// The factor for a best move that is new, one iteration old, and so on.
const STABILITY_FACTORS: [f64; 6] = [1.50, 1.20, 1.05, 0.95, 0.88, 0.82];

/// A fall (or rise) of so many centipawns doubles the time (or would save all of it) …
const FALL_SCALE: f64 = 120.0;

/// … within these bounds.
const FALL_BOUNDS: (f64, f64) = (0.85, 1.50);

impl Progress {
    /// How much of the soft limit to use: a move that is clear needs less, one that is in doubt more (the ideas are those
    /// of Stockfish and Weiss).
    pub(crate) fn factor(&self, steps: Steps) -> f64 {
        if self.single_reply {
            return 0.0;
        }
        let weigh = |step, factor| if steps.has(step) { factor } else { 1.0 };
        let stability = STABILITY_FACTORS[(self.stability as usize).min(STABILITY_FACTORS.len() - 1)];
        let base = f64::from(params::time_node_base()) / 100.0;
        let slope = f64::from(params::time_node_slope()) / 100.0;
        let nodes = (base - slope * self.best_share).max(0.1);
        let fall = (1.0 + f64::from(self.fall) / FALL_SCALE).clamp(FALL_BOUNDS.0, FALL_BOUNDS.1);
        weigh(Step::TimeByStability, stability) * weigh(Step::TimeByNodes, nodes) * weigh(Step::TimeByFall, fall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimePlan {
        let ms = Duration::from_millis;
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        TimePlan::new(&Limits { clock: Some(clock), ..Limits::default() }, ms(10), Steps::default())
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
    fn fixed_time_is_used() {
        let limits = Limits::move_time(Duration::from_millis(100));
        let plan = TimePlan::new(&limits, Duration::from_millis(10), Steps::default());
        assert_eq!(plan, TimePlan { soft: None, hard: Some(Duration::from_millis(90)) });
    }

    #[test]
    fn doubt_takes_longer_than_certainty() {
        let calm = Progress { single_reply: false, stability: 9, best_share: 0.95, fall: -20 };
        let doubtful = Progress { stability: 0, best_share: 0.3, fall: 60, ..calm };
        let steps = Steps::default();
        assert!(calm.factor(steps) < 0.7 && doubtful.factor(steps) > 2.0);
        assert_eq!(Progress { single_reply: true, ..doubtful }.factor(steps), 0.0);
        let plain =
            [Step::TimeByStability, Step::TimeByNodes, Step::TimeByFall].into_iter().fold(steps, Steps::without);
        assert_eq!((calm.factor(plain), doubtful.factor(plain)), (1.0, 1.0));
    }

    #[test]
    fn without_a_soft_limit_the_share_is_the_end() {
        let limits = Limits {
            clock: Some(Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None }),
            ..Limits::default()
        };
        let [with, without] = [Steps::default(), Steps::default().without(Step::SoftLimit)]
            .map(|steps| TimePlan::new(&limits, Duration::ZERO, steps));
        assert_eq!(without, TimePlan { soft: None, hard: with.soft });
    }
}
