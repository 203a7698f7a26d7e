#![doc = include_str!("../README.md")]
//!
//! The format is Polyglot's `.bin` by Fabien Letouzey: entries of 16 bytes, sorted by the key of the position. Files
//! are checked when they are opened, and a move that is not legal in the position is never returned.
//!
//! [`eco`] names the opening of a game.
#![cfg_attr(not(feature = "build"), allow(dead_code, reason = "only the builder uses some functions"))]

mod book;
#[cfg(feature = "build")]
mod build;
mod choose;
mod compare;
pub mod eco;
mod entry;
mod error;
mod key;
mod numbers;
mod source;
mod statistics;
mod walk;

pub use book::{Book, BookMove, Entries, MAX_MOVES};
#[cfg(feature = "build")]
pub use build::{
    AnnotationError, AnnotationErrorKind, BuildCounts, BuildError, BuildOptions, BuildPart, Builder, merge,
};
pub use choose::{MAX_VARIETY, choose};
pub use compare::{BookDifference, difference};
pub use entry::{BookEntry, ENTRY_SIZE, PolyglotMove};
pub use error::BookError;
pub use key::PolyglotKey;
pub use statistics::{BookCounts, BookCoverage};
pub use walk::{BookLines, BookPosition, BookWalk};
