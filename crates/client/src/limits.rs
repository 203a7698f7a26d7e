//! Time controls and the other limits of a move, in user notation.

use bartizan_types::Limits;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock: a base time for a number of moves or for the whole game, and an increment per move, added after the move.
/// Without a base time the first move gets the increment too.
///
/// ```
/// use bartizan_client::TimeControl;
/// use std::time::Duration;
///
/// let control: TimeControl = "40/1:30+0.5".parse()?;
/// assert_eq!(control.moves, Some(40));
/// assert_eq!(control.base, Duration::from_secs(90));
/// assert_eq!(control.increment, Duration::from_millis(500));
/// # Ok::<(), bartizan_client::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "String", try_from = "String")
)]
pub struct TimeControl {
    /// Moves per session, after which the base time is added again; `None` if the base is for the whole game.
    pub moves: Option<u32>,
    /// Time at the start of a session.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl TimeControl {
    /// The time for the first move.
    pub fn first(&self) -> Duration {
        if self.base.is_zero() { self.increment } else { self.base }
    }
}

/// Why a text is not a time control. The message does not repeat the text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeControlError {
    /// The text is not of the form `[MOVES/]BASE[+INCREMENT]`.
    #[error("expected [MOVES/]BASE[+INCREMENT] in seconds, such as 60+0.6, 40/60 or 1:30+1")]
    Syntax,
    /// The session has no moves.
    #[error("the number of moves must be at least 1")]
    NoMoves,
    /// Base and increment are both 0.
    #[error("the base time and the increment are both 0")]
    NoTime,
    /// A time is negative or above 10 million seconds.
    #[error("{0} seconds is out of range (0 to 10000000)")]
    OutOfRange(f64),
}

/// Reads `2+0.02`, `40/60` or `40/1:30+0.5`: `[MOVES/]BASE[+INCREMENT]`, in seconds or `MINUTES:SECONDS`.
impl FromStr for TimeControl {
    type Err = TimeControlError;
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.trim().parse().map_err(|_| TimeControlError::Syntax)?), rest),
            None => (None, text),
        };
        if moves == Some(0) {
            return Err(TimeControlError::NoMoves);
        }
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => seconds_of(minutes)? * 60 + seconds_of(seconds)?,
            None => seconds_of(base)?,
        };
        let increment = seconds_of(increment)?;
        if (base + increment).is_zero() { Err(TimeControlError::NoTime) } else { Ok(Self { moves, base, increment }) }
    }
}

fn seconds_of(text: &str) -> Result<Duration, TimeControlError> {
    let seconds: f64 = text.trim().parse().map_err(|_| TimeControlError::Syntax)?;
    if (0.0..=1e7).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(TimeControlError::OutOfRange(seconds))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map_err(|error| format!("invalid time control '{text}': {error}"))
    }
}

/// How long an engine may think about each move of a game. Limits can be combined: the first one reached ends the
/// search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct EngineLimits {
    /// A clock.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub tc: Option<TimeControl>,
    /// Seconds per move; excludes a clock.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub st: Option<f64>,
    /// Nodes that count as a millisecond of these times, instead of real time, 1 to 10,000.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub nodestime: Option<u32>,
    /// Nodes per move.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub nodes: Option<u64>,
    /// Plies per move.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub depth: Option<u32>,
}

/// Why an engine's limits cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitsError {
    /// There is no limit.
    #[error("no limit given (tc, st, nodes or depth)")]
    None,
    /// Both a clock and a time per move are given.
    #[error("tc and st cannot be combined")]
    ClockAndMoveTime,
    /// The seconds per move are not positive, or above a million.
    #[error("st {0} is out of range (above 0, at most 1000000 seconds)")]
    MoveTime(f64),
    /// Nodes should count as time, but there is no time.
    #[error("nodestime needs a tc or an st")]
    NodesWithoutTime,
    /// The number of nodes that count as a millisecond is out of range.
    #[error("nodestime {0} is out of range (1 to 10000)")]
    NodeTime(u32),
    /// The number of nodes is 0.
    #[error("nodes must be at least 1")]
    Nodes,
    /// The depth is 0.
    #[error("depth must be at least 1")]
    Depth,
}

impl EngineLimits {
    /// Checks that there is a limit and that each is in range.
    ///
    /// ```
    /// use bartizan_client::{EngineLimits, LimitsError};
    ///
    /// assert_eq!(EngineLimits::default().check(), Err(LimitsError::None));
    /// assert_eq!(EngineLimits { nodes: Some(10_000), ..EngineLimits::default() }.check(), Ok(()));
    /// ```
    ///
    /// # Errors
    /// [`LimitsError`] for the first problem.
    pub fn check(&self) -> Result<(), LimitsError> {
        match *self {
            Self { tc: None, st: None, nodes: None, depth: None, nodestime: None } => Err(LimitsError::None),
            Self { nodestime: Some(nodes), .. } if !(1..=10_000).contains(&nodes) => Err(LimitsError::NodeTime(nodes)),
            Self { tc: None, st: None, nodestime: Some(_), .. } => Err(LimitsError::NodesWithoutTime),
            Self { tc: Some(_), st: Some(_), .. } => Err(LimitsError::ClockAndMoveTime),
            Self { st: Some(st), .. } if !(st > 0.0 && st <= 1e6) => Err(LimitsError::MoveTime(st)),
            Self { nodes: Some(0), .. } => Err(LimitsError::Nodes),
            Self { depth: Some(0), .. } => Err(LimitsError::Depth),
            _ => Ok(()),
        }
    }

