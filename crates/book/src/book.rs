//! Books: files in the Polyglot format.

use crate::entry::{BookEntry, ENTRY_SIZE};
use crate::source::{BLOCK, Source};
use crate::{BookError, PolyglotKey};
use bartizan_position::Position;
use bartizan_types::Move;
use std::borrow::Cow;
use std::path::Path;

/// The most entries that a position may have. No position has more than 218 legal moves.
pub const MAX_MOVES: usize = 256;

/// A legal move that a book contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// How often to play the move, relative to the other moves of the position; 0: never.
    pub weight: u16,
    /// What Polyglot has learnt about the move. Other programs write 0.
    pub learn: u32,
}

/// A Polyglot book.
///
/// All entries are checked when the book is opened. A file of up to 1 MiB is read into memory; a larger one is mapped,
/// and the first key of each 4 KiB block is kept, so that a 1 GB book takes 2 MB of memory and a lookup reads one
/// block. Several threads may use a book.
///
/// A program that replaces the file should rename the new one over it, as `bartizan-tools book build` does: then an
/// open book is unaffected. If a mapped file is truncated in place, the next lookup returns an error, unless the
/// truncation happens during the lookup: see [`bartizan_files::MappedFile`].
#[derive(Debug)]
pub struct Book {
    source: Source,
    /// The first key of each block.
    index: Vec<PolyglotKey>,
}

impl Book {
    /// Opens a file and checks its entries.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read, is empty, truncated, or not sorted.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BookError> {
        Self::check(Source::open(path.as_ref())?)
    }

    /// Reads a book from memory, for example from the bytes of `include_bytes!`, which are not copied.
    ///
    /// # Errors
    /// [`BookError`] if the book is empty, truncated, or not sorted.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, BookError> {
        Self::check(Source::Bytes(bytes.into()))
    }

    /// The book of the engine, which is compiled in with the feature `built-in`: see `testdata/book/SOURCE.md`.
    ///
    /// # Errors
    /// None, unless the program was built with a damaged book.
    #[cfg(feature = "built-in")]
    pub fn built_in() -> Result<Self, BookError> {
        Self::from_bytes(include_bytes!("../built-in.bin").as_slice())
    }

    fn check(source: Source) -> Result<Self, BookError> {
        let bytes = source.bytes();
        if bytes == 0 {
            return Err(BookError::Empty);
        }
        if !bytes.is_multiple_of(ENTRY_SIZE as u64) {
            return Err(BookError::Length { bytes });
        }
        let mut index = Vec::new();
        let (mut last, mut same) = (PolyglotKey(0), 0);
        let blocks = (bytes / ENTRY_SIZE as u64).div_ceil(BLOCK);
        // Several blocks at once, to make fewer system calls.
        for number in (0..blocks).step_by(16) {
            let entries = source.blocks(number, 16)?;
            index.extend(entries.iter().step_by(BLOCK as usize).map(|entry| entry.key));
            for (at, entry) in entries.iter().enumerate() {
                let key = entry.key;
                if key < last {
                    return Err(BookError::Unsorted { entry: number * BLOCK + at as u64 + 1, key });
                }
                same = if key == last { same + 1 } else { 1 };
                if same > MAX_MOVES {
                    return Err(BookError::Crowded { key });
                }
                last = key;
            }
        }
        Ok(Self { source, index })
    }

    /// The number of entries, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a book is never empty")]
    pub fn len(&self) -> u64 {
        self.source.bytes() / ENTRY_SIZE as u64
    }

    /// The entries of a key, in the order of the book. Their moves may be illegal.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read any more.
    pub fn entries(&self, key: PolyglotKey) -> Result<Vec<BookEntry>, BookError> {
        let mut found = Vec::new();
        // The entries of a key may begin in the block before the first one that begins with the key.
        let first = self.index.partition_point(|&begin| begin < key).saturating_sub(1);
        for number in first..self.index.len() {
            let block = self.source.block(number as u64)?;
            found.extend(block.iter().filter(|entry| entry.key == key));
            // The file may have been changed since it was checked.
            if found.len() > MAX_MOVES {
                return Err(BookError::Crowded { key });
            }
            if block.last().is_none_or(|entry| entry.key > key) {
                break;
            }
        }
        Ok(found)
    }

    /// The legal moves of the book in a position, best first. `last` is the move that has led to it, if known; see
    /// [`PolyglotKey`].
    ///
    /// Entries whose move is not legal in the position are ignored: books contain errors, and different positions may
    /// have the same key. Of several entries with the same move, the one with the greatest weight counts.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read any more.
    pub fn moves(&self, position: &Position, last: Option<Move>) -> Result<Vec<BookMove>, BookError> {
        let mut entries = self.entries(PolyglotKey::after(position, last))?;
        // Equal weights stay in the order of the book.
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        let mut moves: Vec<BookMove> = Vec::with_capacity(entries.len());
        for entry in entries {
            let Some(mv) = entry.mv.resolve(position) else { continue };
            if moves.iter().all(|known| known.mv != mv) {
                moves.push(BookMove { mv, weight: entry.weight, learn: entry.learn });
            }
        }
        Ok(moves)
    }

    /// All entries, in the order of their keys.
    pub fn iter(&self) -> Entries<'_> {
        Entries { book: self, next: 0, block: Vec::new().into_iter() }
    }
}

