#![doc = include_str!("../README.md")]
//!
//! The tables are made by retrograde analysis after Ken Thompson ("Retrograde Analysis of Certain Endgames", ICCA
//! Journal 9/3, 1986), with the move counters that have become customary. `docs/tables.md` describes the files.
//! Checksums cover every byte. Damaged files cause no panic, hang or access outside the data, only a [`DtmError`] that
//! names the file.
//!
//! Small files are read whole at their first probe. Large ones are mapped into memory by `bartizan_files::MappedFile`,
//! whose documentation covers files that change. Opening the tables reads no file.
//!
//! [`advice`] explains endings with these tables, Syzygy tables, or both.
#![cfg_attr(not(feature = "generate"), allow(dead_code, reason = "only the generator uses some functions"))]

pub mod advice;

mod endgame;
mod error;
mod format;
#[cfg(feature = "generate")]
mod generate;
mod layout;
#[cfg(feature = "generate")]
mod moves;
mod probe;
mod shared;
#[cfg(feature = "generate")]
mod solve;
mod solved;
mod summary;
mod table;
mod tables;
mod value;
mod verify;
mod work;

pub use bartizan_parallel::StopFlag;
pub use endgame::{Endgame, EndgameError, Endings, EndingsError, MAX_DTM_MEN};
pub use error::DtmError;
#[cfg(feature = "generate")]
pub use generate::{GenerateError, Generated, Generator, Step};
pub use probe::ProbeReport;
pub use shared::DtmConfig;
pub use summary::{SideSummary, TableSummary};
pub use tables::{DtmMove, DtmTables};
pub use value::Dtm;
pub use verify::{Coverage, Verified, VerifyError, WrongValue};
