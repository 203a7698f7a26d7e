#![doc = include_str!("../README.md")]
//!
//! The Syzygy tables cover positions of 3 to 7 pieces, kings and pawns included. WDL tables (`.rtbw`) tell who wins,
//! DTZ tables (`.rtbz`) the distance to the next capture or pawn move. Positions with castling rights are not covered.
//! All methods may be called from several threads at once.
//!
//! Small files are read whole at their first probe. Of large files, pages of 4 KiB are read and kept in a cache of
//! fixed size ([`TablebaseConfig`]), in addition to the cache of the operating system. They are not mapped into memory:
//! a probe reads a few bytes in several places, and the check without which a file that is cut off would end the
//! process takes longer than the cache of pages. Opening the tables reads no file.
//!
//! Damaged files cause no panic, hang or access outside the data. The error is a [`TablebaseError`] that names the
//! file. A file that is read whole must have the checksum at its end. In larger ones, a wrong bit in the compressed
//! values may remain undetected, until [`TableFile::check`] reads the whole file.
//!
//! The tables, their format and the method of probing are due to Ronald de Man.

mod checksum;
mod dtz;
mod error;
mod folders;
mod handles;
mod inventory;
mod kind;
mod layout;
mod maps;
mod material;
mod pairs;
mod probe;
mod root;
mod source;
mod table;
mod tablebases;
mod wdl;

pub use dtz::Dtz;
pub use error::TablebaseError;
pub use folders::split_folders;
pub use inventory::Inventory;
pub use material::Material;
pub use root::{RootMove, WinRanking};
pub use tablebases::{CheckLevel, TableFile, TablebaseConfig, Tablebases};
pub use wdl::Wdl;

/// The greatest number of pieces of a table, kings and pawns included.
pub const MAX_MEN: usize = 7;

/// The result of reading from a file. The caller adds the name of the file to the error.
type Fallible<T> = Result<T, error::Fault>;
