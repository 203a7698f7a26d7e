//! A position from the point of view of the stronger side.

use super::SideMaterial;
use crate::spans::files;
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, File, PieceType, Square};

/// A position turned so that the stronger side moves up the board, as White does.
///
/// Rules that read squares only through a view treat both colours alike.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    position: &'a Position,
    strong: Color,
    mirrored: bool,
    /// The king of the stronger side.
    pub(super) strong_king: Square,
    /// The king of the other side.
    pub(super) weak_king: Square,
    /// Whether the stronger side is to move.
    pub(super) strong_to_move: bool,
}

impl<'a> View<'a> {
    pub(super) fn new(position: &'a Position, strong: Color) -> Self {
        Self {
            position,
            strong,
            mirrored: false,
            strong_king: position.king(strong).relative_to(strong),
            weak_king: position.king(!strong).relative_to(strong),
            strong_to_move: position.turn() == strong,
        }
    }

    /// Mirrors the view if needed so that the stronger side's first pawn is on files a to d. Rules about files assume
    /// that.
    pub(super) fn with_pawn_on_queenside(&self) -> Self {
        match self.strong(PieceType::Pawn).first() {
            Some(pawn) if pawn.file() > File::D => Self {
                mirrored: !self.mirrored,
                strong_king: self.strong_king.flip_file(),
                weak_king: self.weak_king.flip_file(),
                ..*self
            },
            _ => *self,
        }
    }

    /// The stronger side's pieces of a type.
    pub(super) fn strong(&self, piece_type: PieceType) -> Bitboard {
        self.turned(self.position.pieces(self.strong, piece_type))
    }

    /// The other side's pieces of a type.
    pub(super) fn weak(&self, piece_type: PieceType) -> Bitboard {
        self.turned(self.position.pieces(!self.strong, piece_type))
    }

    /// The material of both sides, the stronger one first.
    pub(super) fn forces(&self) -> (SideMaterial, SideMaterial) {
        (SideMaterial::in_position(self.position, self.strong), SideMaterial::in_position(self.position, !self.strong))
    }

    /// Whether the pawns of both sides are on four adjacent files.
    pub(super) fn is_one_wing(&self) -> bool {
        let files = files(self.position.by_type(PieceType::Pawn));
        files.leading_zeros() + files.trailing_zeros() >= 4
    }

    /// 1 if the stronger side is to move, else 0: its extra tempo in a race.
    pub(super) fn tempo(&self) -> i32 {
        i32::from(self.strong_to_move)
    }

    /// Whether the side to move is stalemated. Costs about as much as generating the moves of a king.
    pub(super) fn is_stalemate(&self) -> bool {
        self.position.is_stalemate()
    }

    fn turned(&self, squares: Bitboard) -> Bitboard {
        let squares = if self.strong.is_white() { squares } else { squares.flip_ranks() };
        if self.mirrored { squares.flip_files() } else { squares }
    }
}

/// The number of king moves between two squares.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.distance(b))
}

/// The distance from the four centre squares, 0 to 3 for the file plus 0 to 3 for the rank.
pub(super) fn off_centre(square: Square) -> i32 {
    let off = |index: usize| if index < 4 { 3 - index as i32 } else { index as i32 - 4 };
    off(square.file().index()) + off(square.rank().index())
}
