//! The endgame of king and pawn against king, solved: a 24 KiB bitbase tells every win from every draw.
//!
//! ```
//! use bartizan_bitbase::kpk;
//! use bartizan_types::{Color, Square::*};
//!
//! // King on the sixth rank in front of its pawn: White wins, whichever side is to move.
//! assert!(kpk::is_win(Color::White, E6, E5, E8, Color::White));
//! assert!(kpk::is_win(Color::White, E6, E5, E8, Color::Black));
//! // One rank lower, the opposition decides: White wins only if Black is to move.
//! assert!(!kpk::is_win(Color::White, E5, E4, E7, Color::White));
//! assert!(kpk::is_win(Color::White, E5, E4, E7, Color::Black));
//! ```
//!
//! The build script computes the table by retrograde analysis. It is a constant in the binary: nothing is loaded or
//! initialised at run time. The crate is `no_std`.
#![no_std]

mod index;
pub mod kpk;
