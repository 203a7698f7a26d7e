//! The time that a limited player takes for a move, as people do: more for a hard choice, little for a forced move, and
//! never so much that the clock could run out.
//!
//! The constants are chosen, not measured.

use bartizan_search::{Clock, Limits};
use bartizan_types::{Color, SplitMix64};
use std::time::Duration;

/// What there is to choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Choice {
    /// A move of the opening book.
    Book,
    /// A move by a search.
    Searched {
        /// From 0.0, nothing to decide, to 1.0.
        difficulty: f64,
    },
}

/// With less than this on the clock, besides the overhead of the move, a move takes no longer than it must.
const SCRAMBLE: Duration = Duration::from_secs(5);
/// A move takes at most the remaining time divided by this, and [`INCREMENT_SHARE`].
const LEAST_MOVES: f64 = 15.0;
/// The share of the increment that a move may take in addition.
const INCREMENT_SHARE: f64 = 0.8;
/// A move leaves at least this share of the clock, whatever the increment.
const SHARE_LEFT: f64 = 0.5;
/// A move leaves the time lost with this number of moves.
const OVERHEADS_LEFT: u32 = 10;
/// The share of a fixed time for the move that it may take.
const MOVE_TIME_SHARE: f64 = 0.8;

/// A usual move takes the remaining time divided by this, or by the moves to the time control if they are more.
const USUAL_MOVES: u32 = 40;
/// The share of the increment that a usual move takes in addition.
const USUAL_INCREMENT_SHARE: f64 = 0.6;
/// The share of a fixed time for the move that a usual move takes.
const USUAL_MOVE_TIME_SHARE: f64 = 0.4;
/// A usual move takes no longer, in seconds, however much time there is: the opponent is waiting.
const LONGEST_USUAL: f64 = 60.0;
/// The factors of the usual time for the least and the greatest difficulty.
const FACTORS: [f64; 2] = [0.15, 1.85];
/// The standard deviation of the logarithm of the time.
const SPREAD: f64 = 0.35;

/// The range of the seconds for a book move on a clock of [`BOOK_CLOCK`] or more; less on a shorter one.
const BOOK_SECONDS: [f64; 2] = [0.5, 2.0];
/// In seconds.
const BOOK_CLOCK: f64 = 300.0;
/// The number of moves for which a fixed time for each amounts to a clock.
const MOVES_OF_CLOCK: f64 = 40.0;

/// The least time for the move of one side; `None` if it need not wait: without a clock and without a time for the
/// move, if either counts nodes, in an analysis, and in a search for a mate. `overhead` is the time lost with each move
/// between the clock and the engine; `random` spreads the times.
pub(crate) fn least_time(
    limits: &Limits,
    turn: Color,
    overhead: Duration,
    choice: Choice,
    random: &mut SplitMix64,
) -> Option<Duration> {
    if limits.node_rate.is_some() || limits.infinite || limits.mate.is_some() {
        return None;
    }
    let clock = limits.clock.map(|clocks| clocks.of(turn));
    let of_clock = clock.map(|clock| greatest_of_clock(clock, overhead));
    let of_move_time = limits.move_time.map(|time| greatest_of_move_time(time, overhead));
    let greatest = of_clock.into_iter().chain(of_move_time).min().filter(|greatest| !greatest.is_zero())?;
    let move_time = limits.move_time.map(|time| time.as_secs_f64());
    let seconds = match choice {
        Choice::Book => {
            let [least, most] = BOOK_SECONDS;
            let remaining = clock.map(|clock| clock.remaining.as_secs_f64());
            let budget =
                remaining.into_iter().chain(move_time.map(|time| time * MOVES_OF_CLOCK)).fold(BOOK_CLOCK, f64::min);
            (least + (most - least) * random.unit_f64()) * budget / BOOK_CLOCK
        }
        Choice::Searched { difficulty } => {
            let of_clock = clock.map(|clock| {
                let moves = clock.moves_to_go.unwrap_or(0).max(USUAL_MOVES);
                clock.remaining.as_secs_f64() / f64::from(moves) + clock.increment.as_secs_f64() * USUAL_INCREMENT_SHARE
            });
            let of_move_time = move_time.map(|time| time * USUAL_MOVE_TIME_SHARE);
            let usual = of_clock.into_iter().chain(of_move_time).fold(LONGEST_USUAL, f64::min);
            let [easy, hard] = FACTORS;
            usual * (easy + (hard - easy) * difficulty.clamp(0.0, 1.0)) * (SPREAD * normal(random)).exp()
        }
    };
    Some(Duration::try_from_secs_f64(seconds).map_or(greatest, |time| time.min(greatest)))
}

