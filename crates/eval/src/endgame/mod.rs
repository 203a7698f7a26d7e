//! Knowledge of endings with few pieces.
//!
//! Three functions, all with a cheap exit for the middlegame:
//!
//! * [`known_value`] replaces the evaluation in endings whose result is well known. A won ending is worth more the
//!   closer the win is, so that the search makes progress.
//! * [`scale`] reduces the endgame half of an advantage that is hard to win. An extra pawn counts little with
//!   opposite-coloured bishops, and nothing when it is a rook pawn with the wrong bishop.
//! * [`drawn_lead`] reduces the whole lead of another evaluation, but only where it counts next to nothing.
//!
//! Certain wins have values far above other evaluations ([`WIN`], [`PAWN_WIN`]), so that the search prefers them to any
//! material gain. Endings that are usually won have values in between.
//!
//! Values and scales that name no source were chosen by hand, not tuned. The tests compare them with the results of
//! random endings from Syzygy tables (`testdata/endings/SOURCE.md`). `docs/lab/evaluation.md` has the matches about
//! endings.

mod few_pawns;
mod force;
mod mate;
mod minors;
mod pawnless;
mod pawns;
mod rooks;
mod versus_pawn;
mod view;

use crate::formula::FULL_SCALE;
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, PieceType, Value};
use force::SideMaterial;
use view::View;

/// Base value of a bare king against enough force to mate; material and progress are added.
const WIN: i32 = 12_000;

/// Base value of a pawn that promotes by force. Below [`WIN`], so that promoting increases the value.
const PAWN_WIN: i32 = 10_000;

/// The smallest value of a certain win.
///
/// An evaluation of this size (or of minus this size) comes from endgame knowledge. Differences between such values
/// lead to mate, so a search should add no corrections to them. All other evaluations stay within ±[`ORDINARY_MAX`].
pub const KNOWN_WIN: Value = Value(PAWN_WIN);

/// The largest evaluation that is not a certain win.
///
/// The gap to [`KNOWN_WIN`] lets a search subtract a cost for each ply from a known win and still tell the two apart.
pub const ORDINARY_MAX: Value = Value(PAWN_WIN - 2_500);

/// The scale of an advantage that counts in full.
pub(crate) const SCALE_NORMAL: i32 = FULL_SCALE;

/// The scale of a draw.
const SCALE_DRAW: i32 = 0;

/// The largest number of pieces, without pawns and kings, for which the rules of [`few_pieces_scale`] apply.
const FEW_PIECES: u32 = 4;

/// The largest scale at which [`drawn_lead`] treats a position as a draw.
const NEARLY_DRAWN: i32 = FULL_SCALE / 8;

/// The largest number of men, kings included, in an ending of [`two_armies`]: two knights against a pawn.
const TWO_ARMIES_MEN: u32 = 5;

/// The value for the side to move in a known ending, within ±[`Value::EVAL_MAX`]; `None` for all other positions.
/// Meaningless if the side to move is in check: checkmates are not recognised.
#[inline]
pub fn known_value(position: &Position) -> Option<Value> {
    let bare = |color| !position.color(color).has_many();
    // The common case first: neither king is bare, and there are two or more pawns.
    if !bare(Color::White) && !bare(Color::Black) && position.by_type(PieceType::Pawn).has_many() {
        return None;
    }
    few_pieces_value(position)
}

#[inline(never)]
fn few_pieces_value(position: &Position) -> Option<Value> {
    let (value, strong) = if !position.color(Color::Black).has_many() {
        (mate::value(&View::new(position, Color::White))?, Color::White)
    } else if !position.color(Color::White).has_many() {
        (mate::value(&View::new(position, Color::Black))?, Color::Black)
    } else {
        if position.occupied().count() > TWO_ARMIES_MEN {
            return None;
        }
        Color::ALL.into_iter().find_map(|strong| Some((two_armies(&View::new(position, strong))?, strong)))?
    };
    let value = value.clamp(-Value::EVAL_MAX, Value::EVAL_MAX);
    Some(if position.turn() == strong { value } else { -value })
}

