//! Who wins with king and pawn against king.

use crate::index;
use bartizan_types::{Bitboard, Color, File, Rank, Square};

include!(concat!(env!("OUT_DIR"), "/kpk.rs"));

/// Whether `strong`, who has the king and the pawn, wins against the bare king on `weak_king`.
///
/// A position that is not legal (squares that coincide, kings side by side, a pawn on the first or eighth rank, the side
/// that is not to move in check) is no win.
#[inline]
pub fn is_win(strong: Color, strong_king: Square, pawn: Square, weak_king: Square, strong_to_move: bool) -> bool {
    let pawn = pawn.relative_to(strong);
    if matches!(pawn.rank(), Rank::First | Rank::Eighth) {
        return false;
    }
    // The table knows white pawns on files a to d: the other half of the board is its mirror image. As arithmetic, since
    // a branch on the file would be guessed wrong half the time.
    let mirror = if pawn.file() >= File::E { 7 } else { 0 };
    let mirrored = |square: Square| Square::from_index(square.index() ^ mirror);
    let [strong_king, weak_king] = [strong_king, weak_king].map(|king| mirrored(king.relative_to(strong)));
    Bitboard(WINS[index::word(strong_to_move, mirrored(pawn), strong_king)]).contains(weak_king)
}
