//! King and pawn against king, solved: 24 KiB that know every win from every draw.
//!
//! ```
//! use bartizan_bitbase::kpk;
//! use bartizan_types::{Color, Square::*};
//!
//! // The opposition decides: Ke6, pawn e5 against Ke8 wins whoever is to move.
//! assert!(kpk::is_win(Color::White, E6, E5, E8, true));
//! assert!(kpk::is_win(Color::White, E6, E5, E8, false));
//! // One rank lower the side that has to move would rather not.
//! assert!(!kpk::is_win(Color::White, E5, E4, E7, true));
//! assert!(kpk::is_win(Color::White, E5, E4, E7, false));
//! ```
//!
//! The table is solved backwards by `build.rs` each time the crate is compiled; nothing has to be loaded or initialised.
#![no_std]

mod index;
pub mod kpk;
