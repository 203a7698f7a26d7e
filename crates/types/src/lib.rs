#![doc = include_str!("../README.md")]
//!
//! Squares are numbered a1 = 0, b1 = 1 … h8 = 63 (little-endian rank-file mapping).
//!
//! Optional feature `serde`: `Serialize` and `Deserialize` for all types but `Checksum`, `Date`, `Escaped`, `Excerpt`,
//! `SplitMix64` and the errors, of which `ParseError` and `InvalidMoveBits` have `Serialize`. In human-readable formats
//! such as JSON, [`Move`], [`Bitboard`], [`Key`] and [`CastlingRights`] are text; in others, the number by which they
//! are represented in memory.
#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod bitboard;
mod castling;
mod checksum;
mod color;
mod date;
mod depth;
mod error;
mod escaped;
mod excerpt;
mod file_rank;
mod game_result;
mod key;
mod limits;
mod moves;
mod operators;
mod piece;
mod random;
pub mod rays;
#[cfg(feature = "serde")]
mod serialize;
mod square;
mod tapered_score;
mod uci_move;
mod value;
mod variant;

pub use bitboard::{Bitboard, Squares, Subsets};
pub use castling::{CastlingRights, CastlingSide};
pub use checksum::Checksum;
pub use color::{ByColor, Color};
pub use date::Date;
pub use depth::{Depth, Ply};
pub use error::ParseError;
pub use escaped::Escaped;
pub use excerpt::Excerpt;
pub use file_rank::{File, Rank};
pub use game_result::GameResult;
pub use key::Key;
pub use limits::{Clock, Clocks, Limits};
pub use moves::{InvalidMoveBits, Move, MoveKind};
pub use piece::{ByPieceType, Piece, PieceType};
pub use random::SplitMix64;
pub use square::{Direction, Square};
pub use tapered_score::TaperedScore;
pub use uci_move::UciMove;
pub use value::{Bound, Value};
pub use variant::Variant;
