//! The root moves with their values and lines.

use bartizan_types::{Bound, Move, Value};

/// A root move.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The value in this iteration; −infinite for a move that has not raised alpha.
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) seldepth: u32,
    /// The nodes spent on the move in this search.
    pub(crate) nodes: u64,
    /// The principal variation, which starts with the move.
    pub(crate) pv: Vec<Move>,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> Self {
        Self { mv, value: -Value::INFINITE, bound: Bound::Exact, seldepth: 0, nodes: 0, pv: vec![mv] }
    }
}

/// Sorts the moves by value, the best first. Moves of equal value keep their order.
pub(crate) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse(root.value));
}
