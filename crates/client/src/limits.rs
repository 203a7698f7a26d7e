//! How long an engine may think about a move.

use std::time::Duration;

/// The limits of a search. They combine: the first reached ends it. Without any, the engine searches until
/// [`Client::stop`](crate::Client::stop).
///
/// An xboard engine cannot be told all combinations: `move_time` hides the clock, and `nodes` both of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct GoLimits {
    /// The clocks of both sides.
    pub clock: Option<Clocks>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// About so many nodes. An xboard engine needs the feature `nps`.
    pub nodes: Option<u64>,
    /// To this depth, in plies.
    pub depth: Option<u32>,
}

impl GoLimits {
    /// By the clock.
    pub fn clock(clock: Clocks) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }

    /// A time for this move.
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// A number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A depth in plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }
}

/// The clocks of both sides when a search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Clocks {
    /// What White has left.
    pub white: Duration,
    /// What Black has left.
    pub black: Duration,
    /// What each move adds for White.
    pub winc: Duration,
    /// What each move adds for Black.
    pub binc: Duration,
    /// Moves until time is added; `None` if the clock must last for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// The same for both sides.
    pub fn both(time: Duration, increment: Duration) -> Self {
        Self { white: time, black: time, winc: increment, binc: increment, moves_to_go: None }
    }
}
