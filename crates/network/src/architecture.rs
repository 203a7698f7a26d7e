//! The shape of a network and the meaning of its inputs.

use crate::NetworkError;
use bartizan_position::Position;
use bartizan_types::{Color, File, Piece, Square};

/// Inputs for each bucket of king squares: 12 kinds of piece on 64 squares.
pub const PIECE_SQUARES: usize = 768;

/// The squares on which the king of a perspective can stand after mirroring: files a to d.
pub const KING_SQUARES: usize = 32;

/// The hidden neurons of a perspective are a multiple of this number.
pub const BLOCK: usize = 32;

/// The maximum number of hidden neurons of a perspective.
pub const MOST_HIDDEN: usize = 2048;

/// The maximum number of output buckets.
pub const MOST_OUTPUTS: usize = 32;

/// The shape of a network: (768 × king buckets) → hidden × 2 → 1 × output buckets.
///
/// There are two perspectives, the side to move first. Each sees the board from its own side: its own pieces are the
/// first six kinds, and for Black the squares are flipped vertically. If its king stands on the files e to h, the board
/// is mirrored, so that the king always stands on the files a to d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    hidden: usize,
    king_buckets: [u8; KING_SQUARES],
    outputs: usize,
}

impl Architecture {
    /// A shape with `hidden` neurons for each perspective and `outputs` output buckets. `king_buckets` has the bucket
    /// of each king square: a1, b1, c1, d1, a2 and so on, after mirroring and seen from the king's own side.
    ///
    /// # Errors
    /// [`NetworkError::Architecture`] if `hidden` is not a multiple of [`BLOCK`] up to [`MOST_HIDDEN`], if there is no
    /// output bucket or more than [`MOST_OUTPUTS`], or if the numbers of the king buckets have gaps.
    pub fn new(hidden: usize, king_buckets: [u8; KING_SQUARES], outputs: usize) -> Result<Self, NetworkError> {
        if hidden == 0 || !hidden.is_multiple_of(BLOCK) || hidden > MOST_HIDDEN {
            return Err(NetworkError::Architecture("the number of hidden neurons"));
        }
        if outputs == 0 || outputs > MOST_OUTPUTS {
            return Err(NetworkError::Architecture("the number of output buckets"));
        }
        let used =
            king_buckets.iter().fold(0_u64, |used, &bucket| used | 1_u64.checked_shl(bucket.into()).unwrap_or(0));
        let is_complete = usize::from(king_buckets.into_iter().max().unwrap_or(0)) < KING_SQUARES
            && used.wrapping_add(1).is_power_of_two();
        if !is_complete {
            return Err(NetworkError::Architecture("the numbers of the king buckets"));
        }
        Ok(Self { hidden, king_buckets, outputs })
    }

    /// A shape with one king bucket and one output bucket.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn plain(hidden: usize) -> Result<Self, NetworkError> {
        Self::new(hidden, [0; KING_SQUARES], 1)
    }

    /// Hidden neurons of a perspective.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Output buckets.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The bucket of each king square, as in [`new`](Self::new).
    pub fn king_buckets(&self) -> &[u8; KING_SQUARES] {
        &self.king_buckets
    }

    /// The number of king buckets.
    pub fn king_bucket_count(&self) -> usize {
        1 + usize::from(self.king_buckets.iter().copied().max().unwrap_or(0))
    }

    /// The number of inputs of a perspective.
    pub fn inputs(&self) -> usize {
        PIECE_SQUARES * self.king_bucket_count()
    }

    /// The view of a perspective with its king on this square.
    #[inline]
    pub fn view(&self, perspective: Color, king: Square) -> Perspective {
        let king = king.relative_to(perspective);
        let is_mirrored = king.file() >= File::E;
        let king = if is_mirrored { king.flip_file() } else { king };
        let bucket = self.king_buckets[king.rank() as usize * 4 + king.file() as usize];
        Perspective { perspective, is_mirrored, bucket }
    }

    /// The output bucket of a position: the men on the board, from 2 to 32, in ranges of equal size.
    #[inline]
    pub fn output(&self, position: &Position) -> usize {
        self.output_for(position.occupied().count() as usize)
    }

    /// The output bucket of a position with this number of men.
    #[inline]
    pub fn output_for(&self, men: usize) -> usize {
        (men.clamp(2, 32) - 2) * self.outputs / 31
    }
}

/// How a perspective sees the board. Different views share no inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    perspective: Color,
    is_mirrored: bool,
    bucket: u8,
}

impl Perspective {
    /// The number of the view among those of its perspective.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.bucket) * 2 + usize::from(self.is_mirrored)
    }

    /// The input of a piece on a square.
    #[inline]
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let square = square.relative_to(self.perspective);
        let square = if self.is_mirrored { square.flip_file() } else { square };
        let theirs = usize::from(piece.color() != self.perspective);
        let kind = theirs * 6 + piece.piece_type().index();
        usize::from(self.bucket) * PIECE_SQUARES + kind * Square::COUNT + square.index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_without_sense_are_refused() {
        for hidden in [0, 1, 33, MOST_HIDDEN + BLOCK] {
            assert!(Architecture::plain(hidden).is_err(), "{hidden}");
        }
        let shape = |buckets, outputs| Architecture::new(BLOCK, buckets, outputs);
        assert!(shape([0; KING_SQUARES], 0).is_err());
        assert!(shape([0; KING_SQUARES], MOST_OUTPUTS + 1).is_err());
        assert!(shape([1; KING_SQUARES], 1).is_err());
        assert!(shape([255; KING_SQUARES], 1).is_err());
        let all = std::array::from_fn(|square| square as u8);
        assert_eq!(shape(all, MOST_OUTPUTS).map(|shape| shape.king_bucket_count()), Ok(KING_SQUARES));
    }

    #[test]
    fn inputs_of_a_view_are_distinct_and_below_their_number() {
        let buckets = std::array::from_fn(|square| square as u8 / 8);
        let shape = Architecture::new(64, buckets, 8).unwrap();
        for (color, king) in [(Color::White, Square::E1), (Color::Black, Square::B7)] {
            let view = shape.view(color, king);
            let mut seen = vec![false; shape.inputs()];
            for piece in Piece::ALL {
                for square in Square::ALL {
                    assert!(!std::mem::replace(&mut seen[view.input(piece, square)], true));
                }
            }
        }
    }

    #[test]
    fn output_buckets_divide_the_number_of_men() {
        let shape = Architecture::new(32, [0; KING_SQUARES], 8).unwrap();
        assert_eq!(shape.output(Position::startpos_ref()), 7);
        let kings: Position = "8/8/8/4k3/8/8/4K3/8 w - - 0 1".parse().unwrap();
        assert_eq!(shape.output(&kings), 0);
    }
}
