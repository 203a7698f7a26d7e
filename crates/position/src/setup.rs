//! Setups: positions that are not yet validated.

use crate::Position;
use bartizan_types::{Bitboard, CastlingRights, Color, Move, Piece, PieceType, Rank, Square};

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

    /// The double step that the en passant square stands for; `None` without such a square, or if no pawn of the side
    /// not to move can have passed it.
    ///
    /// ```
    /// use bartizan_position::Setup;
    ///
    /// let setup = Setup::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")?;
    /// assert_eq!(setup.double_step().map(|mv| mv.to_string()).as_deref(), Some("e2e4"));
    /// # Ok::<(), bartizan_position::FenError>(())
    /// ```
    pub fn double_step(&self) -> Option<Move> {
        let passed = self.en_passant?;
        let them = !self.turn;
        let [from, to] = [Rank::Second, Rank::Fourth].map(|rank| Square::new(passed.file(), them.relative_rank(rank)));
        let is_vacant = |square| self.piece_at(square).is_none();
        let is_possible = passed.rank() == them.relative_rank(Rank::Third)
            && is_vacant(passed)
            && is_vacant(from)
            && self.piece_at(to) == Some(PieceType::Pawn.of(them));
        is_possible.then(|| Move::normal(from, to))
    }

    /// Removes the castling rights that standard chess does not have, and returns them: those of a king that is not on
    /// e1 or e8, and those of rooks that are not on the a- or h-file.
    ///
    /// A FEN with such rights is one of Chess960. Where a program has not been told to play Chess960, it drops them.
    ///
    /// ```
    /// use bartizan_position::Setup;
    ///
    /// let mut setup = Setup::from_fen("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1")?;
    /// assert_eq!(setup.drop_nonstandard_castling().to_string(), "KQ");
    /// assert_eq!(setup.to_string(), "r3k2r/8/8/8/8/8/8/R4K1R w kq - 0 1");
    /// # Ok::<(), bartizan_position::FenError>(())
    /// ```
    pub fn drop_nonstandard_castling(&mut self) -> CastlingRights {
        let dropped = self.castling.nonstandard(self.kings(Color::White), self.kings(Color::Black));
        self.castling = self.castling.without(dropped.rooks());
        dropped
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
