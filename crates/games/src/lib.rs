#![doc = include_str!("../README.md")]
//!
//! The games come from [`RawGames`](bartizan_notation::pgn::RawGames). Everything here processes one game at a time, so
//! memory use does not depend on the size of the collection, and several threads can share the work.

#[cfg(feature = "parquet")]
pub mod dataset;
mod duplicates;
mod export;
pub mod filter;
mod folding;
mod identity;
mod order;
mod reading;
pub mod records;
mod repertoire;
mod reservoir;
mod sample;
mod selection;
pub mod selfplay;
#[cfg(feature = "sort")]
mod sorter;
mod split;
mod statistics;
mod summary;
#[cfg(feature = "arrow")]
pub mod table;
pub mod tags;

pub use duplicates::{Duplicates, Numbers, Prefixes, fullness};
pub use export::ExportForm;
pub use folding::{GameReport, SeenGame, fold};
pub use identity::GameIdentity;
pub use order::{SortKey, SortKeyError};
pub use reading::{GameFault, GameText, ProcessedText, ReadError, read, read_with};
pub use repertoire::{Departure, DepartureReason, Repertoire};
pub use reservoir::Reservoir;
pub use sample::{SampledPosition, Sampling, SeenPositions, is_quiet, phase};
pub use selection::{Judged, Selection, SelectionCounts, Selector, TextDestination};
#[cfg(feature = "sort")]
pub use sorter::{KeyNumberText, Sorted, Sorter};
pub use split::{FileNamePattern, FileNamePatternError, ValueFiles, split_values};
pub use statistics::{CollectionStatistics, PlayerStatistics, ResultCounts};
