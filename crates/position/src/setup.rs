//! Pieces on squares, before anyone asked whether that is chess.

use bartizan_types::{Bitboard, CastlingRights, Color, Piece, PieceType, Square};

/// Everything a FEN says, legal or not. [`Setup::validate`] turns it into a [`Position`](crate::Position).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// What stands on each square.
    pub board: [Option<Piece>; Square::COUNT],
    /// Whose move it is.
    pub turn: Color,
    /// The rooks that may still castle.
    pub castling: CastlingRights,
    /// The square that a pawn just skipped, whether or not anything can take there.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, from 1; it grows after black's move.
    pub fullmove_number: u16,
}

impl Setup {
    /// No pieces, white to move.
    pub const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        turn: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// What stands on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The squares on which `piece` stands.
    pub fn pieces(&self, piece: Piece) -> Bitboard {
        Square::ALL.into_iter().filter(|&square| self.piece_at(square) == Some(piece)).collect()
    }

    /// The squares of the kings of `color`: one, in chess.
    pub fn kings(&self, color: Color) -> Bitboard {
        self.pieces(PieceType::King.of(color))
    }

    /// Colours swapped and the board mirrored top to bottom: the same game from the other side.
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

impl Default for Setup {
    fn default() -> Self {
        Self::EMPTY
    }
}
