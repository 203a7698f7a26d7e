//! How much of what a side has.

use bartizan_position::Position;
use bartizan_types::{Color, PieceType};

/// The pieces of one side without their squares: four bits for the number of each type, the king left out.
///
/// A side has at most 15 pieces besides its king, so nothing overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Force(u32);

impl Force {
    /// The bare king.
    pub(super) const NONE: Self = Self(0);
    pub(super) const PAWN: Self = Self::of("P");
    pub(super) const KNIGHT: Self = Self::of("N");
    pub(super) const BISHOP: Self = Self::of("B");
    pub(super) const ROOK: Self = Self::of("R");
    pub(super) const QUEEN: Self = Self::of("Q");
    pub(super) const TWO_KNIGHTS: Self = Self::of("NN");
    pub(super) const TWO_BISHOPS: Self = Self::of("BB");
    pub(super) const BISHOP_KNIGHT: Self = Self::of("BN");

    /// From letters, as in `"RPP"`. A constant: an unknown letter does not compile.
    pub(super) const fn of(letters: &str) -> Self {
        let letters = letters.as_bytes();
        let mut force = 0;
        let mut i = 0;
        while i < letters.len() {
            match PieceType::from_char(letters[i] as char) {
                Some(piece_type) => force += 1 << (4 * piece_type.index()),
                None => panic!("a letter of P, N, B, R, Q"),
            }
            i += 1;
        }
        Self(force)
    }

    /// What `color` has.
    pub(super) fn in_position(position: &Position, color: Color) -> Self {
        let count = |piece_type| position.pieces(color, piece_type).count() << (4 * PieceType::index(piece_type));
        Self(PieceType::ALL[..5].iter().map(|&piece_type| count(piece_type)).sum())
    }

    /// How many of a type.
    pub(super) const fn count(self, piece_type: PieceType) -> u32 {
        self.0 >> (4 * piece_type.index()) & 15
    }

    /// The same without the pawns.
    pub(super) const fn pieces(self) -> Self {
        Self(self.0 & !15)
    }

    /// Whether there are bishops, and nothing else but pawns.
    pub(super) fn only_bishops(self) -> bool {
        self.pieces().0 == self.count(PieceType::Bishop) << (4 * PieceType::Bishop.index()) && self.pieces().0 != 0
    }

    /// What the pieces, not the pawns, are worth in pawns: 3, 3, 5, 9.
    pub(super) const fn worth(self) -> i32 {
        let minors = self.count(PieceType::Knight) + self.count(PieceType::Bishop);
        (3 * minors + 5 * self.count(PieceType::Rook) + 9 * self.count(PieceType::Queen)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_there() {
        let position = Position::startpos();
        for color in Color::ALL {
            let force = Force::in_position(&position, color);
            assert_eq!(force, Force::of("PPPPPPPPNNBBRRQ"));
            assert_eq!(force.pieces(), Force::of("NNBBRRQ"));
            assert_eq!(force.worth(), 31);
            assert!(!force.only_bishops());
        }
        assert!(Force::of("BBPP").only_bishops());
        assert!(!Force::of("BNP").only_bishops());
        assert!(!Force::PAWN.only_bishops());
    }
}
