//! Generates `src/endgame/kbnk.bin`, the plies to mate with bishop and knight by the squares of the kings and the
//! knight:
//!
//!     cargo run --release -p bartizan-eval --example kbnk > crates/eval/src/endgame/kbnk.bin
//!
//! The ending is solved by retrograde analysis, with the bishop on dark squares. Each byte holds the plies to mate with
//! the bare king to move and the bishop on its best square, which it usually reaches in one or two moves; 255 if the
//! kings are adjacent or there is no mate.
//!
//! The table has 4,096 bytes for each square of the bare king in the triangle a1, h1, d4/e4, rank by rank: 64 squares
//! of the other king times 64 of the knight. Other squares of the bare king are mirror images.

use bartizan_testkit::PieceMates;
use bartizan_types::{Bitboard, Color, PieceType, Square};
use std::io::Write as _;

/// The bare king is not lost, or the position is illegal.
const NO_MATE: u8 = u8::MAX;

fn main() -> std::io::Result<()> {
    let mates = PieceMates::solve(&[PieceType::Bishop, PieceType::Knight]);
    let mut table = Vec::new();
    for rank in 0..4 {
        for file in rank..8 - rank {
            let weak = Square::from_index(rank * 8 + file);
            for strong in Square::ALL {
                table.extend(Square::ALL.map(|knight| best_case(&mates, weak, strong, knight)));
            }
        }
    }
    std::io::stdout().write_all(&table)
}

/// Plies to mate with the bishop on its best square.
fn best_case(mates: &PieceMates, weak: Square, strong: Square, knight: Square) -> u8 {
    let plies =
        Bitboard::DARK.into_iter().filter_map(|bishop| mates.plies_at(Color::Black, weak, strong, &[bishop, knight]));
    plies.min().map_or(NO_MATE, |plies| plies as u8)
}
