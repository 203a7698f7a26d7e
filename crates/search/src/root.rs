//! The moves at the root and what is known of each.

use bartizan_types::{Bound, Move, Value};

/// A root move.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// In this iteration; −infinite for moves that have not raised alpha.
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) seldepth: u32,
    /// Spent on it in this search.
    pub(crate) nodes: u64,
    /// The line, the move itself first.
    pub(crate) pv: Vec<Move>,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> Self {
        Self { mv, value: -Value::INFINITE, bound: Bound::Exact, seldepth: 0, nodes: 0, pv: vec![mv] }
    }
}

/// Brings the best moves to the front; moves of the same value keep their order.
pub(crate) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse(root.value));
}
