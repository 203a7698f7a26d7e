//! A minimal program that builds a book, to measure the library without the rest of the tools: `cargo run --release -p
//! bartizan-book --example make_book -- GAMES.pgn BOOK.bin MAX_PLY MIN_COUNT`.
#![allow(clippy::print_stdout)] // A program prints its results.

use bartizan_book::{BuildOptions, Builder};
use bartizan_notation::pgn::{PgnGame, PgnReader};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, book, max_ply, min_count] = &arguments[..] else {
        return Err("expected GAMES.pgn BOOK.bin MAX_PLY MIN_COUNT".into());
    };
    let mut options = BuildOptions::default();
    options.max_ply = max_ply.parse()?;
    options.min_count = min_count.parse()?;
    let mut reader = PgnReader::new(File::open(games)?).max_plies(options.max_ply);
    let mut builder = Builder::new(options, Path::new("."));
    let mut game = PgnGame::default();
    while let Some(read) = reader.read_next(&mut game) {
        match read {
            Ok(()) => builder.add_game(&game)?,
            Err(error) => println!("{error}, skipped"),
        }
    }
    let mut writer = BufWriter::new(File::create(book)?);
    let counts = builder.finish(|entry| writer.write_all(&entry.to_bytes()))?;
    writer.flush()?;
    println!("{} games: {} positions, {} moves", counts.games, counts.positions, counts.entries);
    Ok(())
}
