//! The nodes of the main search: their kinds, inputs and results.

use crate::history::{PieceTo, QuietContext};
use crate::table::TableEntry;
use arrayvec::ArrayVec;
use bartizan_types::{Bound, Depth, Move, Ply, Value};

/// The kind of a node by its window, known at compile time.
pub(crate) trait NodeType {
    /// Whether the node is on the principal variation: the window is open and the value exact.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool;
}

/// The root of the search.
pub(crate) struct Root;

/// A node on the principal variation below the root.
pub(crate) struct Pv;

/// A node off the principal variation: the window is a null window, and the value is a bound.
pub(crate) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node off the principal variation is expected to be (Donald Knuth and Ronald Moore 1975). Nodes on the
/// principal variation count as all-nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// All moves will fail low.
    All,
    /// A move will fail high.
    Cut,
}

impl Expected {
    /// The expectation for a child that is searched with a null window.
    #[inline]
    pub(crate) fn child(self) -> Self {
        match self {
            Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }

    #[inline]
    pub(crate) fn is_cut(self) -> bool {
        self == Self::Cut
    }
}

/// What a node knows before its first move.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: Depth,
    pub(crate) ply: Ply,
    /// The corrected static evaluation; `None` in check.
    pub(crate) static_eval: Option<Value>,
    /// The static evaluation, or the table value if its bound is tighter; `None` in check.
    pub(crate) eval: Option<Value>,
    /// Whether the static evaluation has risen since our previous move.
    pub(crate) improving: bool,
    /// Whether a fail high or a fail low is expected.
    pub(crate) expected: Expected,
    /// Whether the node is on the principal variation, or once was.
    pub(crate) table_pv: bool,
    pub(crate) table_move_is_tactical: bool,
    pub(crate) entry: Option<TableEntry>,
    /// The move that is excluded while its alternatives are searched for a singular extension.
    pub(crate) excluded: Option<Move>,
    pub(crate) context: QuietContext,
}

impl Node {
    pub(crate) fn table_move(&self) -> Option<Move> {
        self.entry.and_then(|entry| entry.mv)
    }
}

/// A move about to be searched.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// The moving piece and its target.
    pub(crate) this: PieceTo,
    /// The number of the move in the order of search, from 1.
    pub(crate) number: usize,
    pub(crate) is_quiet: bool,
    pub(crate) gives_check: bool,
    /// The sum of the histories of the move.
    pub(crate) history: i32,
}

/// Moves that were searched and did not raise alpha. Moves beyond capacity are too late in the ordering to penalise.
pub(crate) type SearchedMoves = ArrayVec<Move, 32>;

/// The result of the moves of a node.
pub(crate) struct NodeResult {
    pub(crate) value: Value,
    pub(crate) mv: Option<Move>,
    pub(crate) bound: Bound,
    /// Quiet moves that were searched and did not raise alpha.
    pub(crate) quiets: SearchedMoves,
    /// Captures and promotions that were searched and did not raise alpha.
    pub(crate) captures: SearchedMoves,
    /// The depth to which the moves were searched; if it changed, that of the last ones.
    pub(crate) depth: Depth,
}

impl NodeResult {
    pub(crate) const fn new(depth: Depth) -> Self {
        Self {
            value: Value(-Value::INFINITE.0),
            mv: None,
            bound: Bound::Upper,
            depth,
            quiets: SearchedMoves::new_const(),
            captures: SearchedMoves::new_const(),
        }
    }

    /// Caps the value at the upper bound of the endgame tables, and sets its bound accordingly.
    #[inline]
    pub(crate) fn limit(&mut self, ceiling: Value, alpha: Value, beta: Value) {
        if self.value > ceiling {
            self.value = ceiling;
            self.bound = Bound::of(ceiling, alpha, beta);
        }
    }

    /// Records a move that was searched and is not the best.
    #[inline]
    pub(crate) fn add_searched(&mut self, candidate: &Candidate) {
        let tried = if candidate.is_quiet { &mut self.quiets } else { &mut self.captures };
        let _ = tried.try_push(candidate.mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_the_tables_lower_has_the_bound_of_the_lower_value() {
        let limited = |value: i32, ceiling: i32| {
            let (alpha, beta) = (Value(-100), Value(100));
            let mut outcome = NodeResult { value: Value(value), ..NodeResult::new(Depth(1)) };
            outcome.bound = Bound::of(outcome.value, alpha, beta);
            outcome.limit(Value(ceiling), alpha, beta);
            (outcome.value, outcome.bound)
        };
        assert_eq!(limited(150, 200), (Value(150), Bound::Lower));
        assert_eq!(limited(150, 120), (Value(120), Bound::Lower));
        // The search proves at least this value, and the tables at most this value.
        assert_eq!(limited(150, 50), (Value(50), Bound::Exact));
        assert_eq!(limited(-150, 50), (Value(-150), Bound::Upper));
    }
}