/// The value of a known ending without a bare king, for the stronger side.
fn two_armies(view: &View<'_>) -> Option<Value> {
    match view.forces() {
        (SideMaterial::QUEEN, SideMaterial::ROOK) => Some(pawnless::queen_rook(view)),
        (SideMaterial::QUEEN, SideMaterial::BISHOP | SideMaterial::KNIGHT) => Some(pawnless::queen_minor(view)),
        (SideMaterial::ROOK, SideMaterial::BISHOP) => Some(pawnless::rook_bishop(view)),
        (SideMaterial::ROOK, SideMaterial::KNIGHT) => pawnless::rook_knight(view),
        (SideMaterial::QUEEN, SideMaterial::PAWN) => versus_pawn::queen(view),
        (SideMaterial::ROOK, SideMaterial::PAWN) => versus_pawn::rook(view),
        (SideMaterial::TWO_KNIGHTS, SideMaterial::PAWN) => versus_pawn::two_knights(view),
        _ => None,
    }
}

/// The worth of a minor piece in pawns; see [`SideMaterial::worth`].
const MINOR_PIECE: i32 = 3;

/// The share of the endgame half that counts when `strong` is ahead, in sixty-fourths.
#[inline]
pub(crate) fn scale(position: &Position, strong: Color) -> i32 {
    let pawns = position.pieces(strong, PieceType::Pawn);
    if pawns.is_empty() {
        return pawnless::scale(&View::new(position, strong));
    }
    if bishops_are_opposite(position) {
        return minors::opposite_bishops(&View::new(position, strong));
    }
    let pieces = position.occupied() - position.by_type(PieceType::Pawn) - position.by_type(PieceType::King);
    if pieces.count() > FEW_PIECES { SCALE_NORMAL } else { few_pieces_scale(&View::new(position, strong), pieces) }
}

/// Reduces the value of an evaluation without endgame knowledge, such as a network, to at most an eighth in positions
/// where the side ahead rarely wins regardless of its lead. `None` for all other positions. Both values are for the
/// side to move.
///
/// Such positions are, among others, rook pawns with the wrong bishop, a rook pawn with the defending king in front of
/// it, Philidor's defence in rook endings, and leads without pawns that cannot force mate.
#[inline]
pub fn drawn_lead(position: &Position, value: Value) -> Option<Value> {
    let pieces = position.occupied() - position.by_type(PieceType::Pawn) - position.by_type(PieceType::King);
    if pieces.count() > FEW_PIECES { None } else { few_pieces_lead(position, value) }
}

#[inline(never)]
fn few_pieces_lead(position: &Position, value: Value) -> Option<Value> {
    let scale = scale(position, if value >= Value::DRAW { position.turn() } else { !position.turn() });
    (scale <= NEARLY_DRAWN).then_some(Value(value.0 * scale / FULL_SCALE))
}

/// Whether each side has exactly one bishop, on squares of different colours.
#[inline]
fn bishops_are_opposite(position: &Position) -> bool {
    let bishops = position.by_type(PieceType::Bishop);
    let one = |bishops: Bitboard| bishops.any() && !bishops.has_many();
    one(bishops & Bitboard::LIGHT)
        && one(bishops & Bitboard::DARK)
        && one(bishops & position.color(Color::White))
        && one(bishops & position.color(Color::Black))
}

#[inline(never)]
fn few_pieces_scale(view: &View<'_>, pieces: Bitboard) -> i32 {
    if pieces.is_empty() {
        return pawns::scale(view);
    }
    let (strong, weak) = view.forces();
    let corner = if strong.only_bishops() { minors::wrong_corner(view) } else { None };
    let special = match (strong.pieces(), weak.pieces()) {
        _ if corner.is_some() => corner,
        (SideMaterial::BISHOP, SideMaterial::BISHOP | SideMaterial::KNIGHT) if strong.count(PieceType::Pawn) == 1 => {
            minors::bishop_and_pawn(view)
        }
        (SideMaterial::KNIGHT, SideMaterial::NONE) if strong.count(PieceType::Pawn) == 1 => {
            minors::knight_and_pawn(view)
        }
        (SideMaterial::ROOK, SideMaterial::ROOK) => rooks::scale(view, strong, weak),
        _ => None,
    };
    special.unwrap_or_else(|| few_pawns::scale(view, strong, weak))
}

#[cfg(test)]
mod tests;
