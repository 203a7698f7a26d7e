//! Opening books, and the hand-made lines from which they are built.

use crate::take_byte;
use bartizan_book::{Book, BookEntry, BuildOptions, Builder, PolyglotKey};
use bartizan_position::Position;

/// The first byte decides whether the rest is a book, a book that is first sorted, or a file of hand-made lines.
pub fn book(mut data: &[u8]) {
    match take_byte(&mut data) % 3 {
        0 => read(data.to_vec()),
        1 => {
            let mut entries: Vec<BookEntry> = data.as_chunks().0.iter().map(BookEntry::from_bytes).collect();
            // Some entries belong to the starting position.
            let start = PolyglotKey::of(&Position::startpos());
            entries.iter_mut().filter(|entry| entry.key.0 % 4 == 0).for_each(|entry| entry.key = start);
            entries.sort_unstable();
            read(entries.iter().flat_map(|entry| entry.to_bytes()).collect());
        }
        _ => build(&String::from_utf8_lossy(data)),
    }
}

/// Accepted books are sorted, every entry is found, and all moves are legal.
fn read(bytes: Vec<u8>) {
    let length = bytes.len() as u64;
    let book = match Book::from_bytes(bytes) {
        Ok(book) => book,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(book.len() * 16, length);
    let all: Vec<BookEntry> = book.iter().collect::<Result<_, _>>().expect("memory can be read");
    assert!(all.is_sorted_by_key(|entry| entry.key));
    for entry in all.iter().step_by(1 + all.len() / 16) {
        assert!(book.entries(entry.key).expect("memory can be read").contains(entry));
    }
    let start = Position::startpos();
    for found in book.moves(&start, None).expect("memory can be read") {
        assert!(start.is_legal(found.mv));
    }
}

/// A book of hand-made lines can be read, and has the same bytes each time.
fn build(text: &str) {
    let build = || {
        let mut builder = Builder::new(BuildOptions::default(), &std::env::temp_dir());
        let moves = builder.annotate(text).map_err(|error| assert!(error.to_string().starts_with("line "))).ok()?;
        let mut bytes = Vec::new();
        let write = |entry: BookEntry| {
            bytes.extend(entry.to_bytes());
            Ok(())
        };
        let counts = builder.finish(write).expect("nothing is written to disk");
        assert_eq!(counts.entries, moves as u64);
        Some(bytes)
    };
    let Some(bytes) = build() else { return };
    assert_eq!(build().as_ref(), Some(&bytes));
    if !bytes.is_empty() {
        Book::from_bytes(bytes).expect("a built book can be read");
    }
}
