//! Checking moves, computed for many moves of a position at once.

use crate::movegen::{MoveSink, pawn_origin};
use crate::{MoveGenStage, MoveList, Position};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, ByPieceType, Move, MoveKind, PieceType, Square};

/// The squares from which each type of piece would give check, and the pieces whose move may discover a check.
///
/// [`Position::check_info`] computes it once for [`Position::gives_check_with`]. To test a single move, use
/// [`Position::gives_check`].
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    king: Square,
    squares: ByPieceType<Bitboard>,
    blockers: Bitboard,
}

impl CheckInfo {
    /// The squares from which a piece of this type gives check; empty for the king.
    #[inline]
    pub fn squares(&self, piece_type: PieceType) -> Bitboard {
        self.squares[piece_type]
    }

    /// The pieces of the side to move, each of which alone shields the enemy king from one of that side's sliders.
    #[inline]
    pub fn blockers(&self) -> Bitboard {
        self.blockers
    }

    /// The squares on which a piece from `from` gives check, directly or by discovery.
    #[inline]
    fn targets(&self, piece_type: PieceType, from: Square) -> Bitboard {
        let direct = self.squares[piece_type];
        if self.blockers.contains(from) { direct | !attacks::line(self.king, from) } else { direct }
    }
}

impl Position {
    /// Computes the information that [`Position::gives_check_with`] needs.
    pub fn check_info(&self) -> CheckInfo {
        let us = self.turn();
        let king = self.king(!us);
        let occupied = self.occupied();
        let ours = self.color(us);
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let (pawn, knight) = (attacks::pawn(!us, king), attacks::knight(king));
        let blockers = self.scan_sliders(king, ours, occupied).blockers & ours;
        let squares = ByPieceType([pawn, knight, bishop, rook, bishop | rook, Bitboard::EMPTY]);
        CheckInfo { king, squares, blockers }
    }

    /// Whether a legal move gives check, faster than [`Position::gives_check`] if many moves are tested. `info` must be
    /// the [`Position::check_info`] of this position.
    #[inline]
    pub fn gives_check_with(&self, info: &CheckInfo, mv: Move) -> bool {
        match (mv.kind(), self.piece_at(mv.from())) {
            (MoveKind::Normal, Some(piece)) => info.targets(piece.piece_type(), mv.from()).contains(mv.to()),
            _ => self.gives_check(mv),
        }
    }

    /// Calls `f` with each legal quiet move that gives check, in the order of [`Position::for_each_move`].
    #[inline]
    pub fn for_each_quiet_check(&self, f: impl FnMut(Move)) {
        self.generate(MoveGenStage::Quiets, &mut QuietChecks { position: self, info: self.check_info(), f });
    }

    /// The legal quiet moves that give check.
    pub fn quiet_checks(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_quiet_check(|mv| list.push(mv));
        list
    }
}

/// Passes the quiet moves that give check to a function.
struct QuietChecks<'a, F> {
    position: &'a Position,
    info: CheckInfo,
    f: F,
}

impl<F: FnMut(Move)> QuietChecks<'_, F> {
    /// Tests a promotion, en passant capture or castling.
    fn special(&mut self, mv: Move) {
        if self.position.gives_check(mv) {
            (self.f)(mv);
        }
    }
}

impl<F: FnMut(Move)> MoveSink for QuietChecks<'_, F> {
    #[inline]
    fn piece(&mut self, piece_type: PieceType, from: Square, to: Bitboard) {
        for to in to & self.info.targets(piece_type, from) {
            (self.f)(Move::normal(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, to: Bitboard, behind: i8) {
        for to in to {
            let from = pawn_origin(to, behind);
            if self.info.targets(PieceType::Pawn, from).contains(to) {
                (self.f)(Move::normal(from, to));
            }
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, behind: i8) {
        for to in to {
            for piece_type in PieceType::PROMOTIONS {
                self.special(Move::promotion(pawn_origin(to, behind), to, piece_type));
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.special(Move::en_passant(from, to));
    }

    #[inline]
    fn castling(&mut self, king: Square, rook: Square) {
        self.special(Move::castling(king, rook));
    }
}
