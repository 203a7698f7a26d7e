//! The material of one side as a packed count of pieces.

use bartizan_position::Position;
use bartizan_types::{Color, PieceType};

/// The number of pieces of each type that one side has, four bits for each type, without the king.
///
/// A side has at most 15 pieces besides its king, so no field overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SideMaterial(u32);

impl SideMaterial {
    /// A bare king.
    pub(super) const NONE: Self = Self(0);
    pub(super) const PAWN: Self = Self::of("P");
    pub(super) const KNIGHT: Self = Self::of("N");
    pub(super) const BISHOP: Self = Self::of("B");
    pub(super) const ROOK: Self = Self::of("R");
    pub(super) const QUEEN: Self = Self::of("Q");
    pub(super) const TWO_KNIGHTS: Self = Self::of("NN");
    pub(super) const TWO_BISHOPS: Self = Self::of("BB");
    pub(super) const BISHOP_KNIGHT: Self = Self::of("BN");

    /// Counts letters, as in `"RPP"`. Use it in constants, where an unknown letter is a compile error.
    pub(super) const fn of(letters: &str) -> Self {
        let letters = letters.as_bytes();
        let mut force = 0;
        let mut i = 0;
        while i < letters.len() {
            match PieceType::from_char(letters[i] as char) {
                Some(piece_type) => force += 1 << (4 * piece_type.index()),
                None => panic!("expected the letters P, N, B, R, Q"),
            }
            i += 1;
        }
        Self(force)
    }

    /// Counts the pieces of `color`.
    pub(super) fn in_position(position: &Position, color: Color) -> Self {
        let count = |piece_type| position.pieces(color, piece_type).count() << (4 * PieceType::index(piece_type));
        Self(PieceType::ALL[..5].iter().map(|&piece_type| count(piece_type)).sum())
    }

    /// The number of pieces of a type.
    pub(super) const fn count(self, piece_type: PieceType) -> u32 {
        self.0 >> (4 * piece_type.index()) & 15
    }

    /// The same force without its pawns.
    pub(super) const fn pieces(self) -> Self {
        Self(self.0 & !15)
    }

    /// Whether the pieces are bishops only, at least one.
    pub(super) fn only_bishops(self) -> bool {
        self.pieces().0 == self.count(PieceType::Bishop) << (4 * PieceType::Bishop.index()) && self.pieces().0 != 0
    }

    /// The value of the pieces in pawns, without the pawns themselves: 3, 3, 5, 9.
    pub(super) const fn points(self) -> i32 {
        let minors = self.count(PieceType::Knight) + self.count(PieceType::Bishop);
        (3 * minors + 5 * self.count(PieceType::Rook) + 9 * self.count(PieceType::Queen)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_pieces_by_type() {
        let position = Position::startpos();
        for color in Color::ALL {
            let force = SideMaterial::in_position(&position, color);
            assert_eq!(force, SideMaterial::of("PPPPPPPPNNBBRRQ"));
            assert_eq!(force.pieces(), SideMaterial::of("NNBBRRQ"));
            assert_eq!(force.points(), 31);
            assert!(!force.only_bishops());
        }
        assert!(SideMaterial::of("BBPP").only_bishops());
        assert!(!SideMaterial::of("BNP").only_bishops());
        assert!(!SideMaterial::PAWN.only_bishops());
    }
}
