//! Time controls and other limits, as people write them.

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A clock: so much for so many moves (or all), and an increment for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TimeControl {
    /// Moves of a session; `None` is the whole game.
    pub moves: Option<u32>,
    /// What a session gives.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// `2+0.02`, `40/60`, `40/1:30+0.5`: seconds or minutes and seconds, the moves of a session before a slash.
impl FromStr for TimeControl {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> anyhow::Result<Self> {
        let parse = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.trim().parse::<u32>().context("moves before the slash")?), rest),
                None => (None, text),
            };
            ensure!(moves != Some(0), "a session has at least one move");
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let base = match base.split_once(':') {
                Some((minutes, seconds)) => seconds_of(minutes)? * 60 + seconds_of(seconds)?,
                None => seconds_of(base)?,
            };
            let increment = seconds_of(increment)?;
            ensure!(!(base + increment).is_zero(), "no time at all");
            Ok(Self { moves, base, increment })
        };
        parse().with_context(|| format!("time control '{text}' (write 60+0.6, 40/60, 1:30+1)"))
    }
}

fn seconds_of(text: &str) -> anyhow::Result<Duration> {
    let seconds: f64 = text
        .trim()
        .parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite())
        .with_context(|| format!("'{text}' is no number"))?;
    if !(0.0..=1e7).contains(&seconds) {
        bail!("{text} seconds is out of range");
    }
    Ok(Duration::from_secs_f64(seconds))
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
    type Error = anyhow::Error;
    fn try_from(text: String) -> anyhow::Result<Self> {
        text.parse()
    }
}

/// How long an engine may think about a move. Several limits combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// A clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// Seconds for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub st: Option<f64>,
    /// Nodes for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies for each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Limits {
    /// Complains about limits that are none.
    pub fn check(&self, engine: &str) -> anyhow::Result<()> {
        ensure!(
            self.tc.is_some() || self.st.is_some() || self.nodes.is_some() || self.depth.is_some(),
            "engine {engine}: no limit is given (tc, st, nodes or depth)"
        );
        ensure!(!(self.tc.is_some() && self.st.is_some()), "engine {engine}: tc and st exclude each other");
        if let Some(st) = self.st {
            ensure!(st.is_finite() && st > 0.0 && st <= 1e6, "engine {engine}: st {st} is no time for a move");
        }
        ensure!(self.nodes != Some(0), "engine {engine}: nodes must be at least 1");
        ensure!(self.depth != Some(0), "engine {engine}: depth must be at least 1");
        Ok(())
    }

    /// With all times multiplied.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        let tc = self.tc.map(|tc| TimeControl {
            base: tc.base.mul_f64(factor),
            increment: tc.increment.mul_f64(factor),
            ..tc
        });
        Self { tc, st: self.st.map(|st| st * factor), ..self }
    }

    /// `self` where it says something, `other` where it does not. A clock and a time for each move are one thing here.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let timed = self.tc.is_some() || self.st.is_some();
        Self {
            tc: if timed { self.tc } else { other.tc },
            st: if timed { self.st } else { other.st },
            nodes: self.nodes.or(other.nodes),
            depth: self.depth.or(other.depth),
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.tc.map(|tc| tc.to_string()),
            self.st.map(|st| format!("{st} s/move")),
            self.nodes.map(|nodes| format!("{nodes} nodes/move")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_come_back() {
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
        for text in ["", "x", "0", "-1", "0/60", "60+x", "1e99", "nan", "inf", "40/", "a:b"] {
            let error = format!("{:#}", text.parse::<TimeControl>().unwrap_err());
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn limits_are_merged_and_scaled() {
        let each = Limits { tc: Some("10+0.1".parse().unwrap()), nodes: Some(5), ..Limits::default() };
        let own = Limits { st: Some(0.5), ..Limits::default() };
        assert_eq!(own.or(each), Limits { st: Some(0.5), nodes: Some(5), ..Limits::default() });
        assert_eq!(each.scaled(0.5).to_string(), "5+0.05, 5 nodes/move");
        assert!(Limits::default().check("x").is_err());
    }
}
