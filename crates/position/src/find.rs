//! The legal moves of one type of piece to one square, found backwards from the target. SAN readers use this to find a
//! move without generating any other.

use crate::Position;
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, Direction, Move, PieceType, Rank, Square};

impl Position {
    /// Calls `f` with each legal move of a piece of this type from a square in `origins` to `to`, except castling. For
    /// a promoting pawn, all four promotions are passed.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_types::{Bitboard, File, PieceType, Square};
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")?;
    /// let mut texts = Vec::new();
    /// position.for_each_move_to(PieceType::Knight, Square::D2, Bitboard::ALL, |mv| texts.push(mv.to_string()));
    /// assert_eq!(texts, ["b1d2", "f3d2"]);
    /// texts.clear();
    /// position.for_each_move_to(PieceType::Knight, Square::D2, File::F.bitboard(), |mv| texts.push(mv.to_string()));
    /// assert_eq!(texts, ["f3d2"]);
    /// # Ok::<(), bartizan_position::PositionError>(())
    /// ```
    #[inline]
    pub fn for_each_move_to(&self, piece: PieceType, to: Square, origins: Bitboard, mut f: impl FnMut(Move)) {
        let us = self.turn();
        if piece == PieceType::Pawn {
            self.for_each_pawn_move_to(to, origins, f);
            return;
        }
        if self.color(us).contains(to) {
            return;
        }
        let reaching = attacks::of(piece, to, self.occupied()) & self.pieces(us, piece) & origins;
        if piece == PieceType::King {
            for from in reaching {
                if self.attackers_to(to, self.occupied() ^ from.bitboard(), !us).is_empty() {
                    f(Move::normal(from, to));
                }
            }
            return;
        }
        for from in reaching {
            if self.keeps_king_safe(from, to) {
                f(Move::normal(from, to));
            }
        }
    }

    #[inline]
    fn for_each_pawn_move_to(&self, to: Square, origins: Bitboard, mut f: impl FnMut(Move)) {
        let us = self.turn();
        if self.color(us).contains(to) {
            return;
        }
        let pawns = self.pieces(us, PieceType::Pawn);
        let mut reaching = Bitboard::EMPTY;
        if self.color(!us).contains(to) {
            reaching = attacks::pawn(!us, to) & pawns;
        } else {
            if self.en_passant() == Some(to) {
                for from in attacks::pawn(!us, to) & pawns & origins {
                    if self.en_passant_is_legal(from, to) {
                        f(Move::en_passant(from, to));
                    }
                }
            }
            let back = Direction::forward(!us);
            if let Some(one) = to.step(back) {
                if pawns.contains(one) {
                    reaching = one.bitboard();
                } else if to.rank() == us.relative_rank(Rank::Fourth)
                    && !self.occupied().contains(one)
                    && let Some(two) = one.step(back)
                {
                    reaching = two.bitboard() & pawns;
                }
            }
        }
        let promotes = to.rank() == us.relative_rank(Rank::Eighth);
        for from in reaching & origins {
            if !self.keeps_king_safe(from, to) {
                continue;
            }
            if promotes {
                for promotion in PieceType::PROMOTIONS {
                    f(Move::promotion(from, to, promotion));
                }
            } else {
                f(Move::normal(from, to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tolerance;
    use alloc::vec::Vec;

    /// In every position of the perft suites and after each legal move from there, the moves found equal those of the
    /// generator.
    #[test]
    fn moves_found_from_the_target_are_those_generated() {
        let mut compared = 0;
        for case in ["chess960", "classic", "tricky"].into_iter().flat_map(bartizan_testkit::perft_suite) {
            let position = Position::from_fen_with(&case.fen, Tolerance::ALL).unwrap();
            for mv in position.legal_moves() {
                let after = position.play_unchecked(mv);
                let mut expected: Vec<Move> = after.legal_moves().into_iter().filter(|mv| !mv.is_castling()).collect();
                let mut found = Vec::new();
                for piece in PieceType::ALL {
                    for to in Square::ALL {
                        after.for_each_move_to(piece, to, Bitboard::ALL, |mv| found.push(mv));
                    }
                }
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{after}");
                compared += found.len();
            }
        }
        assert!(compared > 100_000, "{compared}");
    }
}
