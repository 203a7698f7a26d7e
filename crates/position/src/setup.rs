//! Setups: positions that are not yet validated.

use crate::Position;
use bartizan_types::{Bitboard, CastlingRights, Color, Piece, PieceType, Square};

/// The contents of a FEN, legal or not. [`Setup::validate`] converts it to a [`Position`](crate::Position).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub turn: Color,
    /// The castling rights.
    pub castling: CastlingRights,
    /// The square that a pawn has just passed by a double step, whether or not a pawn can capture there.
    pub en_passant: Option<Square>,
    /// The number of plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, from 1. It increases after black's move.
    pub fullmove_number: u16,
}

impl Setup {
    /// The empty board with white to move.
    pub const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        turn: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The piece on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The squares of all pieces equal to `piece`.
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        Square::ALL.into_iter().filter(|&square| self.piece_at(square) == Some(piece)).collect()
    }

    /// The squares of the kings of `color`. A legal position has exactly one.
    pub fn kings(&self, color: Color) -> Bitboard {
        self.pieces(PieceType::King.of(color))
    }

    /// Swaps the colours and mirrors the board top to bottom.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut board = [None; Square::COUNT];
        for square in Square::ALL {
            board[square.flip_rank().index()] = self.piece_at(square).map(Piece::flip_color);
        }
        Self {
            board,
            turn: !self.turn,
            castling: self.castling.flip(),
            en_passant: self.en_passant.map(Square::flip_rank),
            ..*self
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        position.to_setup()
    }
}

/// A copy, for functions that take setups and positions.
impl From<&Setup> for Setup {
    fn from(setup: &Setup) -> Self {
        setup.clone()
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::EMPTY
    }
}
