//! The limits of a search in this protocol: commands that last, and the clocks before each move.

use crate::link::Link;
use crate::{ClientError, Clocks, GoLimits};
use bartizan_protocol::xboard::Command;
use bartizan_types::Color;
use std::time::Duration;

/// What an engine is told once, as long as it does not change.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Budget {
    time: Time,
    depth: Option<u32>,
}

#[derive(Clone, PartialEq, Eq)]
enum Time {
    /// Nodes, by calling so many of them a second.
    Nodes(u32),
    /// A time for each move.
    Move(Duration),
    /// Clocks: the increments, and whether there are sessions. The engine counts the moves of a session itself.
    Clock { winc: Duration, binc: Duration, sessions: bool },
    /// Only the depth, or nothing, ends the search.
    Unlimited,
}

/// Longer than anyone waits, and short enough for an engine that counts milliseconds in 32 bits.
const FOREVER: Duration = Duration::from_secs(1_000_000);

impl Budget {
    pub(super) fn of(limits: &GoLimits) -> Self {
        let time = match (limits.nodes, limits.move_time, &limits.clock) {
            (Some(nodes), _, _) => Time::Nodes(u32::try_from(nodes).unwrap_or(u32::MAX).max(1)),
            (None, Some(time), _) => Time::Move(time),
            (None, None, &Some(Clocks { winc, binc, moves_to_go, .. })) => {
                Time::Clock { winc, binc, sessions: moves_to_go.is_some() }
            }
            (None, None, None) => Time::Unlimited,
        };
        Self { time, depth: limits.depth }
    }

    pub(super) fn needs_nps(&self) -> bool {
        matches!(self.time, Time::Nodes(_))
    }

    /// Whether an engine that was told this would be held back by it under the limits that follow.
    pub(super) fn outlasts(&self, next: &Self) -> bool {
        (self.needs_nps() && !next.needs_nps()) || (self.depth.is_some() && next.depth.is_none())
    }

    pub(super) fn send(&self, link: &mut Link, limits: &GoLimits, turn: Color) -> Result<(), ClientError> {
        match self.time {
            Time::Nodes(nodes) => {
                link.send(Command::MoveTime(Duration::from_secs(1)))?;
                link.send(Command::Nps(nodes))?;
            }
            Time::Move(time) => link.send(Command::MoveTime(time))?,
            Time::Unlimited => link.send(Command::MoveTime(FOREVER))?,
            Time::Clock { .. } => {
                let clock = limits.clock.unwrap_or_default();
                let ((base, increment), _) = sides(&clock, turn);
                link.send(Command::Level { moves: clock.moves_to_go.unwrap_or(0), base, increment })?;
            }
        }
        self.depth.map_or(Ok(()), |depth| link.send(Command::Depth(depth)))
    }
}

/// Time and increment of the engine, and of its opponent.
fn sides(clock: &Clocks, turn: Color) -> ((Duration, Duration), (Duration, Duration)) {
    let (white, black) = ((clock.white, clock.winc), (clock.black, clock.binc));
    match turn {
        Color::White => (white, black),
        Color::Black => (black, white),
    }
}

/// `time` and `otim`, before each move.
pub(super) fn send_clocks(link: &mut Link, limits: &GoLimits, turn: Color) -> Result<(), ClientError> {
    let ((own, _), (opponent, _)) = match (limits.nodes, limits.move_time, &limits.clock) {
        (Some(_), _, _) | (None, None, None) => return Ok(()),
        // What xboard does too: it tells engines that read only whole seconds of `st` more exactly.
        (None, Some(time), _) => ((time, time), (time, time)),
        (None, None, Some(clock)) => sides(clock, turn),
    };
    // A clock of 0 is read as "no clock" by some engines.
    let centiseconds = |time: Duration| i64::try_from(time.as_millis() / 10).unwrap_or(i64::MAX).max(1);
    link.send(Command::Time(centiseconds(own)))?;
    link.send(Command::OpponentTime(centiseconds(opponent)))
}
