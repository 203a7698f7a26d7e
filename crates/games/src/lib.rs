#![doc = include_str!("../README.md")]
//!
//! The games come from [`RawGames`](bartizan_notation::pgn::RawGames). Everything here processes one game at a time, so
//! memory use does not depend on the size of the collection, and several threads can share the work.

mod duplicates;
mod export;
pub mod filter;
mod identity;
mod order;
mod reading;
pub mod records;
mod reservoir;
mod sample;
mod selection;
pub mod selfplay;
mod sorter;
mod split;
mod statistics;
mod summary;
pub mod tags;

pub use duplicates::{Duplicates, Numbers, Prefixes, fullness};
pub use export::Form;
pub use identity::Identity;
pub use order::{SortKey, SortKeyError};
pub use reading::{Fault, Game, ReadError, Text, read};
pub use reservoir::Reservoir;
pub use sample::{Sample, Sampling, SeenPositions, is_quiet, phase};
pub use selection::{Judged, Selection, SelectionCounts, Selector, To};
pub use sorter::{KeyNumberText, Sorted, Sorter};
pub use split::{Names, NamesError, ValueFiles, split_values};
pub use statistics::{Player, Results, Statistics};
