//! When a value ends the search of a node, and what is then returned.

use crate::fifty_moves::{is_near_fifty_moves, is_outrun};
use crate::known;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::worker::Worker;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, Ply, Value};

impl<E> Worker<'_, E> {
    /// The value to return instead of a value that may be above beta.
    #[inline]
    pub(crate) fn soften(&self, value: Value, beta: Value, depth: Depth) -> Value {
        if self.steps.has(Step::SoftFailHigh) { softened(value, beta, depth) } else { value }
    }
}

/// The value of a table entry that ends the search of a node: deep enough, with a bound outside the window, and not too
/// close to the 50-move rule.
#[inline]
pub(crate) fn table_cutoff(
    position: &Position,
    entry: &TableEntry,
    alpha: Value,
    beta: Value,
    depth: Depth,
    ply: Ply,
) -> Option<Value> {
    let value = known::from_table(entry.value, ply);
    (entry.depth >= depth && is_cutoff(value, entry.bound, alpha, beta) && !is_exempt(position, value, ply))
        .then_some(value)
}

/// Whether the 50-move rule is so close that a value found with another halfmove clock may be wrong here.
#[inline]
pub(crate) fn is_exempt(position: &Position, value: Value, ply: Ply) -> bool {
    is_near_fifty_moves(position) || is_outrun(value, ply, position.halfmove_clock())
}

/// Moves a value above beta towards beta, further in shallower searches (Stockfish): the opponent will avoid the node,
/// so the value has not been verified. Other values and mates are unchanged.
#[inline]
fn softened(value: Value, beta: Value, depth: Depth) -> Value {
    if value <= beta || value.is_decisive() || beta.is_decisive() {
        return value;
    }
    let weight = depth.0.max(1);
    Value((value.0 * weight + beta.0) / (weight + 1)).max(beta)
}

/// Whether a value with this bound ends a node with this window.
#[inline]
pub(crate) fn is_cutoff(value: Value, bound: Bound, alpha: Value, beta: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_above_beta_are_moved_towards_it() {
        let softened = |value: i32, beta: i32, depth: i32| softened(Value(value), Value(beta), Depth(depth)).0;
        assert_eq!([softened(100, 100, 5), softened(99, 100, 5), softened(-300, -200, 5)], [100, 99, -300]);
        assert_eq!([softened(300, 100, 0), softened(300, 100, 1), softened(300, 100, 9)], [200, 200, 280]);
        // Never below beta, even where the division rounds towards zero.
        for value in -300..300 {
            for beta in -300..=value {
                for depth in [0, 3, 20] {
                    assert!((beta..=value).contains(&softened(value, beta, depth)), "{value} {beta} {depth}");
                }
            }
        }
        let mate = Value::mate_in(Ply(3)).0;
        assert_eq!([softened(mate, 100, 1), softened(200, -mate, 1)], [mate, 200]);
    }
}
