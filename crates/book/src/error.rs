//! Errors of book files.

use crate::PolyglotKey;
use std::io;

/// The error of reading a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There are no entries.
    #[error("the book is empty")]
    Empty,
    /// The length is not a multiple of the size of an entry.
    #[error("the book is truncated or no Polyglot book: its length of {bytes} bytes is not a multiple of 16")]
    Length {
        /// The length in bytes.
        bytes: u64,
    },
    /// The entries are not sorted by key, so that a position cannot be found.
    #[error("the book is not sorted: the key of entry {entry}, {key}, is less than the one before it")]
    Unsorted {
        /// The number of the entry, from 1.
        entry: u64,
        /// Its key.
        key: PolyglotKey,
    },
    /// A position has more entries than a position can have moves.
    #[error("the book is damaged: the key {key} has more than {} entries", crate::MAX_MOVES)]
    Crowded {
        /// The key of the position.
        key: PolyglotKey,
    },
}
