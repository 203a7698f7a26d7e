//! Moves in coordinate notation.

use crate::{IllegalMove, Position};
use alloc::string::{String, ToString};
use bartizan_types::{CastlingSide, Excerpt, Move, PieceType, UciMove};
use core::fmt;

/// The error of reading a move in coordinate notation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum MoveError {
    /// The text is not in coordinate notation. Holds its beginning.
    Syntax(String),
    /// The move is not legal in the position.
    Illegal(IllegalMove),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(text) => {
                write!(f, "invalid move '{}': expected coordinate notation such as e2e4 or e7e8q", text.escape_debug())
            }
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MoveError {}

impl From<IllegalMove> for MoveError {
    fn from(error: IllegalMove) -> Self {
        Self::Illegal(error)
    }
}

impl Position {
    /// Converts a move in coordinate notation to a legal move. In chess as in Chess960, castling may be written as the
    /// king's move (`e1g1`) or as the king capturing its own rook (`e1h1`).
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal.
    pub fn resolve_uci(&self, text: UciMove) -> Result<Move, IllegalMove> {
        self.interpret(text).filter(|&mv| self.is_legal(mv)).ok_or(IllegalMove::of_text(text))
    }

    fn interpret(&self, UciMove { from, to, promotion }: UciMove) -> Option<Move> {
        let us = self.turn();
        let piece = self.piece_at(from)?;
        if let Some(piece_type) = promotion {
            return PieceType::PROMOTIONS.contains(&piece_type).then(|| Move::promotion(from, to, piece_type));
        }
        if piece.piece_type() == PieceType::King {
            if self.castling().rooks_of(us).contains(to) {
                return Some(Move::castling(from, to));
            }
            // A king's move of two or more files is castling.
            if from.rank() == to.rank() && from.file().distance(to.file()) >= 2 {
                let side = CastlingSide::of(from, to);
                let rook = self.castling().rook(us, side, from)?;
                return (side.king_target(us) == to).then(|| Move::castling(from, rook));
            }
        }
        if piece.piece_type() == PieceType::Pawn && self.en_passant() == Some(to) && from.file() != to.file() {
            return Some(Move::en_passant(from, to));
        }
        Some(Move::normal(from, to))
    }

    /// Parses a legal move in coordinate notation; see [`Position::resolve_uci`].
    ///
    /// # Errors
    /// [`MoveError`] if the text is not a move or the move is not legal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let parsed = text.parse().map_err(|_| MoveError::Syntax(Excerpt::new(text).to_string()))?;
        Ok(self.resolve_uci(parsed)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use bartizan_types::{Square, Variant};

    #[test]
    fn castling_is_read_in_both_forms() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for (text, standard, chess960) in
            [("e1g1", "e1g1", "e1h1"), ("e1h1", "e1g1", "e1h1"), ("e1c1", "e1c1", "e1a1"), ("e1a1", "e1c1", "e1a1")]
        {
            let mv = position.parse_uci(text).unwrap();
            assert!(mv.is_castling());
            assert_eq!(mv.to_uci(Variant::Standard).to_string(), standard);
            assert_eq!(mv.to_uci(Variant::Chess960).to_string(), chess960);
        }
        assert!(position.parse_uci("e1b1").is_err());
        // In Chess960, a king's move by one square is not castling.
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1").unwrap();
        assert!(!position.parse_uci("f1g1").unwrap().is_castling());
        assert!(position.parse_uci("f1h1").unwrap().is_castling());
    }

    #[test]
    fn each_move_of_chess960_is_written_unambiguously() {
        // Both sides may castle to both sides. White's king is on c1: castling leaves it there or brings it to g1.
        let position = Position::from_fen("1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1").unwrap();
        for variant in [Variant::Standard, Variant::Chess960] {
            for mv in position.legal_moves() {
                assert_eq!(position.resolve_uci(mv.to_uci(variant)), Ok(mv), "{variant:?}");
            }
        }
    }

    #[test]
    fn no_pawn_promotes_to_a_king_or_a_pawn() {
        let position = Position::from_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
        for piece_type in PieceType::ALL {
            let text = UciMove { from: Square::A7, to: Square::A8, promotion: Some(piece_type) };
            let resolved = position.resolve_uci(text).ok().and_then(Move::promotes_to);
            assert_eq!(resolved, Some(piece_type).filter(|it| PieceType::PROMOTIONS.contains(it)));
        }
    }

    #[test]
    fn errors_are_short() {
        let start = Position::startpos();
        assert_eq!(start.parse_uci("e2e5").unwrap_err().to_string(), "illegal move 'e2e5'");
        let long = "x".repeat(10_000);
        assert!(start.parse_uci(&long).unwrap_err().to_string().len() < 150);
        assert!(start.parse_uci("e2e4q").is_err());
    }
}
