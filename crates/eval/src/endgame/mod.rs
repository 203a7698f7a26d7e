//! What is known of endings with few pieces.
//!
//! Two questions, both cheap to answer with "nothing" in the middlegame, which is asked about most:
//!
//! * [`known_value`]: is this an ending whose result is known well enough to replace the evaluation? It steers as well:
//!   a won ending is worth more the closer the win is, so that the search makes progress.
//! * [`scale`]: how much of an endgame advantage is one? A pawn more counts for little when the bishops are of opposite
//!   colours, and for nothing when it is a rook pawn with the wrong bishop.
//!
//! A value is far above what evaluations usually give when the ending is won whatever happens ([`WIN`], [`PAWN_WIN`]), so
//! that the search goes for it; one that usually wins stands in between.

mod force;
mod mate;
mod minors;
mod pawnless;
mod pawns;
mod rooks;
mod versus_pawn;
mod view;

use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, PieceType, Value};
use force::Force;
use view::View;

/// A bare king against force enough to mate it. To this come the material and the progress of the mate.
const WIN: i32 = 12_000;

/// A pawn that promotes by force. Less than [`WIN`] and any piece, so that it does promote.
const PAWN_WIN: i32 = 10_000;

/// From here on (and from minus this down) an evaluation is knowledge of an ending that is won whatever happens: its
/// differences lead to the mate, and nothing should be added to it. All other evaluations stay within
/// [`ORDINARY_MAX`].
pub const KNOWN_WIN: Value = Value(PAWN_WIN);

/// The largest evaluation that is no knowledge of an ending: far enough below [`KNOWN_WIN`] for a search to tell them apart
/// when it takes something off a known win for each ply.
pub const ORDINARY_MAX: Value = Value(PAWN_WIN - 2_500);

/// The whole of an endgame advantage.
pub(crate) const SCALE_NORMAL: i32 = 64;

/// Nothing of it: a draw.
const SCALE_DRAW: i32 = 0;

/// More than this many pieces, pawns and the kings not counted, and no rule below but two general ones has a say.
const FEW_PIECES: u32 = 4;

/// What the side to move has in an ending that is known, within ±[`Value::EVAL_MAX`]; `None` for all others.
#[inline]
pub(crate) fn known_value(position: &Position) -> Option<Value> {
    let bare = |color| !position.color(color).has_many();
    // The most frequent answer first: both sides have something, and there are two pawns or more.
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
        // The largest ending below is of two knights against a pawn.
        if position.occupied().count() > 5 {
            return None;
        }
        Color::ALL.into_iter().find_map(|strong| Some((two_armies(&View::new(position, strong))?, strong)))?
    };
    let value = value.at_most(Value::EVAL_MAX).at_least(-Value::EVAL_MAX);
    Some(if position.turn() == strong { value } else { -value })
}

/// Endings in which both sides have something, from the view of the stronger one.
fn two_armies(view: &View<'_>) -> Option<Value> {
    match view.forces() {
        (Force::QUEEN, Force::ROOK) => Some(pawnless::queen_rook(view)),
        (Force::QUEEN, Force::BISHOP | Force::KNIGHT) => Some(pawnless::queen_minor(view)),
        (Force::ROOK, Force::BISHOP) => Some(pawnless::rook_bishop(view)),
        (Force::ROOK, Force::KNIGHT) => pawnless::rook_knight(view),
        (Force::QUEEN, Force::PAWN) => versus_pawn::queen(view),
        (Force::ROOK, Force::PAWN) => versus_pawn::rook(view),
        (Force::TWO_KNIGHTS, Force::PAWN) => versus_pawn::two_knights(view),
        _ => None,
    }
}

/// How much of the endgame half of an advantage of `strong` counts, in sixty-fourths.
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

/// One bishop each, on squares of different colours.
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
        (Force::BISHOP, Force::BISHOP | Force::KNIGHT) if strong.count(PieceType::Pawn) == 1 => {
            minors::bishop_and_pawn(view)
        }
        (Force::KNIGHT, Force::NONE) if strong.count(PieceType::Pawn) == 1 => minors::knight_and_pawn(view),
        (Force::ROOK, Force::ROOK) => rooks::scale(view, strong, weak),
        _ => None,
    };
    special.unwrap_or_else(|| last_pawns(strong, weak))
}

/// A side with few pawns left and hardly more pieces will often see them exchanged, and a piece given for the last one.
fn last_pawns(strong: Force, weak: Force) -> i32 {
    let can_be_given_up = weak.worth() > 0 && strong.worth() - weak.worth() <= 3;
    match strong.count(PieceType::Pawn) {
        1 if can_be_given_up => 44,
        2 if can_be_given_up => 54,
        _ => SCALE_NORMAL,
    }
}

#[cfg(test)]
mod tests;
