//! Material in points, as taught to beginners.

use bartizan_position::Position;
use bartizan_types::{Color, PieceType};

/// The kinds of pieces that are counted, the most valuable first.
pub(crate) const COUNTED: [PieceType; 5] =
    [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight, PieceType::Pawn];

/// The points of a piece: 1, 3, 3, 5, 9, and for a king more than for all others.
pub const fn points(piece: PieceType) -> i32 {
    match piece {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 100,
    }
}

/// The material of a side less that of the other, in points.
pub(crate) fn balance(position: &Position, side: Color) -> i32 {
    let count = |side, piece| position.pieces(side, piece).count().cast_signed();
    COUNTED.iter().map(|&piece| points(piece) * (count(side, piece) - count(!side, piece))).sum()
}
