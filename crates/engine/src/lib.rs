#![doc = include_str!("../README.md")]

pub mod bench;
mod book;
mod engine;
mod error;
pub mod genfens;
mod hash_table;
mod identity;
mod node_clock;
mod notice;
mod observer;
pub mod options;
mod pace;
mod perft;
mod perft_table;
mod search_tables;
mod single_threaded;
mod strength;
mod tables;
#[cfg(feature = "tuning")]
pub mod tuning;
pub mod uci;

pub use bartizan_book::{BookError, BookMove};
pub use bartizan_eval::{MaterialCount, shown, win_draw_loss};
pub use bartizan_network::{AnyEvaluator, EvaluationModel, Network, NetworkFileError};
pub use bartizan_parallel::StopFlag;
pub use bartizan_search::{
    Clock, Clocks, LearntPositions, Limits, PoolError, SearchControl, SearchEvent, SearchHandle, SearchInfo,
    SearchResult, Stopwatch, TableEntry, TableError, TranspositionTable,
};
#[cfg(feature = "trace")]
pub use bartizan_search::{TreeSummary, TreeTrace};
pub use bartizan_tablebase::split_folders;
pub use engine::{Caller, Engine};
pub use error::{EngineError, SetPositionError};
pub use identity::EngineIdentity;
pub use notice::Notice;
pub use observer::{SearchObserver, SearchStart};
pub use options::{BookOptions, EvaluationKind, Options, SyzygyOptions};
pub use perft::{Perft, PerftError, PerftEvent};
pub use perft_table::{PerftTable, perft_parallel};
pub use search_tables::{MateTables, SearchTables};
pub use single_threaded::{PlayoutEnd, SearchedMove, SingleThreadedEngine, play_out};
pub use strength::{Level, Resignation};

/// The name of the engine with its version.
pub const NAME: &str = concat!("Bartizan ", env!("CARGO_PKG_VERSION"));

/// The authors of the engine.
pub const AUTHOR: &str = "the Bartizan developers";
