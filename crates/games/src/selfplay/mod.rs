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
//! [`GameWriter`] writes games one by one, [`GameReader`] reads them back in constant memory. A file that was cut off,
//! by a full disk or a killed process, loses at most its last game: [`Unfinished`] finds the end of the complete games,
//! removes the incomplete record and appends to the rest.
//!
//! # Format
//!
//! All numbers are little-endian, and a checksum is a CRC-32 (that of gzip). A file begins with
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | `BZSELF04` |
//! | 8 | 4 | length of the settings, at most [`MOST_SETTINGS`]; 0 for none |
//! | 12 | length | the settings: UTF-8, of the program that plays the games; spaces at the end do not count |
//! | 12 + length | 4 | checksum from offset 8 on |
//!
//! Then comes one block per game, in any order:
//!
//! | bytes | content |
//! |---|---|
//! | 1 to 3 | length of the code: groups of seven bits, the lowest first, all but the last with the highest bit set |
//! | 1 to 5 | number of the game, in the same way |
//! | 1 | the lowest byte of the checksum of the block so far |
//! | length | the code |
//! | 4 | checksum of the block so far |
//!
//! The code is that of a range coder: the number of plies, the start position, the result, and for each ply the move
//! and the score of the side to move. Trailing zeros are left out. A move is the index of a legal move, in the order of
//! [`Move::to_bits`](bartizan_types::Move::to_bits); a frozen table gives its likelihood by piece and squares, by
//! attackers and defenders of these squares, by captures, checks and the preceding moves. A score is the difference
//! from the negated score one ply before; its probabilities start from another frozen table and adapt to the game. Both
//! tables were fitted to 640,000 plies of self-play, on which a ply takes 1.61 bytes: 0.42 for the move, 0.95 for the
//! score, and 25 bytes for each game. A core reads or writes about a million plies a second. The code depends on
//! nothing else: no change of the engine makes a file unreadable, and the tests include games with known bytes.
//!
//! The CRC-32 detects every single changed bit. Only in the length of the last block can a changed bit make the file
//! seem to end within the block, which is an error too.
//!
//! The last two digits of `BZSELF04` are the version of the format. A change that old readers cannot read gets a new
//! number, which differs from all others in at least two bits: this is why there is no 03.
//!
//! ## Older files
//!
//! A file that begins with `BZSELF01` has no settings: its records begin at offset 8. In one that begins with
//! `BZSELF02`, the settings have no checksum. Both are read, and resumed in their own format. A game is a record:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 4 | length of the rest of the record: 40 + 4 × plies |
//! | 4 | 4 | number of the game |
//! | 8 | 1 | result: 0 Black won, 1 draw, 2 White won |
//! | 9 | 1 | reserved: written as 0, ignored by readers |
//! | 10 | 2 | number of plies |
//! | 12 | 32 | start position, a [`PackedPosition`](bartizan_position::PackedPosition) |
//! | 44 | 4 × plies | for each ply the bits of the move and the mover's score in internal centipawns, 2 bytes each |

mod block;
mod compact;
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

/// The first eight bytes of a self-play file.
pub const MAGIC: [u8; 8] = *b"BZSELF04";

/// The first eight bytes of an older file without settings.
const OLD_MAGIC: [u8; 8] = *b"BZSELF01";

/// The first eight bytes of an older file with settings.
const OLD_MAGIC_WITH_SETTINGS: [u8; 8] = *b"BZSELF02";

/// The maximum length of the settings, in bytes.
pub const MOST_SETTINGS: usize = 1 << 16;

/// Whether a file that begins with these bytes is a self-play file.
pub fn is_selfplay(bytes: &[u8]) -> bool {
    [MAGIC, OLD_MAGIC, OLD_MAGIC_WITH_SETTINGS].iter().any(|magic| bytes.starts_with(magic))
}
