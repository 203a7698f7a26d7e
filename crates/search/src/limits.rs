//! The limits of a search.

use bartizan_types::Move;
use std::num::NonZeroU64;
use std::time::Duration;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clock {
    /// The time left, zero if the flag has fallen.
    pub remaining: Duration,
    /// The time added with each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the remaining time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search: the first one reached ends it. Without any, it runs to the greatest depth.
///
/// All limits and [`stop`](crate::SearchControl::stop) count from the end of the first iteration: every answer is at
/// least the best of a search of one ply, which takes some ten to some thousand nodes.
///
/// ```
/// use bartizan_search::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::depth(20).with_nodes(1_000_000).with_move_time(Duration::from_secs(5));
/// assert_eq!(limits.nodes, Some(1_000_000));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Limits {
    /// The root moves to consider; all if empty. Illegal moves among them are left out. Without a legal one the search
    /// finds no move and has the value of a finished game.
    pub search_moves: Vec<Move>,
    /// The clock from which the search plans its time.
    pub clock: Option<Clock>,
    /// The time for this move, used in full.
    pub move_time: Option<Duration>,
    /// Nodes of all threads together that count as a second of `clock` and `move_time`, instead of real time. With one
    /// thread, the search then gives the same result on every machine, however busy it is.
    pub node_rate: Option<NonZeroU64>,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The greatest number of nodes of all threads together. With one thread it is exact, unless the first iteration
    /// takes more.
    pub nodes: Option<u64>,
    /// As `nodes`, but also in the opponent's time (`ponder`): the search then waits with its result. For an engine
    /// that is to play below its strength. If it is less than some 100,000 nodes for each thread, one thread searches
    /// alone and keeps to it exactly.
    pub node_budget: Option<u64>,
    /// No deeper iteration begins after this number of nodes of all threads together, so that searches end with whole
    /// iterations.
    pub soft_nodes: Option<u64>,
    /// Search for a mate in at most this many moves, until one is found or proven not to exist. Nothing above the
    /// horizon is pruned, so the search takes long beyond about five moves.
    pub mate: Option<u32>,
    /// Give no result before [`stop`](crate::SearchControl::stop), whatever the other limits.
    pub infinite: bool,
    /// Give no result and start no clock before [`ponder_hit`](crate::SearchControl::ponder_hit) or
    /// [`stop`](crate::SearchControl::stop).
    pub ponder: bool,
}

impl Limits {
    /// Limits the depth, in plies.
    pub fn depth(plies: u32) -> Self {
        Self::default().with_depth(plies)
    }

    /// Limits the number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self::default().with_nodes(nodes)
    }

    /// Sets the time for this move.
    pub fn move_time(time: Duration) -> Self {
        Self::default().with_move_time(time)
    }

    /// Plans the time for this move by a clock.
    pub fn clock(clock: Clock) -> Self {
        Self::default().with_clock(clock)
    }

    /// Searches for a mate in at most this many moves.
    pub fn mate(moves: u32) -> Self {
        Self::default().with_mate(moves)
    }

    /// Searches until stopped.
    pub fn infinite() -> Self {
        Self { infinite: true, ..Self::default() }
    }

    /// Limits the depth as well, in plies.
    #[must_use]
    pub fn with_depth(self, plies: u32) -> Self {
        Self { depth: Some(plies), ..self }
    }

    /// Limits the number of nodes as well.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Begins no deeper iteration after this number of nodes.
    #[must_use]
    pub fn with_soft_nodes(self, nodes: u64) -> Self {
        Self { soft_nodes: Some(nodes), ..self }
    }

    /// Limits the time for this move as well.
    #[must_use]
    pub fn with_move_time(self, time: Duration) -> Self {
        Self { move_time: Some(time), ..self }
    }

    /// Plans the time for this move by a clock as well.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Counts times in nodes: this number of them is a second.
    #[must_use]
    pub fn with_node_rate(self, nodes_per_second: NonZeroU64) -> Self {
        Self { node_rate: Some(nodes_per_second), ..self }
    }

    /// Searches for a mate in at most this many moves, within the other limits.
    #[must_use]
    pub fn with_mate(self, moves: u32) -> Self {
        Self { mate: Some(moves), ..self }
    }

    /// Considers only these root moves; all if there are none.
    #[must_use]
    pub fn with_search_moves(self, moves: impl IntoIterator<Item = Move>) -> Self {
        Self { search_moves: moves.into_iter().collect(), ..self }
    }

    /// Ponders: the limits apply after [`ponder_hit`](crate::SearchControl::ponder_hit).
    #[must_use]
    pub fn pondering(self) -> Self {
        Self { ponder: true, ..self }
    }

    /// Whether time, nodes, a depth or the length of a mate limits the search.
    pub fn has_limit(&self) -> bool {
        let has_time = self.clock.is_some() || self.move_time.is_some();
        let has_nodes = self.nodes.or(self.node_budget).or(self.soft_nodes).is_some();
        let has_depth = self.depth.or(self.mate).is_some();
        has_time || has_nodes || has_depth
    }

    /// Whether nothing but [`stop`](crate::SearchControl::stop) or [`ponder_hit`](crate::SearchControl::ponder_hit)
    /// ends the search in reasonable time: it is infinite, ponders, or has no limit.
    ///
    /// ```
    /// use bartizan_search::Limits;
    ///
    /// assert!(Limits::default().is_endless() && Limits::depth(9).pondering().is_endless());
    /// assert!(!Limits::nodes(1_000).is_endless());
    /// ```
    pub fn is_endless(&self) -> bool {
        self.infinite || self.ponder || !self.has_limit()
    }
}