/// The longest time that the calculation of a limited player may take: a small share of the clock or of the time for
/// the move; `None` without either.
pub(crate) fn calculation_time(limits: &Limits, turn: Color, overhead: Duration) -> Option<Duration> {
    /// The share of the clock.
    const SHARE: u32 = 40;
    let clock = limits.clock.map(|clocks| clocks.of(turn).remaining.saturating_sub(overhead) / SHARE);
    let move_time = limits.move_time.map(|time| time.saturating_sub(overhead) / 2);
    clock.into_iter().chain(move_time).min()
}

/// The most that a move may take of a clock.
fn greatest_of_clock(clock: Clock, overhead: Duration) -> Duration {
    let Clock { remaining, increment, .. } = clock;
    if remaining < SCRAMBLE.saturating_add(overhead) {
        return Duration::ZERO;
    }
    let share = remaining.as_secs_f64() / LEAST_MOVES + increment.as_secs_f64() * INCREMENT_SHARE;
    let share = Duration::try_from_secs_f64(share).unwrap_or(Duration::MAX);
    let left = remaining.saturating_sub(overhead.saturating_mul(OVERHEADS_LEFT));
    share.min(remaining.mul_f64(SHARE_LEFT)).min(left)
}

/// The most that a move may take of a fixed time.
fn greatest_of_move_time(time: Duration, overhead: Duration) -> Duration {
    time.mul_f64(MOVE_TIME_SHARE).min(time.saturating_sub(overhead))
}

