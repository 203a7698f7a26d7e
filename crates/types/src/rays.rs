//! Slider attacks the slow way, square by square: the oracle that every fast table is checked against, and what
//! `build.rs` and `cargo xtask magics` build those tables from.

use crate::{Bitboard, Direction, Square};

/// The squares that a slider on `square` attacks in `directions`, up to and including the first one in `occupied`.
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

/// The squares whose occupation changes the attacks of a slider on `square`: its rays without their last squares.
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
