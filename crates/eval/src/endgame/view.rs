//! A position as the stronger side sees it.

use super::Force;
use bartizan_position::Position;
use bartizan_types::{Bitboard, Color, File, PieceType, Square};

/// A position turned so that the stronger side plays up the board, as White does. Whoever asks a view for squares cannot
/// treat the two colours differently.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    position: &'a Position,
    strong: Color,
    mirrored: bool,
    /// The king of the stronger side.
    pub(super) strong_king: Square,
    /// The king of the other side.
    pub(super) weak_king: Square,
    /// Whose move it is.
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

    /// Mirrored left to right if that brings the stronger side's first pawn to files a to d, where the rules that go by
    /// files are written down.
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

    /// What both sides have, the stronger one first.
    pub(super) fn forces(&self) -> (Force, Force) {
        (Force::in_position(self.position, self.strong), Force::in_position(self.position, !self.strong))
    }

    /// 1 if the stronger side is to move: a tempo in a race.
    pub(super) fn tempo(&self) -> i32 {
        i32::from(self.strong_to_move)
    }

    /// Whether the side to move has no move. Costs what generating a king's moves costs.
    pub(super) fn no_legal_move(&self) -> bool {
        !self.position.has_legal_move()
    }

    fn turned(&self, squares: Bitboard) -> Bitboard {
        let squares = if self.strong.is_white() { squares } else { squares.flip_ranks() };
        if self.mirrored { squares.flip_files() } else { squares }
    }
}

/// King moves between two squares, as a number to reckon with.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    i32::from(a.distance(b))
}

/// Steps from the middle four squares to the rim: 0 to 3 for files and ranks each, added.
pub(super) fn off_centre(square: Square) -> i32 {
    let off = |index: usize| if index < 4 { 3 - index as i32 } else { index as i32 - 4 };
    off(square.file().index()) + off(square.rank().index())
}