/// A number of about the standard normal distribution, between −3.5 and 3.5.
fn normal(random: &mut SplitMix64) -> f64 {
    // The sum of four numbers below 1, each equally likely, has the variance 1/3.
    let sum: f64 = (0..4).map(|_| random.unit_f64()).sum();
    (sum - 2.0) * 3_f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::num::NonZeroU64;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn clock(remaining: f64, increment: f64, moves_to_go: Option<u32>) -> Limits {
        Limits::clock(Clock { remaining: seconds(remaining), increment: seconds(increment), moves_to_go })
    }

    fn time(limits: &Limits, choice: Choice, seed: u64) -> Option<Duration> {
        least_time(limits, Color::White, OVERHEAD, choice, &mut SplitMix64::new(seed))
    }

    /// The mean of many times, in seconds.
    fn mean(limits: &Limits, choice: Choice) -> f64 {
        (0..500).map(|seed| time(limits, choice, seed).unwrap().as_secs_f64()).sum::<f64>() / 500.0
    }

    fn durations() -> impl Strategy<Value = Duration> {
        prop_oneof![
            (0_u64..20_000).prop_map(Duration::from_millis),
            (0_u64..10_000_000).prop_map(Duration::from_millis),
            Just(Duration::MAX),
        ]
    }

    fn choices() -> impl Strategy<Value = Choice> {
        prop_oneof![Just(Choice::Book), (-1.0..2.0).prop_map(|difficulty| Choice::Searched { difficulty })]
    }

    proptest! {
        #[test]
        fn no_move_takes_more_than_its_share(
            remaining in durations(),
            increment in durations(),
            moves_to_go in proptest::option::of(0_u32..100),
            move_time in proptest::option::of(durations()),
            overhead in (0_u64..5_000).prop_map(Duration::from_millis),
            choice in choices(),
            seed in any::<u64>(),
        ) {
            let mut limits = Limits::clock(Clock { remaining, increment, moves_to_go });
            limits.move_time = move_time;
            let time = least_time(&limits, Color::Black, overhead, choice, &mut SplitMix64::new(seed));
            let time = time.unwrap_or_default();
            let (left, gain) = (remaining.as_secs_f64(), increment.as_secs_f64());
            prop_assert!(time.as_secs_f64() <= left / 15.0 + gain * 0.8 + 1e-6);
            prop_assert!(time <= remaining.saturating_sub(overhead * 10));
            prop_assert!(time.is_zero() || remaining >= Duration::from_secs(5) + overhead);
            if let Some(move_time) = move_time {
                prop_assert!(time.as_secs_f64() <= move_time.as_secs_f64() * 0.8 + 1e-6);
                prop_assert!(time <= move_time.saturating_sub(overhead));
            }
        }
    }

    #[test]
    fn without_time_there_is_no_wait() {
        let usual = Choice::Searched { difficulty: 0.5 };
        let rate = NonZeroU64::new(1_000_000).unwrap();
        let timed = clock(60.0, 0.0, None);
        assert!(time(&timed, usual, 1).is_some());
        let untimed = [Limits::depth(9), Limits::nodes(9), Limits::infinite(), timed.clone().with_node_rate(rate)];
        for limits in untimed.into_iter().chain([timed.with_mate(2), clock(4.9, 3.0, None)]) {
            assert_eq!(time(&limits, usual, 1), None, "{limits:?}");
        }
    }

    #[test]
    fn a_hard_choice_takes_longer_and_the_clock_lasts_for_a_game() {
        let five_minutes = clock(300.0, 3.0, None);
        let of = |difficulty| mean(&five_minutes, Choice::Searched { difficulty });
        let (easy, usual, hard) = (of(0.0), of(0.5), of(1.0));
        assert!(
            (0.5..3.0).contains(&easy) && (7.0..12.0).contains(&usual) && hard > 1.5 * usual,
            "{easy} {usual} {hard}"
        );
        let book = mean(&five_minutes, Choice::Book);
        assert!((1.1..1.4).contains(&book), "{book}");
        assert!(mean(&clock(60.0, 0.0, None), Choice::Book) < 0.3);
        // Choices of every kind: the clock is never in danger.
        let (mut left, mut random) = (180.0, SplitMix64::new(5));
        for _ in 0..200 {
            let choice = Choice::Searched { difficulty: random.unit_f64() };
            left -= time(&clock(left, 0.0, None), choice, random.next_u64()).unwrap_or_default().as_secs_f64() + 0.01;
        }
        assert!(left > 2.0, "{left}");
    }

    #[test]
    fn a_calculation_takes_a_small_share_of_the_time() {
        let longest = |limits: &Limits| calculation_time(limits, Color::White, Duration::from_millis(20));
        assert_eq!(longest(&clock(4.02, 0.0, None)), Some(Duration::from_millis(100)));
        assert_eq!(longest(&clock(0.01, 0.0, None)), Some(Duration::ZERO));
        assert_eq!(longest(&Limits::move_time(Duration::from_millis(100))), Some(Duration::from_millis(40)));
        assert_eq!(longest(&Limits::depth(3)), None);
    }

    #[test]
    fn times_vary_with_the_seed_only() {
        let (limits, choice) = (clock(300.0, 0.0, None), Choice::Searched { difficulty: 0.5 });
        assert_eq!(time(&limits, choice, 7), time(&limits, choice, 7));
        let mut times: Vec<_> = (0..100).map(|seed| time(&limits, choice, seed)).collect();
        times.sort_unstable();
        times.dedup();
        assert!(times.len() > 90);
    }
}
