//! Syzygy endgame tablebases, probed in safe Rust.
//!
//! ```no_run
//! use bartizan_position::Position;
//! use bartizan_tablebase::{Tablebases, Wdl};
//!
//! let tables = Tablebases::open("/data/syzygy/3-4-5:/data/syzygy/6")?;
//! let position = Position::from_fen("8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1")?;
//! assert_eq!(tables.probe_wdl(&position)?, Some(Wdl::Loss));
//! assert_eq!(tables.probe_dtz(&position)?.map(|dtz| dtz.0), Some(-53));
//! for root_move in tables.probe_root(&position, false)?.unwrap_or_default() {
//!     println!("{} {} {}", root_move.mv, root_move.wdl, root_move.rank);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables of 3 to 7 men: who wins (WDL, `.rtbw`) and how far it is to the next capture or pawn move (DTZ, `.rtbz`). A
//! position with castling rights is in no table. All methods may be called from many threads at once.
//!
//! No `unsafe` means no memory map. Small files are read whole when they are first asked; of big ones, pages of 4 KiB
//! are read at their place and kept in a cache of fixed size ([`Config`]), behind which the system keeps its own.
//! Nothing is read when the tables are opened.
//!
//! Files come from the network and from old disks, and whatever is in them, nothing here panics, hangs or reads beyond
//! its data: what makes no sense is a [`TablebaseError`] that names the file. A wrong bit in the compressed values that
//! still makes sense cannot be seen; the checksums that come with the files tell.
//!
//! The tables, their format and the way to probe them are the work of Ronald de Man.
#![deny(missing_docs)]

mod cache;
mod dtz;
mod error;
mod handles;
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
pub use root::RootMove;
pub use tablebases::{Config, Tablebases};
pub use wdl::Wdl;

/// The most men of a table.
pub const MAX_MEN: usize = 7;

/// Reading from a file whose name somebody else knows.
type Fallible<T> = Result<T, error::Fault>;
