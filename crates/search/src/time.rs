//! From a clock to the time for one move.

use crate::{Clock, Limits};
use std::time::Duration;

/// How long a search should take and how long it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TimePlan {
    /// No new iteration after this.
    pub(crate) soft: Option<Duration>,
    /// Stop at once after this.
    pub(crate) hard: Option<Duration>,
}

/// With no word on how many moves the time is for, plan for so many more.
const MOVES_TO_GO: u32 = 26;

/// The share of the increment to spend at once.
const INCREMENT_SHARE: f64 = 0.75;

/// The hard limit as a multiple of the soft one …
const HARD_FACTOR: f64 = 4.0;

/// … and as a share of all the time there is.
const HARD_SHARE: f64 = 0.5;

/// With one move to go all the rest could be used; keep a margin for the unforeseen.
const LAST_MOVE_SHARE: f64 = 0.9;

/// Nobody can answer faster; an empty clock still gets this.
const LEAST: Duration = Duration::from_millis(1);

impl TimePlan {
    /// Plans a move. `overhead` is lost between the clock and us with every move.
    pub(crate) fn new(limits: &Limits, overhead: Duration) -> Self {
        let mut plan = limits.clock.map_or_else(Self::default, |clock| Self::for_clock(clock, overhead));
        if let Some(time) = limits.move_time {
            // Fixed time has no next move to save for: use it all, less what the way takes.
            let time = time.saturating_sub(overhead.min(time / 2)).max(LEAST);
            plan.hard = Some(plan.hard.map_or(time, |hard| hard.min(time)));
        }
        plan
    }

    fn for_clock(clock: Clock, overhead: Duration) -> Self {
        let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO * 2);
        // Each of the moves to come loses the overhead, too, but some time must be left to plan with.
        let reserve = overhead.saturating_mul(moves.min(5)).min(clock.remaining / 2);
        let usable =
            clock.remaining.saturating_sub(overhead).saturating_sub(reserve - overhead.min(reserve)).max(LEAST);
        let share = usable.as_secs_f64() / f64::from(moves) + clock.increment.as_secs_f64() * INCREMENT_SHARE;
        let ceiling = usable.as_secs_f64() * if moves == 1 { LAST_MOVE_SHARE } else { HARD_SHARE };
        let soft = share.min(ceiling);
        let hard = (soft * HARD_FACTOR).min(ceiling);
        let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).max(LEAST);
        Self { soft: Some(duration(soft)), hard: Some(duration(hard)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimePlan {
        let ms = Duration::from_millis;
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        TimePlan::new(&Limits { clock: Some(clock), ..Limits::default() }, ms(10))
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
        let plan = TimePlan::new(&Limits::move_time(Duration::from_millis(100)), Duration::from_millis(10));
        assert_eq!(plan, TimePlan { soft: None, hard: Some(Duration::from_millis(90)) });
    }
}
