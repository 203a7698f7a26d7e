//! The squares between two squares and on the line through them.

use crate::sliders::tables;
use bartizan_types::{Bitboard, Square};

/// The squares that a rook reaches on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    Bitboard(0xff << (square.index() & 56)) ^ square.file().bitboard()
}

/// The squares that a bishop reaches on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    let (rising, falling) = diagonals(square);
    rising ^ falling
}

/// The two diagonals through a square, including the square: the one parallel to a1–h8, then the one parallel to a8–h1.
#[inline]
pub fn diagonals(square: Square) -> (Bitboard, Bitboard) {
    let [rising, falling] = tables::DIAGONALS[square.index()];
    (Bitboard(rising), Bitboard(falling))
}

/// The squares strictly between `a` and `b`; empty if they share no rank, file or diagonal.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(tables::BETWEEN[a.index()][b.index()])
}

/// The whole rank, file or diagonal through `a` and `b`, from edge to edge; empty if they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(tables::LINE[a.index()][b.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_are_attacks_on_an_empty_board() {
        for square in Square::ALL {
            assert_eq!(rook_rays(square), crate::rook(square, Bitboard::EMPTY));
            assert_eq!(bishop_rays(square), crate::bishop(square, Bitboard::EMPTY));
        }
        assert_eq!(diagonals(Square::C3).0, line(Square::A1, Square::H8));
        assert_eq!(diagonals(Square::C3).1, line(Square::A5, Square::E1));
    }

    #[test]
    fn lines_and_betweens() {
        assert_eq!(between(Square::E1, Square::E8).count(), 6);
        assert_eq!(between(Square::E1, Square::F3), Bitboard::EMPTY);
        assert_eq!(between(Square::E4, Square::E5), Bitboard::EMPTY);
        assert_eq!(line(Square::B2, Square::C3).count(), 8);
        assert_eq!(line(Square::A2, Square::B4), Bitboard::EMPTY);
        for a in Square::ALL {
            assert_eq!(line(a, a), Bitboard::EMPTY);
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                assert!(between(a, b).is_subset_of(line(a, b)));
            }
        }
    }
}
