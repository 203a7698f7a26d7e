//! The rules of chess and Chess960: positions, legal moves, FEN, Zobrist keys, static exchange evaluation, repetition
//! and perft.
//!
//! ```
//! use bartizan_position::{Position, perft};
//!
//! let start = Position::startpos();
//! assert_eq!(start.legal_moves().len(), 20);
//! assert_eq!(perft(&start, 4), 197_281);
//!
//! // Moves are checked when they are parsed and when they are played.
//! let e4 = start.parse_uci("e2e4")?;
//! let after = start.play(e4)?;
//! assert_eq!(after.to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert!(start.parse_uci("e2e5").is_err());
//!
//! // Errors say what is wrong.
//! let error = Position::from_fen("8/8/8/4k3/8/8/8/8 w - - 0 1").unwrap_err();
//! assert_eq!(error.to_string(), "illegal position: white has no king");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Setup`] holds the contents of a FEN, legal or not. A [`Position`] is always legal. It takes 208 bytes and does
//! not include the moves before it: [`Game`] and [`KeyHistory`] detect repetitions.
//!
//! Without the default feature `std`, the crate is `no_std` with `alloc` and lacks the parallel perft. The feature
//! `serde` adds `Serialize` and `Deserialize`; a position is serialised as its FEN.
#![no_std]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod checks;
mod cuckoo;
mod diagram;
mod fen;
mod game;
mod legality;
mod makemove;
mod movegen;
mod notation;
mod packed;
mod perft;
mod position;
mod repetition;
mod see;
#[cfg(feature = "serde")]
mod serialize;
mod setup;
mod sliders;
mod validate;
mod zobrist;

pub use checks::CheckInfo;
pub use diagram::Diagram;
pub use fen::{FenError, FenField, FenStyle};
pub use game::{Draw, Game, Outcome};
pub use legality::IllegalMove;
pub use makemove::{NoObserver, Observer};
pub use movegen::{MAX_MOVES, MoveList, MoveSink, Stage};
pub use notation::MoveError;
pub use packed::{PackedError, PackedPosition};
#[cfg(feature = "std")]
pub use perft::{PerftTable, perft_parallel};
pub use perft::{divide, perft};
pub use position::Position;
pub use repetition::KeyHistory;
pub use see::SEE_VALUES;
pub use setup::Setup;
pub use sliders::SliderScan;
pub use validate::{IllegalSetup, Illegality, PositionError, Tolerance};
