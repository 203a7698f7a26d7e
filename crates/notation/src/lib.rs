#![doc = include_str!("../README.md")]
//!
//! No input makes a reader panic. Errors give the line and the column. Text that is not valid UTF-8 is read as
//! Windows-1252.
//!
//! The feature `serde` adds `Serialize` and `Deserialize` for moves in SAN, glyphs, games, trees and EPD. A tree is
//! serialised as a list of its moves, each with the number of its parent.

pub mod epd;
pub mod list;
pub mod pgn;
pub mod san;
pub mod svg;
mod text;
