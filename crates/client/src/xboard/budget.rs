//! The limits of a search: persistent commands, and the clocks before each move.

use crate::link::Link;
use crate::{ClientError, Clock, Clocks, Limits};
use bartizan_protocol::xboard::Command;
use bartizan_types::Color;
use std::time::Duration;

/// The limits, sent only when they change.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Budget {
    time: Time,
    /// Nodes that count as a second, for a time or for clocks.
    node_rate: Option<u32>,
    depth: Option<u32>,
}

#[derive(Clone, PartialEq, Eq)]
enum Time {
    /// A number of nodes, which `nps` declares to be one second, and a time of one second.
    Nodes(u32),
    /// A time for each move.
    Move(Duration),
    /// Clocks. The engine counts the moves to the next time control itself.
    Clock { winc: Duration, binc: Duration, has_controls: bool },
    /// No time or node limit.
    Unlimited,
}

/// The time of a search without a time limit. In milliseconds it fits in 32 bits, which some engines use.
const FOREVER: Duration = Duration::from_secs(1_000_000);

impl Budget {
    pub(super) fn of(limits: &Limits) -> Self {
        let time = match (limits.nodes, limits.move_time, &limits.clock) {
            (Some(nodes), _, _) => Time::Nodes(u32::try_from(nodes).unwrap_or(u32::MAX).max(1)),
            (None, Some(time), _) => Time::Move(time),
            (None, None, &Some(Clocks { winc, binc, moves_to_go, .. })) => {
                Time::Clock { winc, binc, has_controls: moves_to_go.is_some() }
            }
            (None, None, None) => Time::Unlimited,
        };
        let node_rate = match time {
            Time::Move(_) | Time::Clock { .. } => {
                limits.node_rate.map(|rate| u32::try_from(rate.get()).unwrap_or(u32::MAX))
            }
            Time::Nodes(nodes) => Some(nodes),
            Time::Unlimited => None,
        };
        Self { time, node_rate, depth: limits.depth }
    }

    pub(super) fn needs_nps(&self) -> bool {
        self.node_rate.is_some()
    }

    /// Whether this would still limit the engine after sending `next`: `sd` and `nps` persist until `new`.
    pub(super) fn outlasts(&self, next: &Self) -> bool {
        (self.needs_nps() && !next.needs_nps()) || (self.depth.is_some() && next.depth.is_none())
    }

    pub(super) fn send(&self, link: &mut Link, limits: &Limits, turn: Color) -> Result<(), ClientError> {
        match self.time {
            Time::Nodes(_) => link.send(Command::MoveTime(Duration::from_secs(1)))?,
            Time::Move(time) => link.send(Command::MoveTime(time))?,
            Time::Unlimited => link.send(Command::MoveTime(FOREVER))?,
            Time::Clock { .. } => {
                let Clock { remaining, increment, moves_to_go } = limits.clock.unwrap_or_default().of(turn);
                link.send(Command::Level { moves: moves_to_go.unwrap_or(0), base: remaining, increment })?;
            }
        }
        self.node_rate.map_or(Ok(()), |rate| link.send(Command::Nps(rate)))?;
        self.depth.map_or(Ok(()), |depth| link.send(Command::Depth(depth)))
    }
}

/// Sends `time` and `otim`, which precede each move.
pub(super) fn send_clocks(link: &mut Link, limits: &Limits, turn: Color) -> Result<(), ClientError> {
    let (own, opponent) = match (limits.nodes, limits.move_time, &limits.clock) {
        (Some(_), _, _) | (None, None, None) => return Ok(()),
        // As xboard does: more precise for engines that only read whole seconds in `st`.
        (None, Some(time), _) => (time, time),
        (None, None, Some(clocks)) => (clocks.of(turn).remaining, clocks.of(!turn).remaining),
    };
    // Some engines read 0 as "no clock".
    let centiseconds = |time: Duration| i64::try_from(time.as_millis() / 10).unwrap_or(i64::MAX).max(1);
    link.send(Command::Time(centiseconds(own)))?;
    link.send(Command::OpponentTime(centiseconds(opponent)))
}
