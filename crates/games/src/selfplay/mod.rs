//! The file format of self-play games: moves with scores, and results.
//!
//! ```
//! use bartizan_games::selfplay::{GameReader, GameWriter, ScoredMove, SelfplayGame};
//! use bartizan_position::Position;
//! use bartizan_types::Color;
//!
//! let start = Position::startpos();
//! let moves = vec![ScoredMove { mv: start.parse_uci("e2e4")?, score: 31 }];
//! let game = SelfplayGame { id: 0, start, moves, winner: Some(Color::White) };
//!
//! let mut file = Vec::new();
//! GameWriter::new(&mut file)?.write(&game)?;
//!
//! for read in GameReader::new(file.as_slice())? {
//!     assert_eq!(read?, game);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`GameWriter`] writes games one after the other, [`GameReader`] reads them back in constant memory. A file that was
//! cut off, by a full disk or a killed process, loses at most its last game: [`Unfinished`] finds the end of the
//! complete games, removes the incomplete record and appends to the rest.
//!
//! # Format
//!
//! All numbers are little-endian. A file begins with the eight bytes `BZSELF02` and the settings that its games were
//! played with:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | `BZSELF02` |
//! | 8 | 4 | length of the settings, at most [`MOST_SETTINGS`] |
//! | 12 | length | the settings: UTF-8, of the program that plays the games; spaces at the end do not count |
//!
//! A file that begins with `BZSELF01` has no settings: its records begin at offset 8. One record for each game follows,
//! in any order:
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
//! The two last digits of `BZSELF02` are the version of the format. A change that old readers cannot read gets a new
//! number.

mod error;
mod game;
mod reader;
mod record;
mod unfinished;
mod writer;

pub use error::{ReadError, RecordFault, WriteError};
pub use game::{ScoredMove, SelfplayGame};
pub use reader::GameReader;
pub use unfinished::Unfinished;
pub use writer::GameWriter;

/// The first eight bytes of a self-play file without settings.
pub const MAGIC: [u8; 8] = *b"BZSELF01";

/// The first eight bytes of a self-play file with settings.
pub const MAGIC_WITH_SETTINGS: [u8; 8] = *b"BZSELF02";

/// The longest settings of a file, in bytes.
pub const MOST_SETTINGS: usize = 1 << 16;

/// Whether a file that begins with these bytes is a self-play file.
pub fn is_selfplay(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&MAGIC_WITH_SETTINGS)
}
