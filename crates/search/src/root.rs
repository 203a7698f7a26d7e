//! The root moves with their values and lines.

use crate::root_tables::RankedMove;
use bartizan_types::{Bound, Depth, Move, Value};

/// A root move.
#[derive(Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The rank by the endgame tables; 0 without them.
    pub(crate) rank: i32,
    /// The value by the endgame tables; `None` without them.
    pub(crate) table_value: Option<Value>,
    /// The value in this iteration; −infinite for a move that has not raised alpha.
    pub(crate) value: Value,
    /// The depth of the iteration that gave the line and value; 0 if there was none.
    pub(crate) depth: Depth,
    pub(crate) bound: Bound,
    pub(crate) seldepth: u32,
    /// The nodes spent on the move in this search.
    pub(crate) nodes: u64,
    /// The principal variation, which starts with the move.
    pub(crate) pv: Vec<Move>,
}

impl Clone for RootMove {
    fn clone(&self) -> Self {
        Self { pv: self.pv.clone(), ..*self }
    }

    /// Reuses the memory of the line: each iteration copies all root moves, and a short search has many iterations.
    fn clone_from(&mut self, source: &Self) {
        let mut pv = std::mem::take(&mut self.pv);
        pv.clone_from(&source.pv);
        *self = Self { pv, ..*source };
    }
}

impl RootMove {
    pub(crate) fn new(ranked: RankedMove) -> Self {
        let RankedMove { mv, rank, value: table_value } = ranked;
        Self {
            mv,
            rank,
            table_value,
            value: -Value::INFINITE,
            depth: Depth::ZERO,
            bound: Bound::Exact,
            seldepth: 0,
            nodes: 0,
            pv: vec![mv],
        }
    }

    /// The value and bound to report. The tables take precedence over the search, unless it has found a mate.
    pub(crate) fn reported(&self) -> (Value, Bound) {
        match self.table_value {
            Some(value) if !self.value.is_mate() => (value, Bound::Exact),
            _ => (self.value, self.bound),
        }
    }
}

/// The moves that an iteration has searched so far, followed by the others as the previous iteration left them.
pub(crate) fn followed_by(newer: &[RootMove], older: &[RootMove]) -> Vec<RootMove> {
    let others = older.iter().filter(|old| newer.iter().all(|new| new.mv != old.mv));
    newer.iter().chain(others).cloned().collect()
}

/// Sorts the moves by rank and value, the best first. Equal moves keep their order.
pub(crate) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| std::cmp::Reverse((root.rank, root.value)));
}
