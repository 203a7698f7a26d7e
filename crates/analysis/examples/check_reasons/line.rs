//! A line with what happens to the men along it.

use crate::rules::worth;
use bartizan_position::Position;
use bartizan_types::{CastlingSide, Color, Move, PieceType, Square};

/// A legal line. The moves with even indices are the winner's.
pub(crate) struct Line<'a> {
    pub(crate) moves: &'a [Move],
    /// One more than there are moves.
    pub(crate) positions: &'a [Position],
    pub(crate) winner: Color,
}

/// Where a man stands after a move; `None` if it is captured.
fn moved(position: &Position, mv: Move, square: Square) -> Option<Square> {
    if captured_square(position, mv) == Some(square) {
        None
    } else if mv.from() == square {
        Some(mv.destination())
    } else if mv.is_castling() && mv.to() == square {
        Some(CastlingSide::of(mv.from(), mv.to()).rook_target(position.turn()))
    } else {
        Some(square)
    }
}

/// The square of the man that a move captures.
pub(crate) fn captured_square(position: &Position, mv: Move) -> Option<Square> {
    if mv.is_en_passant() {
        Some(Square::new(mv.to().file(), mv.from().rank()))
    } else {
        position.is_capture(mv).then(|| mv.to())
    }
}

impl Line<'_> {
    /// The position before a move.
    pub(crate) fn at(&self, index: usize) -> &Position {
        &self.positions[index]
    }

    /// The position after a move.
    pub(crate) fn after(&self, index: usize) -> &Position {
        &self.positions[index + 1]
    }

    /// The last position.
    pub(crate) fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// Where the man that stands on a square before the move `since` stands before the move `index`.
    pub(crate) fn follow(&self, square: Square, since: usize, index: usize) -> Option<Square> {
        (since..index).try_fold(square, |square, ply| moved(self.at(ply), self.moves[ply], square))
    }

    /// Where the man that stands on a square before the move `index` stood at the start of the line.
    pub(crate) fn origin(&self, square: Square, index: usize) -> Option<Square> {
        let mut men = self.at(0).placement().map(|(origin, _)| origin);
        men.find(|&origin| self.follow(origin, 0, index) == Some(square))
    }

    /// The index of the winner's move, from `since` on, that captures the man on a square before the move `since`.
    pub(crate) fn capture_of(&self, square: Square, since: usize) -> Option<usize> {
        let takes = |&index: &usize| {
            let target = captured_square(self.at(index), self.moves[index]);
            target.is_some() && target == self.follow(square, since, index)
        };
        (since..self.moves.len()).filter(|index| index % 2 == 0).find(takes)
    }

    /// The same, but only while the man has not moved.
    pub(crate) fn capture_at(&self, square: Square, since: usize) -> Option<usize> {
        self.capture_of(square, since).filter(|&index| self.follow(square, since, index) == Some(square))
    }

    /// The kind of the other side's man on a square before a move.
    pub(crate) fn enemy(&self, index: usize, square: Square) -> Option<PieceType> {
        man(self.at(index), square, !self.winner)
    }
}

/// The kind of a side's man on a square.
pub(crate) fn man(position: &Position, square: Square, color: Color) -> Option<PieceType> {
    position.piece_at(square).filter(|piece| piece.color() == color).map(|piece| piece.piece_type())
}

/// Whether a man is worth more than another; a king more than all.
pub(crate) fn is_worth_more(a: PieceType, b: PieceType) -> bool {
    worth(a) > worth(b)
}
