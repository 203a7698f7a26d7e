//! Time controls.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// The speed of a game, by the time that a player has for 40 moves. The limits are those of Lichess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Speed {
    /// Below 3 minutes.
    Bullet,
    /// Below 8 minutes.
    Blitz,
    /// Below 25 minutes.
    Rapid,
    /// Longer.
    Classical,
    /// No clock, or at least an hour per move.
    Correspondence,
}

impl Speed {
    /// All speeds, from fast to slow.
    pub const ALL: [Self; 5] = [Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence];

    /// The name, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }
}

/// The value of the tag `TimeControl`. If there are several periods, the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControlTag {
    /// The time of the period in milliseconds; `None` without a clock.
    pub base: Option<u64>,
    /// The increment per move, in milliseconds.
    pub increment: u64,
    /// The number of moves of the period; `None` for the whole game.
    pub moves: Option<u64>,
}

impl TimeControlTag {
    /// Reads `300`, `180+2`, `8+0.08`, `40/7200`, `40/7200:3600`, `*180` and `-`. `None` for other text, such as `?`.
    pub fn parse(text: &str) -> Option<Self> {
        let period = text.trim().split(':').next()?;
        if period == "-" {
            return Some(Self { base: None, increment: 0, moves: None });
        }
        let period = period.strip_prefix('*').unwrap_or(period);
        let (moves, time) = match period.split_once('/') {
            Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves: &u64| moves > 0)?), time),
            None => (None, period),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        Some(Self { base: Some(milliseconds(base)?), increment: milliseconds(increment)?, moves })
    }

    /// The speed.
    pub fn speed(&self) -> Speed {
        let Some(base) = self.base else { return Speed::Correspondence };
        let base = match self.moves {
            Some(moves) if base / moves >= 3_600_000 => return Speed::Correspondence,
            Some(moves) => base.saturating_mul(40) / moves,
            None => base,
        };
        match base.saturating_add(self.increment.saturating_mul(40)) / 1_000 {
            0..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1_500 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }
}

/// A number of seconds, of which up to three decimals count.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let fraction: u64 = fraction.chars().chain("000".chars()).take(3).collect::<String>().parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(fraction)
}

/// A set of time controls: a speed such as `blitz`, seconds `180`, with increment `180+2`, or ranges of both,
/// `60..300+0..3`. Without an increment, any increment matches.
///
/// ```
/// use bartizan_games::filter::{TimeControlRange, TimeControlTag};
///
/// let game = TimeControlTag::parse("180+2").unwrap();
/// for wanted in ["blitz", "180", "180+2", "60..300+0..3", "100.."] {
///     assert!(wanted.parse::<TimeControlRange>()?.contains(&game), "{wanted}");
/// }
/// assert!(!"180+0".parse::<TimeControlRange>()?.contains(&game));
/// # Ok::<(), bartizan_games::filter::TimeControlRangeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeControlRange {
    /// A speed.
    Speed(Speed),
    /// A range of base times and one of increments, in milliseconds.
    Range(RangeInclusive<u64>, RangeInclusive<u64>),
}

/// A text does not describe time controls.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected bullet, blitz, rapid, classical, correspondence, or seconds and increment, such as 180+2 or 60..300+0..3"
)]
pub struct TimeControlRangeError;

impl TimeControlRange {
    /// Whether a time control is wanted.
    pub fn contains(&self, control: &TimeControlTag) -> bool {
        match self {
            Self::Speed(speed) => control.speed() == *speed,
            Self::Range(base, increment) => {
                control.base.is_some_and(|time| base.contains(&time)) && increment.contains(&control.increment)
            }
        }
    }
}

impl FromStr for TimeControlRange {
    type Err = TimeControlRangeError;

    fn from_str(text: &str) -> Result<Self, TimeControlRangeError> {
        if let Some(speed) = Speed::ALL.into_iter().find(|speed| speed.name().eq_ignore_ascii_case(text)) {
            return Ok(Self::Speed(speed));
        }
        let (base, increment) = text.split_once('+').unwrap_or((text, ".."));
        Ok(Self::Range(range(base)?, range(increment)?))
    }
}

fn range(text: &str) -> Result<RangeInclusive<u64>, TimeControlRangeError> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let bound = |text: &str, open: u64| if text.is_empty() { Some(open) } else { milliseconds(text) };
    let (from, to) = (bound(from, 0).ok_or(TimeControlRangeError)?, bound(to, u64::MAX).ok_or(TimeControlRangeError)?);
    if text.is_empty() || from > to { Err(TimeControlRangeError) } else { Ok(from..=to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds() {
        for (text, speed) in [
            ("15", Speed::Bullet),
            ("120+1", Speed::Bullet),
            ("8+0.08", Speed::Bullet),
            ("180", Speed::Blitz),
            ("300+3", Speed::Blitz),
            ("600+0", Speed::Rapid),
            ("1500", Speed::Classical),
            ("40/7200:20/3600", Speed::Classical),
            ("40/120", Speed::Bullet),
            ("1/86400", Speed::Correspondence),
            ("-", Speed::Correspondence),
            ("*300", Speed::Blitz),
        ] {
            assert_eq!(TimeControlTag::parse(text).map(|control| control.speed()), Some(speed), "{text}");
        }
        for wrong in ["", "?", "5 min", "0/60", "+2", "180+", "1e5", "99999999999999999999"] {
            assert_eq!(TimeControlTag::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ranges() {
        let contains = |wanted: &str, control: &str| {
            wanted.parse::<TimeControlRange>().unwrap().contains(&TimeControlTag::parse(control).unwrap())
        };
        assert!(contains("..60", "60+5") && !contains("..60", "61") && !contains("..", "-"));
        assert!(contains("0..9+0.05..0.1", "8+0.08") && !contains("0..9+0.05..0.1", "8+0.2"));
        for wrong in ["", "fast", "9..8", "1+", "1..x"] {
            assert_eq!(wrong.parse::<TimeControlRange>(), Err(TimeControlRangeError), "{wrong}");
        }
    }
}
