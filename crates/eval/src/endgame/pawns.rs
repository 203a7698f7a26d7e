//! Endings decided by kings and pawns.

use super::view::{View, distance};
use super::{SCALE_DRAW, SCALE_NORMAL, SideMaterial};
use crate::kpk;
use bartizan_types::{Bitboard, Color, File, PieceType, Rank, Square};

/// The progress of a pawn that promotes by force against a bare king, in centipawns; `None` if no pawn is known to.
///
/// Assumes that a pawn that wins in king and pawn against king also wins with more pawns or with minor pieces that
/// cannot mate. Against Syzygy tables that holds in all of 2,509 random positions with a second pawn, in all but 2 of
/// 2,064 with a bishop, and in all but 6 of 2,053 with a knight.
pub(super) fn progress(view: &View<'_>, force: SideMaterial) -> Option<i32> {
    let pawns = view.strong(PieceType::Pawn);
    let best = pawns.into_iter().filter(|&pawn| wins_alone(view, pawn)).map(|pawn| advance(view, pawn)).max()?;
    Some(best + 100 * (force.points() + pawns.count() as i32 - 1))
}

/// The progress of one pawn, up to about 500 centipawns: its rank, and the distance of its king to the square ahead.
fn advance(view: &View<'_>, pawn: Square) -> i32 {
    let target = pawn.offset(0, 1).unwrap_or(pawn);
    80 * pawn.rank().index() as i32 + 4 * (7 - distance(view.strong_king, target))
}

/// Whether the pawn would win in king and pawn against king.
fn wins_alone(view: &View<'_>, pawn: Square) -> bool {
    // The view mirrors the board so that the strong side is white.
    let turn = if view.strong_to_move { Color::White } else { Color::Black };
    kpk::is_win(Color::White, view.strong_king, pawn, view.weak_king, turn)
}

/// The scale of a pawn ending: zero in those that are drawn despite extra pawns.
pub(super) fn scale(view: &View<'_>) -> i32 {
    let (strong, weak) = view.forces();
    let pawns = view.strong(PieceType::Pawn);
    let drawn = match (strong, weak) {
        (_, SideMaterial::NONE) => rook_file_blockade(view, pawns),
        (SideMaterial::PAWN, SideMaterial::PAWN) => {
            pawns.first().is_some_and(|pawn| one_pawn_each_is_drawn(view, pawn))
        }
        _ => false,
    };
    if drawn { SCALE_DRAW } else { SCALE_NORMAL }
}

/// All pawns on one rook file, and the bare king in the promotion corner or beside it: it cannot be driven out.
fn rook_file_blockade(view: &View<'_>, pawns: Bitboard) -> bool {
    [File::A, File::H].into_iter().any(|file| {
        pawns.is_subset_of(file.bitboard()) && view.weak_king.distance(Square::new(file, Rank::Eighth)) <= 1
    })
}

/// One pawn each: drawn when the stronger side's pawn would not win even if the other pawn were missing.
///
/// Two cases are excluded. Beside a far advanced pawn, the other pawn can remove the defender's stalemate; and the king
/// can win a pawn that blocks its own. Of 1,000 quiet positions claimed as draws, 3 are not (Syzygy).
fn one_pawn_each_is_drawn(view: &View<'_>, pawn: Square) -> bool {
    let blocked = view.weak(PieceType::Pawn).intersects(pawn.file().bitboard());
    pawn.rank() <= Rank::Fifth && !blocked && !wins_alone(view, pawn)
}