    /// Multiplies all times.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let tc = self.tc.map(|tc| TimeControl {
            base: tc.base.mul_f64(factor),
            increment: tc.increment.mul_f64(factor),
            ..tc
        });
        Self { tc, st: self.st.map(|st| st * factor), ..self }
    }

    /// The limits of `self`, completed with those of `other`. A clock and a time per move count as one limit.
    ///
    /// ```
    /// use bartizan_client::EngineLimits;
    ///
    /// let all = EngineLimits { st: Some(1.0), depth: Some(20), ..EngineLimits::default() };
    /// let own = EngineLimits { tc: Some("10+0.1".parse()?), ..EngineLimits::default() };
    /// assert_eq!(own.or(all).to_string(), "10+0.1, depth 20");
    /// # Ok::<(), bartizan_client::TimeControlError>(())
    /// ```
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let timed = self.tc.is_some() || self.st.is_some();
        Self {
            tc: if timed { self.tc } else { other.tc },
            st: if timed { self.st } else { other.st },
            nodestime: self.nodestime.or(other.nodestime),
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
        }
    }
}

impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.tc.map(|tc| tc.to_string()),
            self.st.map(|st| format!("{st} s/move")),
            self.nodestime.map(|nodes| format!("1 ms is {nodes} nodes")),
            self.nodes.map(|nodes| format!("{nodes} nodes/move")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// Whether an engine should search until told to stop: nothing that a protocol can express ends the search.
pub(crate) fn is_infinite(limits: &Limits) -> bool {
    let Limits { clock, move_time, nodes, depth, mate, .. } = limits;
    let ends = clock.is_some() || move_time.is_some() || nodes.is_some() || depth.or(*mate).is_some();
    limits.infinite || !ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_round_trip() {
        for (text, moves, base, increment) in [
            ("2+0.02", None, 2_000, 20),
            ("40/60", Some(40), 60_000, 0),
            ("10/0:30+0.5", Some(10), 30_000, 500),
            ("1:30", None, 90_000, 0),
        ] {
            let control: TimeControl = text.parse().unwrap();
            let ms = Duration::from_millis;
            assert_eq!(control, TimeControl { moves, base: ms(base), increment: ms(increment) });
            assert_eq!(control.to_string().parse::<TimeControl>().unwrap(), control);
        }
        for (text, error) in [
            ("", TimeControlError::Syntax),
            ("x", TimeControlError::Syntax),
            ("60+x", TimeControlError::Syntax),
            ("40/", TimeControlError::Syntax),
            ("a:b", TimeControlError::Syntax),
            ("0", TimeControlError::NoTime),
            ("0/60", TimeControlError::NoMoves),
            ("-1", TimeControlError::OutOfRange(-1.0)),
            ("1e99", TimeControlError::OutOfRange(1e99)),
            ("inf", TimeControlError::OutOfRange(f64::INFINITY)),
        ] {
            assert_eq!(text.parse::<TimeControl>(), Err(error), "{text}");
        }
        assert!(matches!("nan".parse::<TimeControl>(), Err(TimeControlError::OutOfRange(_))));
    }

    #[test]
    fn limits_are_merged_scaled_and_checked() {
        let each = EngineLimits { tc: Some("10+0.1".parse().unwrap()), nodes: Some(5), ..EngineLimits::default() };
        let own = EngineLimits { st: Some(0.5), ..EngineLimits::default() };
        assert_eq!(own.or(each), EngineLimits { st: Some(0.5), nodes: Some(5), ..EngineLimits::default() });
        assert_eq!(each.scaled(0.5).to_string(), "5+0.05, 5 nodes/move");
        assert_eq!(each.check(), Ok(()));
        for (limits, error) in [
            (EngineLimits::default(), LimitsError::None),
            (EngineLimits { st: Some(1.0), ..each }, LimitsError::ClockAndMoveTime),
            (EngineLimits { st: Some(0.0), ..EngineLimits::default() }, LimitsError::MoveTime(0.0)),
            (EngineLimits { nodes: Some(0), ..own }, LimitsError::Nodes),
            (EngineLimits { nodestime: Some(0), ..own }, LimitsError::NodeTime(0)),
            (EngineLimits { nodestime: Some(10_001), ..own }, LimitsError::NodeTime(10_001)),
            (
                EngineLimits { nodestime: Some(1), depth: Some(1), ..EngineLimits::default() },
                LimitsError::NodesWithoutTime,
            ),
            (EngineLimits { nodestime: Some(1), ..EngineLimits::default() }, LimitsError::NodesWithoutTime),
            (EngineLimits { depth: Some(0), ..own }, LimitsError::Depth),
        ] {
            assert_eq!(limits.check(), Err(error));
        }
    }
}
