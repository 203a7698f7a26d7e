// Where a position is in the table. One file for two readers: the crate, and build.rs, which writes the table.
// (`//!` would not do: build.rs includes the text.)

use bartizan_types::{File, Rank, Square};

/// Files a to d of ranks 2 to 7.
pub(crate) const PAWN_SQUARES: usize = 24;

/// Two sides to move × 24 squares of the pawn × 64 squares of its king; a bit for each square of the other king.
pub(crate) const WORDS: usize = 2 * PAWN_SQUARES * Square::COUNT;

/// The word of a white king and pawn, the pawn on files a to d and ranks 2 to 7.
#[inline]
pub(crate) const fn word(strong_to_move: bool, pawn: Square, strong_king: Square) -> usize {
    debug_assert!(pawn.file().index() <= File::D.index());
    debug_assert!(pawn.rank().index() >= Rank::Second.index() && pawn.rank().index() <= Rank::Seventh.index());
    let pawn = (pawn.rank().index() - 1) * 4 + pawn.file().index();
    let side = if strong_to_move { 0 } else { 1 };
    (side * PAWN_SQUARES + pawn) * Square::COUNT + strong_king.index()
}
