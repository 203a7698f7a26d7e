//! Bishops and knights with pawns.

use super::view::{View, distance};
use super::{Force, SCALE_DRAW};
use bartizan_types::{Bitboard, Direction, File, PieceType, Rank, Square};

/// Bishops that do not control the corner in which all their pawns have to promote, and the other king there or beside
/// it: it cannot be driven out. Or it gets there, before the pawn and before the other king; then the bishop may still shut
/// it out, which happens in one such position of 50 (Syzygy).
pub(super) fn wrong_corner(view: &View<'_>) -> Option<i32> {
    let pawns = view.strong(PieceType::Pawn);
    let foremost = pawns.last()?;
    let corner = Square::new(foremost.file(), Rank::Eighth);
    let wrong = matches!(foremost.file(), File::A | File::H)
        && pawns.is_subset_of(foremost.file().bitboard())
        && !view.strong(PieceType::Bishop).intersects(same_colour(corner));
    if !wrong {
        return None;
    }
    let (strong, weak) = (distance(view.strong_king, corner), distance(view.weak_king, corner));
    let in_time = weak - (1 - view.tempo()) < distance(foremost, corner) && weak < strong - view.tempo();
    match (weak <= 1, in_time) {
        (true, _) => Some(SCALE_DRAW),
        (false, true) => Some(4),
        (false, false) => None,
    }
}

/// Bishop and pawn against bishop or knight: drawn if the king stands in the pawn's way, on a square from which the bishop
/// cannot drive it, or anywhere before a pawn that is not yet far advanced.
pub(super) fn bishop_and_pawn(view: &View<'_>) -> Option<i32> {
    let pawn = view.strong(PieceType::Pawn).first()?;
    let king = view.weak_king;
    let in_the_way = king.file() == pawn.file() && king.rank() > pawn.rank();
    let unassailable = !view.strong(PieceType::Bishop).intersects(same_colour(king));
    (in_the_way && (unassailable || pawn.rank() <= Rank::Fifth)).then_some(SCALE_DRAW)
}

/// Knight and rook pawn: a knight that guards the pawn on its seventh rank from the front or the side cannot leave, and
/// the king in the corner or beside it can.
pub(super) fn knight_and_pawn(view: &View<'_>) -> Option<i32> {
    let pawn = view.strong(PieceType::Pawn).first()?;
    let corner = Square::new(pawn.file(), Rank::Eighth);
    let rook_pawn = matches!(pawn.file(), File::A | File::H);
    (rook_pawn && pawn.rank() == Rank::Seventh && view.weak_king.distance(corner) <= 1).then_some(SCALE_DRAW)
}

/// By the number of passed pawns: how much an advantage counts when there is nothing but the bishops.
const PURE: [i32; 4] = [12, 18, 32, 44];

/// With bishops of opposite colours the defender holds the squares of its bishop's colour. Pieces beside the bishops help
/// the attacker, for whom it is a piece more on his colour.
pub(super) fn opposite_bishops(view: &View<'_>) -> i32 {
    let (strong, weak) = view.forces();
    if strong.only_bishops()
        && let Some(scale) = wrong_corner(view)
    {
        return scale;
    }
    if strong.pieces() == Force::BISHOP && weak.pieces() == Force::BISHOP {
        match strong.count(PieceType::Pawn) {
            1 => bishop_and_pawn(view).unwrap_or(6),
            _ => PURE[(passed(view).count() as usize).min(3)],
        }
    } else {
        (38 + strong.worth() + 2 * strong.count(PieceType::Pawn) as i32).min(60)
    }
}

/// The stronger side's pawns that no pawn can stop or take any more.
fn passed(view: &View<'_>) -> Bitboard {
    let mut guarded = view.weak(PieceType::Pawn);
    // All squares before the other side's pawns: it plays down the board here.
    guarded |= guarded.shift(Direction::South);
    guarded |= Bitboard(guarded.0 >> 16);
    guarded |= Bitboard(guarded.0 >> 32);
    let ahead = guarded.shift(Direction::South);
    view.strong(PieceType::Pawn) - (ahead | ahead.shift(Direction::West) | ahead.shift(Direction::East))
}

fn same_colour(square: Square) -> Bitboard {
    if square.is_light() { Bitboard::LIGHT } else { Bitboard::DARK }
}
