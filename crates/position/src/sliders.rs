//! Scans the lines through a square for sliders: checks, pins and discovered attacks.

use crate::Position;
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, Square};

/// The result of [`Position::scan_sliders`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SliderScan {
    /// The sliders that attack the square.
    pub attackers: Bitboard,
    /// The pieces, of either colour, each of which alone shields the square from a slider.
    pub blockers: Bitboard,
}

impl Position {
    /// Scans the ranks, files and diagonals through `square` for bishops, rooks and queens.
    ///
    /// Only sliders in `candidates` count. `occupied` decides which squares are blocked, so that the scan also works
    /// for a board on which pieces have moved.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_types::{Color, Square};
    ///
    /// let position = Position::from_fen("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1")?;
    /// let scan = position.scan_sliders(Square::E1, position.color(Color::Black), position.occupied());
    /// assert!(scan.attackers.is_empty());
    /// assert_eq!(scan.blockers, Square::E2.bitboard());
    /// # Ok::<(), bartizan_position::PositionError>(())
    /// ```
    #[inline(always)]
    pub fn scan_sliders(&self, square: Square, candidates: Bitboard, occupied: Bitboard) -> SliderScan {
        let aligned = (attacks::rook_rays(square) & self.orthogonal_sliders()
            | attacks::bishop_rays(square) & self.diagonal_sliders())
            & candidates;
        let mut scan = SliderScan::default();
        for slider in aligned {
            let between = attacks::between(square, slider) & occupied;
            if between.is_empty() {
                scan.attackers |= slider.bitboard();
            } else if !between.has_many() {
                scan.blockers |= between;
            }
        }
        scan
    }
}
