//! The limits of a search.

use crate::{Color, Move};
use alloc::vec::Vec;
use core::num::NonZeroU64;
use core::time::Duration;

/// The limits of a search. The first one that is reached ends it.
///
/// The constructors set one limit; the `with_` methods add others:
///
/// ```
/// use bartizan_types::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::depth(20).with_nodes(1_000_000).with_move_time(Duration::from_secs(5));
/// assert_eq!(limits.nodes, Some(1_000_000));
/// ```
///
/// Bartizan's search checks limits and stops only after the first iteration, so every result comes from at least a
/// one-ply search, which takes tens to thousands of nodes.
///
/// The UCI protocol expresses all except `node_rate`, which is an option of some engines, and `node_budget` and
/// `soft_nodes`, which only Bartizan's search supports. The xboard protocol cannot express all combinations:
/// `move_time` replaces the clock, and `nodes` replaces both. It has no search for a mate; `nodes` and `node_rate` need
/// the engine's feature `nps`, and `search_moves` the feature `exclude`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Limits {
    /// The root moves to consider; all if empty. Illegal moves are ignored. If no legal move is among them, the search
    /// finds no move and returns the value of a finished game.
    pub search_moves: Vec<Move>,
    /// The clocks, from which the engine plans its time.
    pub clock: Option<Clocks>,
    /// The time for this move, used in full.
    pub move_time: Option<Duration>,
    /// Measures `clock` and `move_time` in nodes instead of real time: this number of nodes, of all threads together,
    /// is a second. With one thread, the search then gives the same result on every machine under any load.
    pub node_rate: Option<NonZeroU64>,
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes of all threads together. With one thread it is exact, unless the first iteration
    /// takes more.
    pub nodes: Option<u64>,
    /// Like `nodes`, but also while pondering: the search then stops and withholds its result. For an engine that
    /// should play below its strength. Below about 100,000 nodes for each thread, a single thread searches, and the
    /// limit is exact.
    pub node_budget: Option<u64>,
    /// No deeper iteration starts after this number of nodes of all threads together, so that searches end with
    /// complete iterations.
    pub soft_nodes: Option<u64>,
    /// Search for a mate in at most this many moves, until one is found or proven not to exist. Nothing above the
    /// horizon is pruned, so mates in more than about five moves take long.
    pub mate: Option<u32>,
    /// Return no result before a stop, regardless of the other limits.
    pub infinite: bool,
    /// Search in the opponent's time: return no result and start no clock before a ponder hit or a stop.
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

    /// Plans the time for this move by the clocks.
    pub fn clock(clock: impl Into<Clocks>) -> Self {
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

    /// Starts no deeper iteration after this number of nodes.
    #[must_use]
    pub fn with_soft_nodes(self, nodes: u64) -> Self {
        Self { soft_nodes: Some(nodes), ..self }
    }

    /// Limits the time for this move as well.
    #[must_use]
    pub fn with_move_time(self, time: Duration) -> Self {
        Self { move_time: Some(time), ..self }
    }

    /// Plans the time for this move by the clocks as well.
    #[must_use]
    pub fn with_clock(self, clock: impl Into<Clocks>) -> Self {
        Self { clock: Some(clock.into()), ..self }
    }

    /// Measures time in nodes: this number of them is a second.
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

    /// Ponders: the limits apply after the ponder hit.
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

    /// Whether only a stop or a ponder hit ends the search in reasonable time: it is infinite, ponders, or has no
    /// limit.
    ///
    /// ```
    /// use bartizan_types::Limits;
    ///
    /// assert!(Limits::default().is_endless() && Limits::depth(9).pondering().is_endless());
    /// assert!(!Limits::nodes(1_000).is_endless());
    /// ```
    pub fn is_endless(&self) -> bool {
        self.infinite || self.ponder || !self.has_limit()
    }

    /// The longest time that the side to move may think; `None` without a limit in real time.
    pub fn longest(&self, turn: Color) -> Option<Duration> {
        if self.node_rate.is_some() {
            return None;
        }
        let remaining = self.clock.map(|clocks| clocks.of(turn).remaining);
        self.move_time.into_iter().chain(remaining).min()
    }
}

/// The clock of one side.
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

/// The clocks of both sides when a search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Clocks {
    /// White's remaining time.
    pub white: Duration,
    /// Black's remaining time.
    pub black: Duration,
    /// White's increment per move.
    pub winc: Duration,
    /// Black's increment per move.
    pub binc: Duration,
    /// Moves to the next time control; `None` if the remaining time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// The same time and increment for both sides.
    pub fn both(time: Duration, increment: Duration) -> Self {
        Self { white: time, black: time, winc: increment, binc: increment, moves_to_go: None }
    }

    /// The clock of one side.
    pub fn of(&self, color: Color) -> Clock {
        let (remaining, increment) = if color.is_white() { (self.white, self.winc) } else { (self.black, self.binc) };
        Clock { remaining, increment, moves_to_go: self.moves_to_go }
    }
}

/// The same clock for both sides, for an engine that knows only its own.
impl From<Clock> for Clocks {
    fn from(clock: Clock) -> Self {
        Self { moves_to_go: clock.moves_to_go, ..Self::both(clock.remaining, clock.increment) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_time_bounds_the_search() {
        let seconds = Duration::from_secs;
        let clocks = Clocks { black: seconds(3), ..Clocks::both(seconds(9), Duration::ZERO) };
        let limits = Limits::clock(clocks).with_move_time(seconds(5));
        assert_eq!([Color::White, Color::Black].map(|turn| limits.longest(turn)), [Some(seconds(5)), Some(seconds(3))]);
        assert_eq!(Limits::depth(3).longest(Color::White), None);
        assert_eq!(limits.with_node_rate(NonZeroU64::MIN).longest(Color::White), None);
    }

    #[test]
    fn search_moves_are_no_limit() {
        assert!(!Limits::default().with_search_moves([]).has_limit());
        assert!(Limits::mate(2).has_limit());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn limits_are_read_as_client_and_search_have_written_them() {
        let of_client = r#"{"clock":{"white":{"secs":9,"nanos":0},"black":{"secs":3,"nanos":0},
            "winc":{"secs":0,"nanos":0},"binc":{"secs":0,"nanos":0},"moves_to_go":40},"move_time":null,
            "node_rate":null,"nodes":5,"depth":null,"mate":null,"search_moves":["e2e4"]}"#;
        let limits: Limits = serde_json::from_str(of_client).unwrap();
        let clock = Clock { remaining: Duration::from_secs(3), moves_to_go: Some(40), ..Clock::default() };
        assert_eq!(limits.clock.unwrap().of(Color::Black), clock);
        assert_eq!((limits.nodes, limits.search_moves.len()), (Some(5), 1));
        let of_search = r#"{"search_moves":[],"clock":null,"move_time":null,"node_rate":null,"depth":7,"nodes":null,
            "node_budget":null,"soft_nodes":9,"mate":null,"infinite":false,"ponder":true}"#;
        let limits: Limits = serde_json::from_str(of_search).unwrap();
        assert_eq!(limits, Limits::depth(7).with_soft_nodes(9).pondering());
    }
}
