//! A side as a type, so that everything that depends on the colour is known when the code is compiled.

use bartizan_types::{Bitboard, Color, Direction, Square};

/// One of [`White`] and [`Black`].
pub(crate) trait Side {
    /// The side on the move in the reader's mind: "ours".
    const US: Color;
    /// Its opponent.
    const THEM: Color;
    /// Where its pawns go.
    const UP: Direction;
    /// Where its pawns come from.
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

/// The rank of a square as `S` counts it: 0 its own back rank, 7 where its pawns promote.
#[inline(always)]
pub(crate) fn relative_rank<S: Side>(square: Square) -> usize {
    square.relative_to(S::US).index() >> 3
}

/// The ranks `first` to `last` (0 to 7) as `S` counts them.
pub(crate) const fn ranks<S: Side>(first: usize, last: usize) -> Bitboard {
    let white = (!0u64 >> (8 * (7 - (last - first)))) << (8 * first);
    if S::US.is_white() { Bitboard(white) } else { Bitboard(white.swap_bytes()) }
}
