//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! The standard: Steven J. Edwards, "PGN Specification and Implementation Guide" (1994), section 8.2.3. In Chess960,
//! `O-O` castles with the rook on the h-file side of the king, wherever king and rook stand.
//! [`parse_san`] is lenient, because people and programs write moves in many ways; [`leniencies`] tells how a text
//! departs from the standard. [`parse_san_strict`] accepts only what [`San`] writes.
//!
//! ```
//! use bartizan_notation::san::{San, SanError, parse_san};
//! use bartizan_position::Position;
//!
//! let position = Position::from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")?;
//! let mv = position.parse_uci("b1d2")?;
//! assert_eq!(San::new(&position, mv).as_str(), "Nbd2");
//! for text in ["Nbd2", "Nb1d2", "Nb1-d2+", "N1d2", "b1d2"] {
//!     assert_eq!(parse_san(&position, text)?, mv);
//! }
//! let error = parse_san(&position, "Nd2").unwrap_err();
//! assert_eq!(error.to_string(), "ambiguous move 'Nd2': it could be b1d2 or f3d2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod ext;
mod lan;
mod leniency;
mod read;
#[cfg(feature = "serde")]
mod serialize;
mod shape;
mod stack_text;
mod write;

pub use error::SanError;
pub use ext::SanExt;
pub use lan::Lan;
#[cfg(feature = "std")]
pub(crate) use leniency::is_hidden_capture;
pub use leniency::{Leniency, leniencies};
#[cfg(feature = "std")]
pub(crate) use read::parse_bytes;
pub use read::{parse_san, parse_san_strict, split_moves};
#[cfg(feature = "std")]
pub(crate) use shape::is_null;
pub use write::{San, move_number, numbered};
