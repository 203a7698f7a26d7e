//! Measures how long a table of whole games takes to make, beside `python/bench/speeds.py`: `cargo run --release -p
//! bartizan-games --features arrow --example table -- GAMES.pgn`.
#![allow(clippy::print_stdout)] // A program prints its results.

use bartizan_games::table::{GameTable, TableOptions};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("expected a PGN file")?;
    let data = std::fs::read(path)?;
    for _ in 0..7 {
        let (mut games, begin) = (0, Instant::now());
        for batch in GameTable::new(data.as_slice(), TableOptions::default()) {
            games += batch?.len();
        }
        let microseconds = begin.elapsed().as_secs_f64() * 1e6;
        println!("{games} games, {:.2} µs a game", microseconds / games.max(1) as f64);
    }
    Ok(())
}
