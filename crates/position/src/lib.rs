#![doc = include_str!("../README.md")]
//!
//! A [`Setup`] holds the contents of a FEN, legal or not. A [`Position`] is always legal. It takes 256 bytes and does
//! not include the moves before it: [`Game`] and [`KeyHistory`] detect repetitions.
//!
//! The feature `serde` adds `Serialize` and `Deserialize` for positions, games and plain data, and `Serialize` for
//! errors. A position is serialised as [`Position::to_fen`] writes it, and read from FEN, X-FEN or Shredder-FEN.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod checks;
mod chess960;
mod cuckoo;
mod diagram;
mod fen;
mod find;
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
pub use game::{Draw, Game, Outcome, UnknownOutcome};
pub use legality::IllegalMove;
pub use makemove::{NoObserver, Observer};
pub use movegen::{MAX_MOVES, MoveGenStage, MoveList, MoveSink, pawn_origin};
pub use notation::MoveError;
pub use packed::{PackedError, PackedPosition};
pub use perft::{divide, perft};
pub use position::Position;
pub use repetition::KeyHistory;
pub use see::SEE_VALUES;
pub use setup::Setup;
pub use sliders::SliderScan;
pub use validate::{IllegalSetup, Illegality, PositionError, Tolerance};
