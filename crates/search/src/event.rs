//! What a search says, as data.

use bartizan_types::{Bound, Move, Value};
use std::time::Duration;

/// One line of thinking.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchInfo {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The deepest ply that was reached on a principal variation.
    pub seldepth: u32,
    /// Which of the best lines this is, from 1.
    pub multipv: u32,
    /// What it is worth to the side to move.
    pub value: Value,
    /// Whether that is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Hits in tablebases, of all threads.
    pub tablebase_hits: u64,
    /// How full the hash table is, in thousandths.
    pub hashfull: u16,
    /// Since the search began.
    pub time: Duration,
    /// The line, first move first.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as u128 * 1_000_000 / self.time.as_micros().max(1)) as u64
    }
}

/// How a search ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchResult {
    /// The best move; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub value: Value,
    /// The last depth that was completed, in plies.
    pub depth: u32,
    /// The best line.
    pub pv: Vec<Move>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// What a search reports while it runs. The last event is either `Finished` or `Failed`, and comes exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum SearchEvent {
    /// A line of thinking. Before `Finished` the last one with `multipv` 1 is exact and begins with the best move.
    Info(SearchInfo),
    /// The root move now being searched, after the first second.
    CurrentMove {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in the order of search, from 1.
        number: u32,
    },
    /// The time for this move, when there is a clock or a fixed time. Only with [`Search::trace`](crate::Search::trace).
    Planned {
        /// No new iteration after this, times the factor of [`SearchEvent::Weighed`].
        soft: Option<Duration>,
        /// The end in any case.
        hard: Option<Duration>,
    },
    /// After an iteration: how much of the soft limit the search will use, and why. Only with
    /// [`Search::trace`](crate::Search::trace) and a clock.
    Weighed {
        /// The depth of the iteration.
        depth: u32,
        /// There is but one legal move.
        single_reply: bool,
        /// Iterations in a row with the same best move.
        stability: u32,
        /// The share of all nodes spent on the best move, in thousandths.
        best_share: u16,
        /// By how much the value fell below the mean of the iterations before, in centipawns.
        fall: i32,
        /// What these make of the soft limit, in thousandths of it.
        factor: u32,
    },
    /// The search has ended with a result.
    Finished(SearchResult),
    /// The search has ended without a result because its thread has panicked.
    Failed,
}

impl SearchEvent {
    /// Whether this is the last event of its search.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed)
    }
}
