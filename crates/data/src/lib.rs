#![doc = include_str!("../README.md")]
//!
//! [`GameWriter`] writes games one after the other, [`GameReader`] reads them back in constant memory. A file that was
//! cut off, by a full disk or a killed process, loses at most its last game: [`GameWriter::resume`] removes the
//! incomplete record and appends to the rest.
//!
//! # Format
//!
//! All numbers are little-endian. A file begins with the eight bytes `BZSELF01`. One record for each game follows, in
//! any order:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 4 | length of the rest of the record: 40 + 4 × plies |
//! | 4 | 4 | number of the game |
//! | 8 | 1 | result: 0 Black won, 1 draw, 2 White won |
//! | 9 | 1 | reserved: written as 0, ignored by readers |
//! | 10 | 2 | number of plies |
//! | 12 | 32 | start position, a [`PackedPosition`](bartizan_position::PackedPosition) |
//! | 44 | 4 × plies | moves |
//!
//! A move takes four bytes:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 2 | the move, in the bits of [`Move::to_bits`](bartizan_types::Move::to_bits) |
//! | 2 | 2 | the mover's score in internal centipawns, signed |
//!
//! The two last digits of `BZSELF01` are the version of the format. A change that old readers cannot read gets a new
//! number.

#![deny(missing_docs)]

mod error;
mod game;
mod reader;
mod record;
mod writer;

pub use error::{ReadError, RecordFault, WriteError};
pub use game::{ScoredMove, SelfplayGame};
pub use reader::GameReader;
pub use writer::GameWriter;

/// The first eight bytes of a self-play file.
pub const MAGIC: [u8; 8] = *b"BZSELF01";
