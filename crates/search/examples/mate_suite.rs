//! Generates the suite of mates: positions from random games, each with its distance to mate in moves.
//!
//! `cargo run --release -p bartizan-search --example mate_suite > testdata/mates/mates.epd`
//!
//! The distances come from a plain solver that tries every move, independent of the search that the suite tests.
#![allow(clippy::print_stdout)]

use bartizan_position::Position;
use bartizan_types::SplitMix64;

/// The number of positions with each distance, from mate in one.
const WANTED: [usize; 4] = [40, 40, 40, 20];

/// Mates in four are only searched for in positions with at most this many moves, to limit the time.
const FEW_MOVES: usize = 14;

/// Whether the side to move can force mate in at most `moves` moves.
fn mates_in(position: &Position, moves: u32) -> bool {
    position.legal_moves().iter().any(|&mv| {
        let next = position.play_unchecked(mv);
        if moves == 1 || next.in_check() && !next.has_legal_move() {
            return next.is_checkmate();
        }
        let replies = next.legal_moves();
        !replies.is_empty() && replies.iter().all(|&reply| mates_in(&next.play_unchecked(reply), moves - 1))
    })
}

fn main() {
    let mut random = SplitMix64::new(2_026);
    let mut left = WANTED;
    while left.iter().any(|&count| count > 0) {
        let mut position = Position::startpos();
        // At most one position from each game, for variety.
        for _ in 0..300 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() > 80 {
                break;
            }
            // By the remainder, not by `below`: another method would change the generated suite.
            position = position.play_unchecked(moves[(random.next_u64() % moves.len() as u64) as usize]);
            let few = position.legal_moves().len() <= FEW_MOVES && position.occupied().count() <= 8;
            let most = if few { 4 } else { 2 + u32::from(position.occupied().count() <= 16) };
            let Some(distance) = (1..=most).find(|&moves| mates_in(&position, moves)) else { continue };
            let count = &mut left[distance as usize - 1];
            if *count > 0 && position.halfmove_clock() < 50 {
                *count -= 1;
                let fen = position.to_string();
                let fields: Vec<&str> = fen.split(' ').take(4).collect();
                println!("{} dm {distance};", fields.join(" "));
                break;
            }
        }
    }
}
