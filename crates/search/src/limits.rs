//! How long to search.

use bartizan_types::Move;
use std::time::Duration;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clock {
    /// What is left; zero when the clock is overdrawn.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until more time is given; `None` if never.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search; the first one reached ends it. Without any it runs to the greatest depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Only these moves are considered; all if empty.
    pub search_moves: Vec<Move>,
    /// The clock, from which the search plans its time.
    pub clock: Option<Clock>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// So many plies.
    pub depth: Option<u32>,
    /// So many nodes, all threads together. With one thread it is exact.
    pub nodes: Option<u64>,
    /// Until a mate in so many moves is found, or it is certain that there is none: above the horizon nothing is pruned, so
    /// this takes long beyond five moves or so.
    pub mate: Option<u32>,
    /// No answer before [`stop`](crate::SearchHandle::stop).
    pub infinite: bool,
    /// No answer and no clock before [`ponder_hit`](crate::SearchHandle::ponder_hit) or `stop`.
    pub ponder: bool,
}

impl Limits {
    /// So many plies.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// So many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Exactly this long.
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Until stopped.
    pub fn infinite() -> Self {
        Self { infinite: true, ..Self::default() }
    }
}
