//! Which moves give check, looked at once for all moves of a position.

use crate::movegen::{MoveSink, origin};
use crate::{MoveList, Position, Stage};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, ByPieceType, Move, MoveKind, PieceType, Square};

/// What decides whether a move of the side to move gives check: the squares from which each type of piece attacks the enemy
/// king, and the pieces that uncover an attack by leaving its line.
///
/// Made by [`Position::check_info`], for positions of which many moves are asked; a single one is [`Position::gives_check`]'s.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    king: Square,
    squares: ByPieceType<Bitboard>,
    blockers: Bitboard,
}

impl CheckInfo {
    /// The squares from which a piece of this type would give check, none for the king.
    #[inline]
    pub fn squares(&self, piece_type: PieceType) -> Bitboard {
        self.squares[piece_type]
    }

    /// Our pieces and pawns that alone stand between the enemy king and a slider of ours.
    #[inline]
    pub fn blockers(&self) -> Bitboard {
        self.blockers
    }

    /// Where something on `from` gives check by arriving, or by having left.
    #[inline]
    fn targets(&self, piece_type: PieceType, from: Square) -> Bitboard {
        let direct = self.squares[piece_type];
        if self.blockers.contains(from) { direct | !attacks::line(self.king, from) } else { direct }
    }
}

impl Position {
    /// What [`Position::gives_check_with`] asks of the position.
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

    /// [`Position::gives_check`] for one of several legal moves; `info` is [`Position::check_info`] of this position.
    #[inline]
    pub fn gives_check_with(&self, info: &CheckInfo, mv: Move) -> bool {
        match (mv.kind(), self.piece_at(mv.from())) {
            (MoveKind::Normal, Some(piece)) => info.targets(piece.piece_type(), mv.from()).contains(mv.to()),
            _ => self.gives_check(mv),
        }
    }

    /// Calls a function with each legal quiet move that gives check, in the order of [`Position::for_each_move`].
    #[inline]
    pub fn for_each_quiet_check(&self, f: impl FnMut(Move)) {
        self.generate(Stage::Quiets, &mut QuietChecks { position: self, info: self.check_info(), f });
    }

    /// The legal quiet moves that give check.
    pub fn quiet_checks(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_quiet_check(|mv| list.push(mv));
        list
    }
}

/// Hands those quiet moves that give check to a function.
struct QuietChecks<'a, F> {
    position: &'a Position,
    info: CheckInfo,
    f: F,
}

impl<F: FnMut(Move)> QuietChecks<'_, F> {
    /// A move that is more than one piece on another square.
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
            let from = origin(to, behind);
            if self.info.targets(PieceType::Pawn, from).contains(to) {
                (self.f)(Move::normal(from, to));
            }
        }
    }

    #[inline]
    fn promotions(&mut self, to: Bitboard, behind: i8) {
        for to in to {
            for piece_type in PieceType::PROMOTIONS {
                self.special(Move::promotion(origin(to, behind), to, piece_type));
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
