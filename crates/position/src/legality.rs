//! Properties of a single move: legality, check, capture. No other move is generated.

use crate::Position;
use bartizan_attacks as attacks;
use bartizan_types::{CastlingSide, Color, Direction, Move, MoveKind, PieceType, Rank, Square, UciMove, Variant};
use core::fmt;

/// The error of playing a move that is not legal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct IllegalMove {
    mv: UciMove,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move '{}'", self.mv)
    }
}

impl core::error::Error for IllegalMove {}

impl IllegalMove {
    /// Creates the error for a move.
    pub fn new(mv: Move) -> Self {
        Self { mv: mv.to_uci(Variant::Standard) }
    }

    pub(crate) fn of_text(mv: UciMove) -> Self {
        Self { mv }
    }

    /// The move in coordinate notation.
    pub fn uci(&self) -> UciMove {
        self.mv
    }
}

impl Position {
    /// Whether a move is legal. Accepts any move, for example a move from a hash table, which may belong to another
    /// position.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == us) else { return false };
        let is_pawn = piece.piece_type() == PieceType::Pawn;
        match mv.kind() {
            MoveKind::Castling => piece.piece_type() == PieceType::King && self.castling_is_legal(from, to),
            MoveKind::EnPassant => {
                is_pawn
                    && self.en_passant() == Some(to)
                    && attacks::pawn(us, from).contains(to)
                    && self.en_passant_is_legal(from, to)
            }
            MoveKind::Promotion(_) => {
                is_pawn
                    && Self::is_before_promotion(us, from)
                    && self.pawn_reaches(from, to)
                    && self.keeps_king_safe(from, to)
            }
            MoveKind::Normal => match piece.piece_type() {
                PieceType::Pawn => {
                    !Self::is_before_promotion(us, from)
                        && self.pawn_reaches(from, to)
                        && self.keeps_king_safe(from, to)
                }
                PieceType::King => {
                    let without_king = self.occupied() ^ from.bitboard();
                    attacks::king(from).contains(to)
                        && !self.color(us).contains(to)
                        && self.attackers_to(to, without_king, !us).is_empty()
                }
                other => {
                    attacks::of(other, from, self.occupied()).contains(to)
                        && !self.color(us).contains(to)
                        && self.keeps_king_safe(from, to)
                }
            },
        }
    }

    /// Whether the piece of the side to move on `from` could go to `to` if its king were never in check. Castling does
    /// not count. Together with [`Position::is_legal`] this tells why a move is not legal.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color() == us) else { return false };
        match piece.piece_type() {
            PieceType::Pawn => {
                self.pawn_reaches(from, to) || self.en_passant() == Some(to) && attacks::pawn(us, from).contains(to)
            }
            other => attacks::of(other, from, self.occupied()).contains(to) && !self.color(us).contains(to),
        }
    }

    /// Whether nothing stands in the way of king and rook for castling on this side; `false` without the right to it.
    pub fn castling_path_is_free(&self, side: CastlingSide) -> bool {
        let us = self.turn();
        let king = self.king(us);
        self.castling().rook(us, side, king).is_some_and(|rook| self.castling_is_free(us, king, rook))
    }

    /// Whether a pawn can push to or capture on `to`, apart from en passant.
    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        if self.color(!us).contains(to) {
            return attacks::pawn(us, from).contains(to);
        }
        let Some(one) = Self::ahead(us, from) else { return false };
        if self.occupied().contains(one) {
            return false;
        }
        to == one
            || from.rank() == us.relative_rank(Rank::Second)
                && Self::ahead(us, one) == Some(to)
                && !self.occupied().contains(to)
    }

    /// Whether `square` is on the rank from which pawns of `color` promote.
    #[inline]
    fn is_before_promotion(color: Color, square: Square) -> bool {
        square.rank() == color.relative_rank(Rank::Seventh)
    }

    /// The square in front of a pawn of `color`.
    #[inline]
    pub(crate) fn ahead(color: Color, square: Square) -> Option<Square> {
        square.step(Direction::forward(color))
    }

    /// Whether a move of a piece other than the king leaves the king safe from pins and checks.
    #[inline]
    pub(crate) fn keeps_king_safe(&self, from: Square, to: Square) -> bool {
        let king = self.king(self.turn());
        let checkers = self.checkers();
        if self.pinned().contains(from) && !attacks::line(king, from).contains(to) {
            return false;
        }
        match checkers.first() {
            None => true,
            Some(checker) => !checkers.has_many() && (attacks::between(king, checker) | checkers).contains(to),
        }
    }

    fn castling_is_legal(&self, king: Square, rook: Square) -> bool {
        let us = self.turn();
        !self.in_check()
            && self.castling().rooks_of(us).contains(rook)
            && self.castling_is_free(us, king, rook)
            && self.castling_is_safe(us, king, rook)
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(!us);
        let Some(piece) = self.piece_at(from) else { return false };
        let mut occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        let (arrives, on) = match mv.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
                occupied =
                    (self.occupied() - from.bitboard() - to.bitboard()) | king_to.bitboard() | rook_to.bitboard();
                (PieceType::Rook, rook_to)
            }
            MoveKind::EnPassant => {
                occupied ^= Square::new(to.file(), from.rank()).bitboard();
                (PieceType::Pawn, to)
            }
            MoveKind::Promotion(piece_type) => (piece_type, to),
            MoveKind::Normal => (piece.piece_type(), to),
        };
        let direct = match arrives {
            PieceType::Pawn => attacks::pawn(us, on).contains(king),
            PieceType::King => false,
            other => attacks::of(other, on, occupied).contains(king),
        };
        // Discovered check: a slider of ours that did not move attacks their king on the board after the move.
        let unmoved = self.color(us) - from.bitboard() - to.bitboard();
        direct || self.sliders_attacking(king, occupied).intersects(unmoved)
    }

    /// Whether a move is a capture, en passant included.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.is_en_passant() || !mv.is_castling() && self.occupied().contains(mv.to())
    }

    /// The type of the piece that a legal move captures: for en passant, a pawn.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_types::{Move, PieceType, Square};
    ///
    /// let position = Position::from_fen("4k3/8/8/3pP3/2R5/8/8/4K2R w K d6 0 1")?;
    /// assert_eq!(position.captured(Move::en_passant(Square::E5, Square::D6)), Some(PieceType::Pawn));
    /// assert_eq!(position.captured(Move::castling(Square::E1, Square::H1)), None);
    /// # Ok::<(), bartizan_position::PositionError>(())
    /// ```
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<PieceType> {
        match mv.kind() {
            MoveKind::EnPassant => Some(PieceType::Pawn),
            MoveKind::Castling => None,
            MoveKind::Normal | MoveKind::Promotion(_) => self.piece_type_at(mv.to()),
        }
    }

    /// Whether a move is a capture or a promotion, as generated in
    /// [`MoveGenStage::Captures`](crate::MoveGenStage::Captures).
    #[inline]
    pub fn is_tactical(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.is_promotion()
    }
}
