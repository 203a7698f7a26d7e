#![doc = include_str!("../README.md")]
//!
//! The search is iterative deepening with principal variation search (Tony Marsland and Murray Campbell 1982) over a
//! transposition table that all threads share (Lazy SMP). The library does no input or output: results are
//! [`SearchEvent`]s.

mod alphabeta;
mod available;
mod child_prefetch;
mod conclude;
mod control;
mod correction;
mod cutoff;
mod dispatch;
mod draws;
mod easy_move;
mod error;
mod eval_noise;
mod event;
mod extensions;
mod fifty_moves;
mod gravity;
mod handle;
mod history;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod iterate;
mod job;
mod known;
mod late_moves;
mod learning;
mod learnt;
mod lines;
mod listener;
mod main_thread;
mod mate_cache;
mod move_loop;
mod move_pruning;
mod node;
mod node_pruning;
#[cfg(test)]
mod oracle;
pub mod params;
mod picker;
mod pool;
mod prefetch;
mod quiescence;
mod quiets;
mod reductions;
mod reports;
mod root;
mod root_search;
mod root_tables;
mod scored;
mod search;
mod searcher;
mod static_eval;
#[cfg_attr(not(feature = "statistics"), allow(dead_code, unreachable_pub))] // Its names are public only with it.
mod statistics;
mod steps;
mod stopping;
mod stopwatch;
mod switches;
mod sync;
mod table;
mod table_probe;
mod tables;
mod thread;
mod thread_memory;
mod threats;
mod time_manager;
mod tracer;
mod vote;
mod worker;

pub use bartizan_types::{Clock, Clocks, Limits};
pub use error::PoolError;
pub use eval_noise::EvalNoise;
pub use event::{SearchEvent, SearchInfo, SearchResult};
pub use handle::{SearchControl, SearchHandle};
pub use learnt::LearntPositions;
pub use pool::ThreadPool;
pub use search::Search;
pub use searcher::Searcher;
#[cfg(feature = "statistics")]
pub use statistics::{Counter, Statistics};
pub use steps::{Step, Steps};
pub use stopwatch::Stopwatch;
pub use table::{TableEntry, TableError, TranspositionTable};
pub use tables::{EndgameTables, TablebaseMove, TablebaseProbing, TablebaseResult};
pub use time_manager::{TimeRule, TimeRules};
#[cfg(feature = "trace")]
pub use tracer::{TreeSummary, TreeTrace};
