//! Slider attacks computed square by square.
//!
//! The build script of `bartizan-attacks` and `cargo xtask magics` compute the fast tables from these functions, and
//! tests compare the tables with them.

use crate::{Bitboard, Direction, Square};

/// The squares that a slider on `square` attacks in `directions`, up to and including the first occupied one.
pub fn slider_attacks(square: Square, directions: &[Direction], occupied: Bitboard) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    for &direction in directions {
        let mut at = square;
        while let Some(next) = at.step(direction) {
            attacks |= next.bitboard();
            if occupied.contains(next) {
                break;
            }
            at = next;
        }
    }
    attacks
}

/// The squares whose occupancy affects the attacks of a slider on `square`: its rays without their last squares.
pub fn relevant_blockers(square: Square, directions: &[Direction]) -> Bitboard {
    let mut mask = Bitboard::EMPTY;
    for &direction in directions {
        let mut at = square;
        while let Some(next) = at.step(direction) {
            if next.step(direction).is_some() {
                mask |= next.bitboard();
            }
            at = next;
        }
    }
    mask
}
