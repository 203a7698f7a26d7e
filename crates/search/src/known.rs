//! Endings whose result the evaluation knows, and the way to the end of them.
//!
//! Such a win is worth the same wherever in the tree it is found, and a search that can have it later will not take it
//! now: with bishop and knight, 100,000 nodes a move saw the way to the other corner 30 plies long, move after move,
//! and walked to and fro at its beginning until the 50 moves were over. So a known win loses [`PER_PLY`] for each ply from
//! the root, as a mate does. Against the longest resistance that mate took 52.7 plies then, where 49.5 are the least,
//! and all of 40 games were won; without it 18 of 24, in 70.7 plies.

use bartizan_eval::{KNOWN_WIN, ORDINARY_MAX};
use bartizan_types::{Ply, Value};

/// What a ply is worth on the way, in internal centipawns: of 2, 4, 6 and 8 the last won most, and
/// fastest, in 24 to 40 games each with bishop and knight. It is what
/// the evaluation gives for a ply with bishop and knight, and less than half of what it gives for a king's step.
const PER_PLY: i32 = 8;

// Wherever in the tree, what is known and what is not stay apart.
const _: () = assert!(ORDINARY_MAX.0 + PER_PLY * Ply::MAX.0 < KNOWN_WIN.0 - PER_PLY * Ply::MAX.0);

/// Whether an evaluation is knowledge of an ending.
#[inline]
pub(crate) fn is_known(eval: Value) -> bool {
    eval.0.abs() >= KNOWN_WIN.0
}

/// What is known of a node, as it counts at the root.
#[inline]
pub(crate) fn at_ply(eval: Value, ply: Ply) -> Value {
    if is_known(eval) { Value(eval.0 - eval.0.signum() * PER_PLY * ply.0) } else { eval }
}

/// A value as kept in the table: proven results and known ones count from the node, not from the root.
#[inline]
pub(crate) fn to_table(value: Value, ply: Ply) -> Value {
    if value.is_decisive() {
        return value.to_table(ply);
    }
    let from_node = Value(value.0 + value.0.signum() * PER_PLY * ply.0);
    if is_known(from_node) { from_node.at_most(Value::EVAL_MAX).at_least(-Value::EVAL_MAX) } else { value }
}

/// The inverse of [`to_table`].
#[inline]
pub(crate) fn from_table(value: Value, ply: Ply) -> Value {
    if value.is_decisive() { value.from_table(ply) } else { at_ply(value, ply) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_table_gives_back_what_it_got(value in -32_000..=32_000, ply in 0..=Ply::MAX.0) {
            let (value, ply) = (Value(value), Ply(ply));
            let back = from_table(to_table(value, ply), ply);
            // At the end of the range a value may be cut off: no evaluation is near to it.
            let is_cut = !value.is_decisive() && value.0.abs() + PER_PLY * ply.0 > Value::EVAL_MAX.0;
            let mate_cut = value.is_decisive() && value.0.abs() + ply.0 > Value::MATE.0;
            prop_assert!(back == value || is_cut || mate_cut);
            prop_assert_eq!(to_table(-value, ply), -to_table(value, ply));
            if !value.is_decisive() {
                prop_assert!(!to_table(value, ply).is_decisive());
            }
        }

        #[test]
        fn a_known_win_is_worth_more_the_nearer_it_is(eval in KNOWN_WIN.0..20_000, ply in 0..Ply::MAX.0) {
            let near = at_ply(Value(eval), Ply(ply));
            prop_assert!(at_ply(Value(eval), Ply(ply + 1)) < near && near.0 > 0);
            prop_assert_eq!(at_ply(-Value(eval), Ply(ply)), -near);
        }
    }

    #[test]
    fn what_is_not_known_is_the_same_everywhere() {
        for value in [0, 1, -300, 1_999, -1_999, ORDINARY_MAX.0, -ORDINARY_MAX.0] {
            assert_eq!(at_ply(Value(value), Ply(100)), Value(value));
            // Found at one ply, met again at another.
            assert_eq!(from_table(to_table(Value(value), Ply::MAX), Ply(4)), Value(value));
        }
    }
}
