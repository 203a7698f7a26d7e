//! Writes `testdata/zobrist/golden.txt`:
//! `cargo run -p bartizan-position --example zobrist_golden > testdata/zobrist/golden.txt`
#![allow(clippy::print_stdout)] // A command-line program prints its results.

use bartizan_position::Position;
use bartizan_types::Color;

fn main() {
    println!("# FEN; key of the position; of the pawns; of white's other pieces; of black's; of the material");
    let suites = ["classic", "tricky", "chess960"].map(bartizan_testkit::perft_suite);
    for case in suites.iter().flat_map(|suite| suite.iter().step_by(suite.len().div_ceil(24))) {
        let Ok(position) = Position::from_fen(&case.fen) else { continue };
        println!(
            "{position:#};{};{};{};{};{}",
            position.key(),
            position.pawn_key(),
            position.non_pawn_key(Color::White),
            position.non_pawn_key(Color::Black),
            position.material_key()
        );
    }
}
