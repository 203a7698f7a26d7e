//! The events of a search, as data.

use bartizan_types::{Bound, Move, Value};
use std::time::Duration;

/// A principal variation with its value and the search's statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SearchInfo {
    /// The depth of the iteration in which the line was found, in plies. With several lines, the first ones may be from
    /// a deeper, incomplete iteration.
    pub depth: u32,
    /// The greatest ply reached on a principal variation.
    pub seldepth: u32,
    /// The rank of this line among the best lines, from 1.
    pub multipv: u32,
    /// The value for the side to move.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Whether the value comes from the endgame tables. A draw, or a win or loss that the 50-move rule turns into a
    /// draw, is then certain.
    pub is_proven: bool,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Tablebase hits of all threads.
    pub tablebase_hits: u64,
    /// The share of the hash table filled by this search, in thousandths.
    pub hashfull: u16,
    /// The time since the search started.
    pub time: Duration,
    /// The principal variation from the root.
    pub pv: Vec<Move>,
}

impl SearchInfo {
    /// An exact value and its line at a depth in plies, with all statistics zero.
    pub fn new(depth: u32, value: Value, pv: Vec<Move>) -> Self {
        Self {
            depth,
            seldepth: depth,
            multipv: 1,
            value,
            bound: Bound::Exact,
            is_proven: false,
            nodes: 0,
            tablebase_hits: 0,
            hashfull: 0,
            time: Duration::ZERO,
            pv,
        }
    }

    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1)) as u64
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SearchResult {
    /// The best move; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The value of the position for the side to move.
    pub value: Value,
    /// Whether the value is exact. It is a lower bound if the search was stopped while re-searching a new best move
    /// that had failed high.
    pub bound: Bound,
    /// The last completed depth, in plies.
    pub depth: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// The duration of the search.
    pub time: Duration,
}

impl SearchResult {
    /// The value, unless it is only a bound.
    pub fn exact_value(&self) -> Option<Value> {
        (self.bound == Bound::Exact).then_some(self.value)
    }
}

/// An event of a running search. The last one is either `Finished` or `Failed`, and comes exactly once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SearchEvent {
    /// A principal variation. The last one before `Finished` with `multipv` 1 is that of the result: it starts with the
    /// best move, and is exact or a lower bound. Several lines always come as a whole set, which is repeated at the end
    /// only if the search went on after it: then the statistics are those of the whole search.
    Info(SearchInfo),
    /// The root move now being searched. Reported only after the first second.
    CurrentMove {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in the order of search, from 1.
        number: u32,
    },
    /// The time plan for this move, if there is a clock or a fixed time. Reported only with
    /// [`Search::trace`](crate::Search::trace).
    Planned {
        /// No iteration starts after this time, multiplied by the factor of [`SearchEvent::Weighed`].
        soft: Option<Duration>,
        /// The search stops after this time in any case.
        hard: Option<Duration>,
    },
    /// The share of the soft limit that the search intends to use, computed after an iteration. Reported only with
    /// [`Search::trace`](crate::Search::trace) and a clock.
    Weighed {
        /// The depth of the iteration.
        depth: u32,
        /// Whether there is only one legal move.
        single_reply: bool,
        /// Whether several iterations have found the move easy: far better than all others, or a forced recapture.
        easy: bool,
        /// Consecutive iterations with the same best move.
        stability: u32,
        /// The share of all nodes spent on the best move, in thousandths.
        best_share: u16,
        /// How far the value has fallen below the mean of the previous iterations, in centipawns.
        fall: i32,
        /// The resulting factor for the soft limit, in thousandths.
        factor: u32,
    },
    /// The counts of the main thread, just before the end.
    #[cfg(feature = "statistics")]
    Counted(Box<crate::Statistics>),
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
