//! Measures how long a 200 MB book takes to open, and how many positions are found per second: `cargo run --release -p
//! bartizan-book --example large_book`. It writes the book to the folder for temporary files.
#![allow(clippy::print_stdout)] // A program prints its results.

use bartizan_book::{Book, BookEntry, ENTRY_SIZE, PolyglotKey, PolyglotMove};
use bartizan_types::SplitMix64;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

const ENTRIES: u64 = 200_000_000 / ENTRY_SIZE as u64;

const LOOKUPS: u32 = 200_000;

/// The key of an entry. The keys are spread evenly; keys in between are not in the book.
const fn key(number: u64) -> u64 {
    number * (u64::MAX / ENTRIES)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("book.bin");
    let mut writer = BufWriter::new(File::create(&path)?);
    for number in 0..ENTRIES {
        let entry = BookEntry { key: PolyglotKey(key(number)), mv: PolyglotMove(0), weight: 1, learn: 0 };
        writer.write_all(&entry.to_bytes())?;
    }
    writer.flush()?;
    let start = Instant::now();
    let book = Book::open(&path)?;
    println!("{ENTRIES} entries: opened in {:.2?}", start.elapsed());
    let mut random = SplitMix64::new(1);
    for (name, past) in [("positions of the book", 0), ("other positions", 1)] {
        let keys: Vec<u64> = (0..LOOKUPS).map(|_| key(random.below(ENTRIES as usize) as u64) + past).collect();
        let start = Instant::now();
        let mut found = 0;
        for &key in &keys {
            found += book.entries(PolyglotKey(key))?.len();
        }
        let speed = f64::from(LOOKUPS) / start.elapsed().as_secs_f64();
        println!("{name}: {found} moves for {LOOKUPS} keys, {speed:.0} lookups a second");
    }
    Ok(())
}
