//! Distances to mate in small endings. They are solved when a test asks for them, by code that shares nothing with the
//! engine's search, bitbase and tablebases.

mod pawn;
mod pieces;

pub use pawn::KingAndPawnMates;
pub use pieces::PieceMates;

use bartizan_position::Position;
use bartizan_types::{Bitboard, Direction, Square};

/// The distances to mate in an ending and in the endings that it can turn into.
pub trait Mates {
    /// Plies to mate with best play; `None` for a draw. White has the pieces, Black the bare king.
    fn plies(&self, position: &Position) -> Option<u32>;
}

/// Marks draws, illegal positions and positions that are not solved yet.
const NO_MATE: u8 = u8::MAX;

fn distance(plies: u8) -> Option<u32> {
    (plies != NO_MATE).then_some(plies.into())
}

fn longest(plies: &[u8]) -> Option<u32> {
    plies.iter().filter_map(|&plies| distance(plies)).max()
}

fn king_steps(square: Square) -> Bitboard {
    Direction::ALL.into_iter().filter_map(|direction| square.step(direction)).collect()
}
