//! The two sides as types, so that everything that depends on the colour is a compile-time constant.

use bartizan_types::{Bitboard, Color, Direction, Square};

/// A side, [`White`] or [`Black`], as the type parameter of the evaluation terms.
pub(crate) trait Side {
    /// The side whose term is computed.
    const US: Color;
    /// The opponent.
    const THEM: Color;
    /// The direction in which our pawns advance.
    const UP: Direction;
    /// The direction opposite to [`UP`](Self::UP).
    const DOWN: Direction;
    /// The opponent as a type.
    type Opponent: Side;
}

pub(crate) enum White {}
pub(crate) enum Black {}

impl Side for White {
    const US: Color = Color::White;
    const THEM: Color = Color::Black;
    const UP: Direction = Direction::North;
    const DOWN: Direction = Direction::South;
    type Opponent = Black;
}

impl Side for Black {
    const US: Color = Color::Black;
    const THEM: Color = Color::White;
    const UP: Direction = Direction::South;
    const DOWN: Direction = Direction::North;
    type Opponent = White;
}

/// The rank of a square relative to `S`: 0 is its back rank, 7 its promotion rank.
#[inline(always)]
pub(crate) fn relative_rank<S: Side>(square: Square) -> usize {
    square.relative_to(S::US).index() >> 3
}

/// The squares of the ranks `first` to `last` (0 to 7) relative to `S`.
pub(crate) const fn ranks<S: Side>(first: usize, last: usize) -> Bitboard {
    let white = (!0u64 >> (8 * (7 - (last - first)))) << (8 * first);
    if S::US.is_white() { Bitboard(white) } else { Bitboard(white.swap_bytes()) }
}
