//! Kings and pawns.

use super::view::{View, distance};
use super::{Force, SCALE_DRAW, SCALE_NORMAL};
use bartizan_bitbase::kpk;
use bartizan_types::{Bitboard, Color, File, PieceType, Rank, Square};

/// Against the bare king: the progress of a pawn that promotes by force, for the side that has no pieces, or one minor
/// piece, or several that cannot mate; `None` if no pawn is known to.
///
/// A pawn is taken to do by itself what it does in king and pawn against king. That holds in every one of 2,509 random
/// positions with a second pawn, in all but 2 of 2,064 with a bishop, and in all but 6 of 2,053 with a knight (Syzygy).
pub(super) fn progress(view: &View<'_>, force: Force) -> Option<i32> {
    let pawns = view.strong(PieceType::Pawn);
    let best = pawns.into_iter().filter(|&pawn| wins_alone(view, pawn)).map(|pawn| advance(view, pawn)).max()?;
    Some(best + 100 * (force.worth() + pawns.count() as i32 - 1))
}

/// How far a pawn has come, up to about 500: each rank, and its king near the square before it.
fn advance(view: &View<'_>, pawn: Square) -> i32 {
    let target = pawn.offset(0, 1).unwrap_or(pawn);
    80 * pawn.rank().index() as i32 + 4 * (7 - distance(view.strong_king, target))
}

fn wins_alone(view: &View<'_>, pawn: Square) -> bool {
    kpk::is_win(Color::White, view.strong_king, pawn, view.weak_king, view.strong_to_move)
}

/// Pawn endings in which more pawns mean nothing.
pub(super) fn scale(view: &View<'_>) -> i32 {
    let (strong, weak) = view.forces();
    let pawns = view.strong(PieceType::Pawn);
    let drawn = match (strong, weak) {
        (_, Force::NONE) => rook_file_blockade(view, pawns),
        (Force::PAWN, Force::PAWN) => pawns.first().is_some_and(|pawn| one_pawn_each_is_drawn(view, pawn)),
        _ => false,
    };
    if drawn { SCALE_DRAW } else { SCALE_NORMAL }
}

/// All pawns on one rook file and the bare king in the corner before them or beside it: it cannot be driven out.
fn rook_file_blockade(view: &View<'_>, pawns: Bitboard) -> bool {
    [File::A, File::H].into_iter().any(|file| {
        pawns.is_subset_of(file.bitboard()) && view.weak_king.distance(Square::new(file, Rank::Eighth)) <= 1
    })
}

/// If the pawn would not even win with the other one gone, it does not with it there. Unless it is far advanced, when the
/// other pawn may take a stalemate away, or blocked by the other pawn, which its king may go and take.
///
/// Wrong in 3 of a thousand quiet positions that it claims (Syzygy).
fn one_pawn_each_is_drawn(view: &View<'_>, pawn: Square) -> bool {
    let blocked = view.weak(PieceType::Pawn).intersects(pawn.file().bitboard());
    pawn.rank() <= Rank::Fifth && !blocked && !wins_alone(view, pawn)
}
