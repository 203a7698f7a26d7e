//! Alpha-beta search on a pool of threads.
//!
//! ```
//! use bartizan_eval::HandCrafted;
//! use bartizan_position::{Game, Position};
//! use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
//! use std::sync::Arc;
//!
//! let mut pool = ThreadPool::new(1, HandCrafted::new).unwrap();
//! let table = Arc::new(TranspositionTable::new(1).unwrap());
//! // Mate in two: 1. Ra1–a8 is not mate yet.
//! let game = Game::new(Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1").unwrap());
//! let handle = pool.go(Search::new(game, Limits::depth(10)), table);
//! let result = handle.wait();
//! assert_eq!(result.value.mate_in_moves(), Some(2));
//! ```
//!
//! The search is iterative deepening with principal variation search (Tony Marsland and Murray Campbell 1982) over a
//! transposition table that all threads share (Lazy SMP). The library does no input or output: results are
//! [`SearchEvent`]s.

#![deny(missing_docs)]

mod alphabeta;
mod control;
mod correction;
mod event;
mod extensions;
mod gravity;
mod handle;
mod history;
mod iterate;
mod job;
mod known;
mod learning;
mod limits;
mod listener;
mod move_pruning;
mod node;
mod node_pruning;
#[cfg(test)]
mod oracle;
pub mod params;
mod picker;
mod pool;
mod quiescence;
mod reductions;
mod root;
mod search;
mod steps;
mod switches;
mod table;
mod threats;
mod time;
mod vote;
mod worker;

pub use event::{SearchEvent, SearchInfo, SearchResult};
pub use handle::{SearchControl, SearchHandle};
pub use limits::{Clock, Limits};
pub use pool::{PoolError, ThreadPool};
pub use search::Search;
pub use steps::{Step, Steps};
pub use table::{TableEntry, TableError, TranspositionTable};
pub use time::{TimeRule, TimeRules};
