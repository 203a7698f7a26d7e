//! King and pawn against king, solved: a bitbase of 24 KiB distinguishes wins from draws.
//!
//! The build script computes the table by retrograde analysis. It is a constant in the program: nothing is loaded or
//! initialised at run time.
//!
//! ```
//! use bartizan_eval::kpk;
//! use bartizan_types::{Color, Square::*};
//!
//! // King on the sixth rank in front of its pawn: White wins, whichever side is to move.
//! assert!(kpk::is_win(Color::White, E6, E5, E8, Color::White));
//! assert!(kpk::is_win(Color::White, E6, E5, E8, Color::Black));
//! // One rank lower, the opposition decides: White wins only if Black is to move.
//! assert!(!kpk::is_win(Color::White, E5, E4, E7, Color::White));
//! assert!(kpk::is_win(Color::White, E5, E4, E7, Color::Black));
//! ```

mod index;

use bartizan_types::{Bitboard, Color, File, Rank, Square};

include!(concat!(env!("OUT_DIR"), "/kpk.rs"));

/// Whether `strong`, the side with the pawn, wins against the bare king on `weak_king` when `turn` is to move.
///
/// Returns `false` for illegal positions: two pieces on one square, adjacent kings, a pawn on the first or eighth rank,
/// or the side that is not to move in check.
#[inline]
pub fn is_win(strong: Color, strong_king: Square, pawn: Square, weak_king: Square, turn: Color) -> bool {
    let pawn = pawn.relative_to(strong);
    if matches!(pawn.rank(), Rank::First | Rank::Eighth) {
        return false;
    }
    // The table holds white pawns on files a to d; other positions are mirrored. This is arithmetic rather than a
    // branch, because the processor would mispredict a branch on the file half of the time.
    let mirror = if pawn.file() >= File::E { 7 } else { 0 };
    let mirrored = |square: Square| Square::from_index(square.index() ^ mirror);
    let [strong_king, weak_king] = [strong_king, weak_king].map(|king| mirrored(king.relative_to(strong)));
    let turn = if turn == strong { Color::White } else { Color::Black };
    Bitboard(WINS[index::word(turn, mirrored(pawn), strong_king)]).contains(weak_king)
}
