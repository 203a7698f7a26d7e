//! Scores of quiet moves, computed while the moves are generated: everything that does not depend on the target is
//! looked up once for each piece.

use crate::history::Quiets;
use crate::scored::ScoredMoves;
use crate::threats::Hints;
use bartizan_position::{MoveSink, Position, pawn_origin};
use bartizan_types::{Bitboard, Move, PieceType, Square};

/// Collects quiet moves with the scores of their histories and hints.
pub(crate) struct QuietSink<'a> {
    pub(crate) position: &'a Position,
    pub(crate) quiets: Quiets<'a>,
    pub(crate) hints: Hints,
    /// Legal moves to exclude.
    pub(crate) excluded: [Option<Move>; 4],
    pub(crate) moves: &'a mut ScoredMoves,
}

impl QuietSink<'_> {
    /// Removes the targets of the excluded moves from a square.
    #[inline]
    fn without_excluded(&self, from: Square, to: Bitboard) -> Bitboard {
        self.excluded.iter().flatten().fold(to, |to, mv| if mv.from() == from { to - mv.to().bitboard() } else { to })
    }
}

impl MoveSink for QuietSink<'_> {
    #[inline]
    fn piece(&mut self, piece_type: PieceType, from: Square, to: Bitboard) {
        let rows = self.quiets.of(piece_type);
        let hints = self.hints.of(piece_type, from);
        for to in self.without_excluded(from, to) {
            let mv = Move::normal(from, to);
            self.moves.push(mv, rows.score(mv) + hints.score(self.position, mv));
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, behind: i8) {
        let rows = self.quiets.of(PieceType::Pawn);
        for to in to {
            let mv = Move::normal(pawn_origin(to, behind), to);
            if !self.excluded.contains(&Some(mv)) {
                let hints = self.hints.of(PieceType::Pawn, mv.from());
                self.moves.push(mv, rows.score(mv) + hints.score(self.position, mv));
            }
        }
    }

    #[inline]
    fn promotions(&mut self, _: Bitboard, _: i8) {}

    #[inline]
    fn en_passant(&mut self, _: Square, _: Square) {}

    #[inline]
    fn castling(&mut self, king: Square, rook: Square) {
        let mv = Move::castling(king, rook);
        if !self.excluded.contains(&Some(mv)) {
            let hints = self.hints.of(PieceType::King, king);
            self.moves.push(mv, self.quiets.of(PieceType::King).score(mv) + hints.score(self.position, mv));
        }
    }
}
