//! A chess engine as a library: one session with options, a game and a search. The UCI and the xboard program build on
//! it, and so can yours:
//!
//! ```
//! use bartizan_engine::{Engine, Limits, SearchEvent};
//!
//! let mut engine = Engine::new();
//! engine.configure(|options| options.hash_mib = 4)?;
//! engine.set_position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4", &[])?;
//! let result = engine.go(Limits::depth(5))?.wait_with(|event| {
//!     if let SearchEvent::Info(info) = event {
//!         assert!(!info.pv.is_empty());
//!     }
//! });
//! assert_eq!(result.best.map(|mv| mv.to_string()).as_deref(), Some("f3f7"));
//! assert_eq!(result.value.mate_in_moves(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

pub mod bench;
mod date;
mod engine;
mod files;
mod game_log;
mod hash_file;
pub mod learning;
mod options;
mod perft;
#[cfg(feature = "tuning")]
pub mod tuning;

pub use bartizan_eval::{Material, shown, win_draw_loss};
pub use bartizan_search::{Clock, Limits, SearchControl, SearchEvent, SearchHandle, SearchInfo, SearchResult};
pub use date::today;
pub use engine::{Engine, EngineError, LoadHashError, SetPositionError};
pub use files::user_folder;
pub use game_log::{GameLog, Players};
pub use hash_file::HashFileError;
pub use options::{LearningOptions, Options};
pub use perft::{Perft, PerftControl, PerftEvent};

/// The name of the engine with its version.
pub const NAME: &str = concat!("Bartizan ", env!("CARGO_PKG_VERSION"));

/// The authors of the engine.
pub const AUTHOR: &str = "the Bartizan developers";
