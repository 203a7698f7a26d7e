//! Endings with bishops or knights and pawns.

use super::view::{View, distance};
use super::{SCALE_DRAW, SideMaterial};
use crate::side::{Black, Side as _};
use crate::spans::{beside, fill_ahead};
use bartizan_types::{Bitboard, File, PieceType, Rank, Square};

/// Scale with the wrong bishop when the defender reaches the corner in time. The bishop can still shut its king out,
/// which happens in one such position of 50 (Syzygy).
const CORNER_IN_REACH: i32 = 4;

/// The wrong bishop: all pawns promote in one corner, and no bishop controls that corner.
///
/// The defending king draws when it stands in the corner or beside it, because it cannot be driven out. It very likely
/// draws when it gets there before the pawn and the other king.
pub(super) fn wrong_corner(view: &View<'_>) -> Option<i32> {
    let pawns = view.strong(PieceType::Pawn);
    let foremost = pawns.last()?;
    let corner = Square::new(foremost.file(), Rank::Eighth);
    let wrong = matches!(foremost.file(), File::A | File::H)
        && pawns.is_subset_of(foremost.file().bitboard())
        && !view.strong(PieceType::Bishop).intersects(corner.shade());
    if !wrong {
        return None;
    }
    let (strong, weak) = (distance(view.strong_king, corner), distance(view.weak_king, corner));
    let in_time = weak - (1 - view.tempo()) < distance(foremost, corner) && weak < strong - view.tempo();
    match (weak <= 1, in_time) {
        (true, _) => Some(SCALE_DRAW),
        (false, true) => Some(CORNER_IN_REACH),
        (false, false) => None,
    }
}

/// Bishop and pawn against bishop or knight. Drawn when the defending king is ahead of the pawn on its file, and either
/// on a square that the bishop cannot attack or against a pawn on rank 5 or below.
pub(super) fn bishop_and_pawn(view: &View<'_>) -> Option<i32> {
    let pawn = view.strong(PieceType::Pawn).first()?;
    let king = view.weak_king;
    let in_the_way = king.file() == pawn.file() && king.rank() > pawn.rank();
    let unassailable = !view.strong(PieceType::Bishop).intersects(king.shade());
    (in_the_way && (unassailable || pawn.rank() <= Rank::Fifth)).then_some(SCALE_DRAW)
}

/// Knight and rook pawn on the seventh rank, with the defending king in the corner or beside it. Drawn: the knight must
/// stay to guard the pawn, and the defending king can move back and forth.
pub(super) fn knight_and_pawn(view: &View<'_>) -> Option<i32> {
    let pawn = view.strong(PieceType::Pawn).first()?;
    let corner = Square::new(pawn.file(), Rank::Eighth);
    let rook_pawn = matches!(pawn.file(), File::A | File::H);
    (rook_pawn && pawn.rank() == Rank::Seventh && view.weak_king.distance(corner) <= 1).then_some(SCALE_DRAW)
}

/// Scale of opposite-coloured bishops without other pieces, by the number of passed pawns.
const PURE: [i32; 4] = [12, 18, 32, 44];

/// Scale of opposite-coloured bishops with a single pawn that is not blockaded.
const PURE_ONE_PAWN: i32 = 6;

/// Opposite-coloured bishops: the defender blockades on the squares of its bishop's colour.
///
/// Further pieces favour the attacker, who in effect has an extra piece on squares of the other colour.
pub(super) fn opposite_bishops(view: &View<'_>) -> i32 {
    let (strong, weak) = view.forces();
    if strong.only_bishops()
        && let Some(scale) = wrong_corner(view)
    {
        return scale;
    }
    if strong.pieces() == SideMaterial::BISHOP && weak.pieces() == SideMaterial::BISHOP {
        match strong.count(PieceType::Pawn) {
            1 => bishop_and_pawn(view).unwrap_or(PURE_ONE_PAWN),
            _ => PURE[(passed(view).count() as usize).min(3)],
        }
    } else {
        (38 + strong.points() + 2 * strong.count(PieceType::Pawn) as i32).min(60)
    }
}

/// The stronger side's passed pawns.
fn passed(view: &View<'_>) -> Bitboard {
    // The other side's pawns move down the board in a view.
    let ahead = fill_ahead::<Black>(view.weak(PieceType::Pawn)).shift(Black::UP);
    view.strong(PieceType::Pawn) - (ahead | beside(ahead))
}
