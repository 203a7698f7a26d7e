//! How long an engine may search.

use bartizan_types::{Color, Move};
use std::num::NonZeroU32;
use std::time::Duration;

/// The limits of a search. The first limit that is reached ends it.
///
/// The constructors set one limit; the `with_` methods add others:
///
/// ```
/// use bartizan_client::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::move_time(Duration::from_secs(5)).with_depth(30);
/// assert_eq!(limits.depth, Some(30));
/// ```
///
/// The xboard protocol cannot express all combinations: `move_time` takes the place of the clock, and `nodes` of both.
/// It has no search for a mate; `nodes` needs the engine's feature `nps`, and `search_moves` the feature `exclude`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Limits {
    /// The clocks of both sides.
    pub clock: Option<Clocks>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// Nodes that count as a second of these times, instead of real time. With xboard this needs the engine's feature
    /// `nps`; a UCI engine may have an option for it, often `nodestime`, which the caller sets.
    pub node_rate: Option<NonZeroU32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// The only moves to consider; empty means all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// No limit: the engine searches until it is told to stop.
    pub fn infinite() -> Self {
        Self::default()
    }

    /// The clocks of both sides; the engine decides how long it thinks.
    pub fn clock(clock: Clocks) -> Self {
        Self::default().with_clock(clock)
    }

    /// A fixed time.
    pub fn move_time(time: Duration) -> Self {
        Self::default().with_move_time(time)
    }

    /// A number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self::default().with_nodes(nodes)
    }

    /// A depth in plies.
    pub fn depth(depth: u32) -> Self {
        Self::default().with_depth(depth)
    }

    /// A mate in this many moves.
    pub fn mate(moves: u32) -> Self {
        Self::default().with_mate(moves)
    }

    /// Adds the clocks of both sides.
    #[must_use]
    pub fn with_clock(self, clock: Clocks) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Adds a fixed time.
    #[must_use]
    pub fn with_move_time(self, time: Duration) -> Self {
        Self { move_time: Some(time), ..self }
    }

    /// Counts times in nodes: this number of them is a second.
    #[must_use]
    pub fn with_node_rate(self, nodes_per_second: NonZeroU32) -> Self {
        Self { node_rate: Some(nodes_per_second), ..self }
    }

    /// Adds a number of nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Adds a depth in plies.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// Adds a search for a mate in this many moves.
    #[must_use]
    pub fn with_mate(self, moves: u32) -> Self {
        Self { mate: Some(moves), ..self }
    }

    /// Restricts the search to some root moves.
    #[must_use]
    pub fn with_search_moves(self, moves: impl IntoIterator<Item = Move>) -> Self {
        Self { search_moves: moves.into_iter().collect(), ..self }
    }

    /// Whether the search never ends by itself.
    pub fn is_infinite(&self) -> bool {
        let Self { clock, move_time, nodes, depth, mate, node_rate: _, search_moves: _ } = self;
        clock.is_none() && move_time.is_none() && nodes.is_none() && depth.is_none() && mate.is_none()
    }

    /// The longest that the side to move may think; `None` if no limit of real time is set.
    pub(crate) fn longest(&self, turn: Color) -> Option<Duration> {
        if self.node_rate.is_some() {
            return None;
        }
        let remaining = self.clock.map(|clock| if turn.is_white() { clock.white } else { clock.black });
        self.move_time.into_iter().chain(remaining).min()
    }
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
        assert_eq!(limits.with_node_rate(NonZeroU32::MIN).longest(Color::White), None);
    }

    #[test]
    fn search_moves_are_no_limit() {
        assert!(Limits::infinite().with_search_moves([]).is_infinite());
        assert!(!Limits::mate(2).is_infinite());
    }
}
