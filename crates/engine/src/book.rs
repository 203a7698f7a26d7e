//! The opening book of a session.

use crate::error::EngineError;
use crate::options::{BookOptions, Options};
use bartizan_book::{Book, BookError, BookMove, MAX_VARIETY, choose};
use bartizan_position::{Game, Position};
use bartizan_types::{Move, SplitMix64};
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// A different number on each call.
pub(crate) fn random_seed() -> u64 {
    // The standard library seeds its hashes with a random number from the operating system.
    RandomState::new().hash_one(0)
}

impl BookOptions {
    /// Opens the book file, if one is set.
    pub(crate) fn open(&self) -> Result<Option<Book>, EngineError> {
        let Some(path) = &self.file else { return Ok(None) };
        Ok(Some(Book::open(path).map_err(|source| EngineError::Book { path: path.clone(), source })?))
    }
}

/// How a game uses the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BookUse {
    /// The number of plies from the start of the game in which the book is used.
    pub(crate) plies: u32,
    /// How the weights of the moves count, in [`BookOptions::VARIETY`].
    pub(crate) variety: u32,
}

impl Options {
    /// How a game uses the book; `None` if not at all.
    pub(crate) fn book_use(&self) -> Option<BookUse> {
        let BookOptions { enabled, depth, variety, .. } = self.book;
        let known = self.level().book_plies();
        let is_used = enabled.unwrap_or(known.is_some());
        is_used.then(|| match known {
            Some(plies) => BookUse { plies: plies.min(depth), variety: MAX_VARIETY },
            None => BookUse { plies: depth, variety },
        })
    }
}

/// The opening book of a session, and the random generator that chooses moves.
#[derive(Debug)]
pub(crate) struct OpeningBook {
    /// The book; `None` inside if there is none. Unset until the built-in book is needed.
    book: OnceLock<Option<Book>>,
    /// Whether the book was closed because it could not be read.
    has_failed: bool,
    random: SplitMix64,
}

impl Default for OpeningBook {
    fn default() -> Self {
        Self { book: OnceLock::new(), has_failed: false, random: SplitMix64::new(random_seed()) }
    }
}

impl OpeningBook {
    /// Chooses moves by the numbers of a seed from now on.
    pub(crate) fn reseed(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    /// Replaces the book; `None` selects the built-in one.
    pub(crate) fn set(&mut self, book: Option<Book>) {
        self.book = book.map_or_else(OnceLock::new, |book| OnceLock::from(Some(book)));
        self.has_failed = false;
    }

    /// Continues without a book, because this one can no longer be read.
    pub(crate) fn fail(&mut self) {
        self.book = OnceLock::from(None);
        self.has_failed = true;
    }

    /// Whether the book has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// The book, if there is one.
    fn book(&self) -> Option<&Book> {
        self.book.get_or_init(built_in).as_ref()
    }

    /// Whether there is a book.
    pub(crate) fn exists(&self) -> bool {
        self.book().is_some()
    }

    /// The book moves at the end of a game, best first.
    pub(crate) fn moves(&self, game: &Game) -> Result<Vec<BookMove>, BookError> {
        self.book().map_or(Ok(Vec::new()), |book| book.moves(game.position(), game.preceding_move()))
    }

    /// The book moves at the end of a game, as far as it uses the book.
    pub(crate) fn usable_moves(&self, game: &Game, usage: BookUse) -> Result<Vec<BookMove>, BookError> {
        if game.position().game_ply() < usage.plies { self.moves(game) } else { Ok(Vec::new()) }
    }

    /// One of the moves; `None` if all have weight 0. With `choices`, they decide, otherwise chance.
    pub(crate) fn choose(&mut self, moves: &[BookMove], variety: u32, choices: Option<SplitMix64>) -> Option<BookMove> {
        match choices {
            Some(mut choices) => choose(moves, variety, &mut choices),
            None => choose(moves, variety, &mut self.random),
        }
    }
}

#[cfg(feature = "built-in-book")]
fn built_in() -> Option<Book> {
    Book::built_in().ok()
}

#[cfg(not(feature = "built-in-book"))]
fn built_in() -> Option<Book> {
    None
}

/// The legal moves that are not among those of the book; none if the book has no moves.
pub(crate) fn other_moves(position: &Position, known: &[BookMove]) -> Vec<Move> {
    if known.is_empty() {
        return Vec::new();
    }
    position.legal_moves().iter().copied().filter(|&mv| known.iter().all(|known| known.mv != mv)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;

    #[test]
    fn the_book_is_on_below_full_strength_unless_it_is_switched_off() {
        let mut options = Options::default();
        assert_eq!(options.book_use(), None);
        options.book.variety = 0;
        options.set_level(Level::rated(1_500));
        assert_eq!(options.book_use(), Some(BookUse { plies: 14, variety: MAX_VARIETY }));
        options.book.depth = 6;
        assert_eq!(options.book_use().map(|usage| usage.plies), Some(6));
        options.set("OwnBook", Some("false")).unwrap();
        assert_eq!(options.book_use(), None);
        options.set("OwnBook", Some("true")).unwrap();
        assert!(options.book_use().is_some());
        options.set_level(Level::FULL);
        assert_eq!(options.book_use(), Some(BookUse { plies: 6, variety: 0 }));
    }
}
