#![doc = include_str!("../README.md")]
//!
//! The Syzygy tables cover positions of 3 to 7 pieces, kings and pawns included. WDL tables (`.rtbw`) give the result,
//! DTZ tables (`.rtbz`) the distance to the next capture or pawn move. Positions with castling rights are not covered.
//! All methods may be called from several threads at once.
//!
//! Small files are read whole at their first probe. Large files are read in pages of 4 KiB, kept in a cache of fixed
//! size ([`TablebaseConfig`]) in addition to the operating system's cache. They are not memory-mapped: a probe reads a
//! few bytes in several places, and the check that keeps a truncated file from killing the process costs more than the
//! page cache. Opening the tables reads no file.
//!
//! Damaged files cause a [`TablebaseError`] that names the file, never a panic, a hang or an access outside the data.
//! The checksum of a file that is read whole is verified. In larger files, a wrong bit in the compressed values may
//! remain undetected until [`TableFile::check`] reads the whole file.
//!
//! The feature `serde` adds `Serialize` and `Deserialize` for [`Wdl`], [`Dtz`] and [`RootMove`].
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