impl<'a> IntoIterator for &'a Book {
    type Item = Result<BookEntry, BookError>;
    type IntoIter = Entries<'a>;
    fn into_iter(self) -> Entries<'a> {
        self.iter()
    }
}

/// Iterator over the entries of a book. After an error, it ends.
#[derive(Debug)]
pub struct Entries<'a> {
    book: &'a Book,
    next: u64,
    block: std::vec::IntoIter<BookEntry>,
}

impl Iterator for Entries<'_> {
    type Item = Result<BookEntry, BookError>;
    fn next(&mut self) -> Option<Self::Item> {
        if self.block.as_slice().is_empty() && self.next < self.book.index.len() as u64 {
            match self.book.source.block(self.next) {
                Ok(block) => self.block = block.into_iter(),
                Err(error) => {
                    self.next = u64::MAX;
                    return Some(Err(error.into()));
                }
            }
            self.next += 1;
        }
        self.block.next().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PolyglotMove;
    use bartizan_position::Game;
    use std::collections::{HashMap, HashSet};
    use std::fs;

    fn entry(key: u64, mv: u16, weight: u16) -> BookEntry {
        BookEntry { key: PolyglotKey(key), mv: PolyglotMove(mv), weight, learn: 0 }
    }

    fn bytes(entries: &[BookEntry]) -> Vec<u8> {
        entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// Opens the same bytes from memory and from a file.
    fn both(bytes: &[u8]) -> [Result<Book, BookError>; 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        fs::write(&path, bytes).unwrap();
        [Book::from_bytes(bytes.to_vec()), Book::open(&path)]
    }

    fn refusal(bytes: &[u8]) -> String {
        let [memory, file] = both(bytes).map(|book| book.unwrap_err().to_string());
        assert_eq!(memory, file);
        memory
    }

    #[test]
    fn faulty_books_are_refused_with_a_reason() {
        assert_eq!(refusal(b""), "the book is empty");
        let book = bytes(&[entry(1, 0, 0), entry(3, 0, 0), entry(2, 0, 0)]);
        assert_eq!(
            refusal(&book[..40]),
            "the book is truncated or no Polyglot book: its length of 40 bytes is not a multiple of 16"
        );
        assert_eq!(
            refusal(&book),
            "the book is not sorted: the key of entry 3, 0000000000000002, is less than the one before it"
        );
        assert_eq!(
            refusal(&bytes(&[entry(7, 0, 0); MAX_MOVES + 1])),
            "the book is damaged: the key 0000000000000007 has more than 256 entries"
        );
        // Unsorted across the end of a block.
        let mut entries: Vec<BookEntry> = (0..2 * BLOCK).map(|i| entry(i + 5, 0, 0)).collect();
        entries[BLOCK as usize].key = PolyglotKey(0);
        assert!(refusal(&bytes(&entries)).contains("the key of entry 257"));
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Book::open(folder.path()), Err(BookError::Io(_))));
        assert!(matches!(Book::open(folder.path().join("none")), Err(BookError::Io(_))));
    }

    #[test]
    fn all_entries_of_a_key_are_found() {
        // Keys with 1 to 200 entries, so that they cross the ends of blocks.
        let entries: Vec<BookEntry> =
            (1..200_u16).flat_map(|key| (0..key).map(move |mv| entry(u64::from(key) << 32, mv, key))).collect();
        for book in both(&bytes(&entries)) {
            let book = book.unwrap();
            assert_eq!(book.len(), entries.len() as u64);
            assert!(book.iter().map(Result::unwrap).eq(entries.iter().copied()));
            for key in (0..201_u64).map(|key| PolyglotKey(key << 32)) {
                let expected: Vec<BookEntry> = entries.iter().copied().filter(|entry| entry.key == key).collect();
                assert_eq!(book.entries(key).unwrap(), expected);
            }
            for key in [1, u64::MAX] {
                assert_eq!(book.entries(PolyglotKey(key)).unwrap(), []);
            }
        }
    }

    #[test]
    fn only_legal_moves_are_returned() {
        let start = Position::startpos();
        let key = PolyglotKey::of(&start).0;
        let mv = |text: &str| PolyglotMove::from(start.parse_uci(text).unwrap()).0;
        let (e4, d4, h4) = (mv("e2e4"), mv("d2d4"), mv("h2h4"));
        // e7e5 is black's move, 0 no move, and 0xffff not even an encoding.
        let entries = [
            entry(key, h4, 0),
            entry(key, 52 << 6 | 36, 90),
            entry(key, d4, 5),
            entry(key, e4, 7),
            entry(key, 0, 80),
            entry(key, u16::MAX, 80),
            entry(key, d4, 2),
        ];
        for book in both(&bytes(&entries)) {
            let moves = book.unwrap().moves(&start, None).unwrap();
            let moves: Vec<_> = moves.iter().map(|found| (found.mv.to_string(), found.weight)).collect();
            assert_eq!(moves, [("e2e4".to_owned(), 7), ("d2d4".to_owned(), 5), ("h2h4".to_owned(), 0)]);
        }
    }

    /// Truncates a file in place.
    fn cut(path: &Path, bytes: u64) {
        fs::File::options().write(true).open(path).unwrap().set_len(bytes).unwrap();
    }

    /// A mapped book whose file is truncated must neither kill the process nor lose moves silently.
    #[test]
    fn a_large_file_that_is_cut_off_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        let entries: Vec<BookEntry> = (0..300 * BLOCK).map(|i| entry(i, 0, 0)).collect();
        fs::write(&path, bytes(&entries)).unwrap();
        let book = Book::open(&path).unwrap();
        let all = bytes(&entries).len() as u64;
        for left in [all - 16, 32, 0] {
            cut(&path, left);
            let error = book.entries(PolyglotKey(300 * BLOCK - 2)).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("it has been cut off from {all} to {left} bytes since it was opened")
            );
            assert_eq!(book.iter().filter(Result::is_err).count(), 1);
        }
    }

    #[test]
    fn a_small_book_stays_as_it_was_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        let entries: Vec<BookEntry> = (0..3 * BLOCK).map(|i| entry(i, 0, 0)).collect();
        fs::write(&path, bytes(&entries)).unwrap();
        let book = Book::open(&path).unwrap();
        cut(&path, 32);
        assert!(book.iter().map(Result::unwrap).eq(entries));
    }

    /// Replaces it as this workspace replaces every file.
    #[test]
    fn a_large_book_that_is_replaced_stays_as_it_was_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        let entries: Vec<BookEntry> = (0..300 * BLOCK).map(|i| entry(i, 0, 0)).collect();
        fs::write(&path, bytes(&entries)).unwrap();
        let book = Book::open(&path).unwrap();
        bartizan_files::replace(&path, &bytes(&entries[..1])).unwrap();
        assert!(book.iter().map(Result::unwrap).eq(entries));
    }

    #[test]
    fn the_last_move_decides_the_key() {
        // White's pawn on e5 is pinned, so exd6 is illegal, but the format counts it.
        let mut game = Game::new(Position::from_fen("4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1").unwrap());
        game.push(game.position().parse_uci("d7d5").unwrap()).unwrap();
        let (position, last) = (game.position(), game.moves().last());
        assert_eq!(position.en_passant(), None);
        let king = PolyglotMove::from(position.parse_uci("e1e2").unwrap());
        let key = PolyglotKey::after(position, last);
        let book = Book::from_bytes(bytes(&[BookEntry { mv: king, ..entry(key.0, 0, 1) }])).unwrap();
        assert_eq!(book.moves(position, last).unwrap().len(), 1);
        assert_eq!(book.moves(position, None).unwrap(), []);
    }

    /// The probability that two games play the same moves from a position for a number of plies or to the end of the
    /// book, with moves chosen in proportion to their weights.
    fn alike(book: &Book, from: (&Position, Option<Move>), plies: u32, known: &mut Known) -> f64 {
        let (position, last) = from;
        let state = (PolyglotKey::after(position, last), plies);
        if let Some(&found) = known.get(&state) {
            return found;
        }
        let moves = book.moves(position, last).unwrap();
        let sum: f64 = moves.iter().map(|found| f64::from(found.weight)).sum();
        let mut value = if sum == 0.0 || plies == 0 { 1.0 } else { 0.0 };
        if plies > 0 {
            for found in moves.iter().filter(|found| found.weight > 0) {
                let share = f64::from(found.weight) / sum;
                let next = position.play(found.mv).unwrap();
                value += share * share * alike(book, (&next, Some(found.mv)), plies - 1, known);
            }
        }
        known.insert(state, value);
        value
    }

    /// Probabilities by position and plies.
    type Known = HashMap<(PolyglotKey, u32), f64>;

    #[test]
    fn the_built_in_book_is_large_and_has_legal_moves_only() {
        let book = Book::built_in().unwrap();
        assert!(book.len() >= 20_000, "{}", book.len());
        let mut seen = HashSet::new();
        let mut open = vec![(Position::startpos(), None)];
        let mut moves = 0;
        while let Some((position, last)) = open.pop() {
            let key = PolyglotKey::after(&position, last);
            if !seen.insert(key) {
                continue;
            }
            let found = book.moves(&position, last).unwrap();
            assert_eq!(found.len(), book.entries(key).unwrap().len(), "{}", position.to_fen());
            moves += found.len() as u64;
            open.extend(found.iter().map(|found| (position.play(found.mv).unwrap(), Some(found.mv))));
        }
        assert_eq!(moves, book.len(), "every move can be reached");
    }

    #[test]
    fn ten_games_begin_in_ten_ways() {
        let book = Book::built_in().unwrap();
        let alike = alike(&book, (&Position::startpos(), None), 20, &mut Known::new());
        // Ten games are 45 pairs. So all ten differ in at least 95 % of cases.
        assert!(45.0 * alike < 0.05, "{alike}");
    }
}
