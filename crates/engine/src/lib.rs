#![doc = include_str!("../README.md")]

mod background;
pub mod bench;
mod book;
mod engine;
mod error;
mod files;
mod game_log;
pub mod genfens;
mod hash_file;
mod hash_table;
pub mod learning;
mod node_clock;
pub mod options;
mod perft;
mod perft_table;
mod search_tables;
mod strength;
mod tables;
#[cfg(feature = "tuning")]
pub mod tuning;

pub use bartizan_book::{BookError, BookMove};
pub use bartizan_eval::{Material, shown, win_draw_loss};
pub use bartizan_network::{Evaluation, EvaluationModel, Network, NetworkFileError};
pub use bartizan_parallel::Stop;
pub use bartizan_search::{Clock, Clocks, Limits, SearchControl, SearchEvent, SearchHandle, SearchInfo, SearchResult};
pub use bartizan_tablebase::split_folders;
pub use engine::Engine;
pub use error::{EngineError, LoadHashError, SetPositionError};
pub use files::user_folder;
pub use game_log::{GameLog, Players};
pub use hash_file::HashFileError;
pub use options::{BookOptions, EvaluationKind, LearningOptions, Options, SyzygyOptions};
pub use perft::{Perft, PerftError, PerftEvent};
pub use perft_table::{PerftTable, perft_parallel};
pub use search_tables::{MateTables, SearchTables};

/// The name of the engine with its version.
pub const NAME: &str = concat!("Bartizan ", env!("CARGO_PKG_VERSION"));

/// The authors of the engine.
pub const AUTHOR: &str = "the Bartizan developers";
