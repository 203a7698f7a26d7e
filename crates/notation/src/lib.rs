#![doc = include_str!("../README.md")]
//!
//! No input makes a reader panic. Errors give the line and the column. Text that is not valid UTF-8 is read as
//! Windows-1252.
//!
//! Without the feature `std`, the crate consists of the module [`san`] and needs only `alloc`. Moves in coordinate
//! notation (UCI) are part of `bartizan-position`.
//!
//! The feature `serde` adds `Serialize` and `Deserialize` for moves in SAN, glyphs, games, trees and EPD. A tree is
//! serialised as a list of its moves, each with the number of its parent.
#![cfg_attr(not(any(feature = "std", test)), no_std)]

extern crate alloc;

#[cfg(feature = "std")]
pub mod epd;
#[cfg(feature = "std")]
mod illegal;
#[cfg(feature = "std")]
mod lines;
#[cfg(feature = "std")]
pub mod list;
#[cfg(feature = "std")]
pub mod pgn;
pub mod san;
#[cfg(feature = "std")]
pub mod svg;
#[cfg_attr(not(feature = "std"), allow(dead_code, reason = "PGN and EPD use all of it"))]
mod text;

#[cfg(feature = "std")]
pub use illegal::why_illegal;
