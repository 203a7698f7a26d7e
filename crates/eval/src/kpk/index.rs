// The index of a position in the table. Both this module and build.rs, which writes the table, include this file.
// (An inner doc comment is not possible: build.rs includes the file by `include!`.)

use bartizan_types::{Color, File, Rank, Square};

/// The number of pawn squares: files a to d of ranks 2 to 7.
pub(crate) const PAWN_SQUARES: usize = 24;

/// The number of words in the table: two sides to move × 24 pawn squares × 64 squares of the strong king. Each word has
/// one bit for each square of the weak king.
pub(crate) const WORDS: usize = 2 * PAWN_SQUARES * Square::COUNT;

/// The index of the word for a white king and pawn. The pawn must stand on files a to d and ranks 2 to 7; `turn` is the
/// side to move.
#[inline]
pub(crate) const fn word(turn: Color, pawn: Square, strong_king: Square) -> usize {
    debug_assert!(pawn.file().index() <= File::D.index());
    debug_assert!(pawn.rank().index() >= Rank::Second.index() && pawn.rank().index() <= Rank::Seventh.index());
    let pawn = (pawn.rank().index() - 1) * 4 + pawn.file().index();
    (turn.index() * PAWN_SQUARES + pawn) * Square::COUNT + strong_king.index()
}
