//! The entry of a slot and its encoding in 64 bits: move 16, value 16, evaluation 16, depth 8, bound 2, principal
//! variation 1, generation 5.

use bartizan_types::{Bound, Depth, Move, Value};

/// The number of generations, counted in five bits.
pub(super) const GENERATIONS: u8 = 32;

/// The entry of a position in the transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The best move found. It may be illegal if two positions share a key, so check it.
    pub mv: Option<Move>,
    /// The value. Mates and known wins are counted from this node: see [`Value::from_table`].
    pub value: Value,
    /// The static evaluation; `None` if the side to move was in check.
    pub eval: Option<Value>,
    /// The depth of the search in plies. Depths outside 0 to 255 are clamped.
    pub depth: Depth,
    /// How `value` relates to the true value.
    pub bound: Bound,
    /// Whether the position was on a principal variation, now or in an earlier search.
    pub is_pv: bool,
}

/// The encoding of a missing evaluation.
const NO_EVAL: i16 = i16::MIN;

/// Encodes an entry. The result is never 0.
#[inline]
pub(super) fn pack(entry: &TableEntry, generation: u8) -> u64 {
    let mv = entry.mv.map_or(0, Move::to_bits);
    let value = entry.value.0 as i16 as u16;
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval.0 as i16) as u16;
    let depth = entry.depth.0.clamp(0, 255) as u8;
    let bound: u8 = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    let flags = bound | u8::from(entry.is_pv) << 2 | generation << 3;
    u64::from(mv) | u64::from(value) << 16 | u64::from(eval) << 32 | u64::from(depth) << 48 | u64::from(flags) << 56
}

/// Decodes an entry; `None` for an empty slot.
#[inline]
pub(super) fn unpack(data: u64) -> Option<TableEntry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let eval = (data >> 32) as i16;
    Some(TableEntry {
        mv: Move::from_bits(data as u16),
        value: Value(i32::from((data >> 16) as i16)),
        eval: (eval != NO_EVAL).then_some(Value(i32::from(eval))),
        depth: Depth(depth_of(data)),
        bound,
        is_pv: data >> 58 & 1 != 0,
    })
}

/// The depth of an encoded entry.
#[inline]
pub(super) fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

/// The generation of an encoded entry.
#[inline]
pub(super) fn generation_of(data: u64) -> u8 {
    (data >> 59) as u8
}
