//! The game phase that tapers the evaluation.

use bartizan_position::Position;
use bartizan_types::{ByPieceType, PieceType};

/// The game phase: 24 with all pieces on the board, 0 with only kings and pawns.
///
/// A knight or bishop counts 1, a rook 2, a queen 4 (the scheme of Fruit, Fabien Letouzey, 2004).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phase(i32);

const WEIGHTS: ByPieceType<i32> = ByPieceType([0, 1, 1, 2, 4, 0]);

impl Phase {
    /// The phase with all pieces on the board.
    pub const FULL: i32 = 24;

    /// The phase with only kings and pawns.
    pub const NONE: Self = Self(0);

    #[inline]
    pub(crate) const fn new(phase: i32) -> Self {
        Self(phase)
    }

    /// The phase of a position.
    pub fn of(position: &Position) -> Self {
        let count = |piece_type| position.by_type(piece_type).count() as i32;
        Self(PieceType::ALL.into_iter().map(|piece_type| WEIGHTS[piece_type] * count(piece_type)).sum())
    }

    /// The phase as a number; promotions can raise it above [`FULL`](Self::FULL).
    pub fn get(self) -> i32 {
        self.0
    }

    #[inline]
    pub(crate) fn add(&mut self, piece_type: PieceType) {
        self.0 += WEIGHTS[piece_type];
    }

    #[inline]
    pub(crate) fn remove(&mut self, piece_type: PieceType) {
        self.0 -= WEIGHTS[piece_type];
    }
}
