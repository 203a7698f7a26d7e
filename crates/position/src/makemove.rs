//! Making moves. There is no unmake: callers that need the old position keep a copy.
//!
//! A search or a perft copies the position and makes the move on the copy, with [`Position::make_unchecked`] or
//! [`Position::make_observed`]. [`Position::play_unchecked`] does both in one call, but the compiler then often copies
//! the result again, and reading 256 bytes just after some of them were written stalls the processor: a perft that uses
//! it is a quarter slower.

use crate::{IllegalMove, Position, zobrist};
use bartizan_types::{CastlingSide, Color, Move, MoveKind, Piece, PieceType, Square};

/// Receives the changes that a move makes to the board, piece by piece, so that an evaluation can update its sums or
/// accumulators incrementally.
pub trait Observer {
    /// Called when a piece is put on an empty square.
    fn put(&mut self, piece: Piece, square: Square);
    /// Called when a piece is removed from the board.
    fn take(&mut self, piece: Piece, square: Square);
    /// Called when a piece moves to an empty square.
    #[inline]
    fn step(&mut self, piece: Piece, from: Square, to: Square) {
        self.take(piece, from);
        self.put(piece, to);
    }
}

/// Ignores all changes, at no cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    #[inline]
    fn put(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn take(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn step(&mut self, _: Piece, _: Square, _: Square) {}
}

impl Position {
    /// Returns the position after a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal.
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) { Ok(self.play_unchecked(mv)) } else { Err(IllegalMove::new(mv)) }
    }

    /// Returns the position after a move that is known to be legal: a generated move, or one tested by
    /// [`Position::is_legal`].
    ///
    /// An illegal move yields an invalid position or a panic, never undefined behaviour.
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.make_unchecked(mv);
        next
    }

    /// Returns the position after a null move: the other side is to move. `None` in check, where a null move is not
    /// allowed.
    #[inline]
    #[must_use]
    pub fn play_null(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = self.clone();
        next.make_null_unchecked();
        Some(next)
    }

    /// Makes a null move; the side to move must not be in check. In check it yields an invalid position, whose king can
    /// be captured, or a panic, never undefined behaviour.
    #[inline]
    pub fn make_null_unchecked(&mut self) {
        debug_assert!(!self.in_check());
        self.clear_en_passant();
        self.count_halfmove();
        self.pass_turn();
        self.update_checks();
    }

    /// Makes a move that is known to be legal. An illegal move yields an invalid position or a panic, never undefined
    /// behaviour.
    #[inline]
    pub fn make_unchecked(&mut self, mv: Move) {
        self.make_observed(mv, &mut NoObserver);
    }

    /// Like [`Position::make_unchecked`], and reports every piece that is placed, removed or moved to `observer`.
    #[inline]
    pub fn make_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else {
            debug_assert!(false, "no piece on {from}");
            return;
        };
        self.clear_en_passant();
        self.count_halfmove();
        let mut skipped = None;
        match mv.kind() {
            MoveKind::Normal => {
                if let Some(captured) = self.piece_at(to) {
                    self.capture(captured, to, observer);
                }
                self.relocate(piece, from, to, observer);
                if piece.piece_type() == PieceType::Pawn {
                    self.reset_halfmove_clock();
                    if from.index().abs_diff(to.index()) == 16 {
                        skipped = Some(Square::from_index((from.index() + to.index()) / 2));
                    }
                }
            }
            MoveKind::Promotion(piece_type) => {
                if let Some(captured) = self.piece_at(to) {
                    self.capture(captured, to, observer);
                }
                self.promote(piece, from, piece_type.of(us), to, observer);
            }
            MoveKind::EnPassant => {
                let victim = Square::new(to.file(), from.rank());
                self.capture(PieceType::Pawn.of(!us), victim, observer);
                self.relocate(piece, from, to, observer);
            }
            MoveKind::Castling => self.castle(us, from, to, observer),
        }

        let lost = self.castling().rooks() & (from.bitboard() | to.bitboard());
        if piece.piece_type() == PieceType::King || lost.any() {
            let mut rights = self.castling().without(lost);
            if piece.piece_type() == PieceType::King {
                rights = rights.without_color(us);
            }
            if rights != self.castling() {
                self.set_castling(rights);
            }
        }
        self.pass_turn();
        self.update_checks();
        if let Some(square) = skipped {
            self.set_en_passant_if_legal(square);
        }
    }

    #[inline]
    fn relocate<O: Observer>(&mut self, piece: Piece, from: Square, to: Square, observer: &mut O) {
        self.move_piece(piece, from, to);
        self.keys.step(piece, from, to);
        observer.step(piece, from, to);
    }

    #[inline]
    fn capture<O: Observer>(&mut self, captured: Piece, square: Square, observer: &mut O) {
        self.take_piece(captured, square);
        let left = self.pieces(captured.color(), captured.piece_type()).count();
        self.keys.material ^= zobrist::count_step(captured, left);
        self.keys.toggle(captured, square);
        observer.take(captured, square);
        self.reset_halfmove_clock();
    }

    fn promote<O: Observer>(&mut self, pawn: Piece, from: Square, promoted: Piece, to: Square, observer: &mut O) {
        self.capture(pawn, from, observer);
        let before = self.pieces(promoted.color(), promoted.piece_type()).count();
        self.keys.material ^= zobrist::count_step(promoted, before);
        self.put_piece(promoted, to);
        self.keys.toggle(promoted, to);
        observer.put(promoted, to);
    }

    /// Moves king and rook. In Chess960 each may land on the other's square, so both are taken off the board first.
    fn castle<O: Observer>(&mut self, us: Color, king_from: Square, rook_from: Square, observer: &mut O) {
        let side = CastlingSide::of(king_from, rook_from);
        let (king, rook) = (PieceType::King.of(us), PieceType::Rook.of(us));
        let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
        self.take_piece(king, king_from);
        self.take_piece(rook, rook_from);
        self.put_piece(king, king_to);
        self.put_piece(rook, rook_to);
        self.keys.step(king, king_from, king_to);
        self.keys.step(rook, rook_from, rook_to);
        observer.take(king, king_from);
        observer.take(rook, rook_from);
        observer.put(king, king_to);
        observer.put(rook, rook_to);
    }
}
