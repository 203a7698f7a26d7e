//! One session of a chess engine. The UCI and the xboard program stand on it, and so can yours:
//!
//! ```
//! use bartizan_engine::{Engine, Limits, SearchEvent};
//!
//! let mut engine = Engine::new();
//! engine.set_option("Hash", Some("4")).unwrap();
//! engine.set_position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4", &[]).unwrap();
//! let handle = engine.go(Limits::depth(5)).unwrap();
//! let result = handle.wait_with(|event| {
//!     if let SearchEvent::Info(info) = event {
//!         assert!(!info.pv.is_empty());
//!     }
//! });
//! assert_eq!(result.best.unwrap().to_string(), "f3f7");
//! assert_eq!(result.value.mate_in_moves(), Some(1));
//! ```

pub mod bench;
pub mod console;
mod counting;
mod date;
mod engine;
mod folders;
mod game_log;
mod hash_file;
pub mod learning;
mod lines;
mod lock;
mod options;
mod settings;
pub mod suite;
pub mod trace;
#[cfg(feature = "tuning")]
mod weights;

pub use bartizan_eval::{Material, shown, win_draw_loss};
pub use bartizan_search::{Clock, Limits, SearchControl, SearchEvent, SearchHandle, SearchInfo, SearchResult};
pub use counting::{Perft, PerftEvent};
pub use engine::{Engine, EngineError, LoadHashError, PositionError};
pub use folders::user_folder;
pub use game_log::{GameLog, Players};
pub use hash_file::HashFileError;
pub use lines::read_lines;
pub use options::{LearningOptions, Manners, OptionError, OptionKind, OptionSpec, Options, same_name};
pub use settings::{Assignment, Place, SETTINGS_FILE, Settings, SettingsFault, parse_size};

/// The name of the engine with its version.
pub const NAME: &str = concat!("Bartizan ", env!("CARGO_PKG_VERSION"));

/// Who made it.
pub const AUTHOR: &str = "the Bartizan developers";
