//! Why an analysis fails.

use bartizan_client::{ClientError, EngineProblem};
use bartizan_engine::EngineError;
use bartizan_engine::options::OptionError;
use bartizan_search::{PoolError, TableError};

/// Why a position could not be analysed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The system cannot provide a thread.
    #[error(transparent)]
    Thread(#[from] PoolError),
    /// The system cannot provide memory for the hash table.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// The built-in engine cannot search with its options.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The built-in engine lacks the option or rejects its value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The specification of another engine is wrong.
    #[error(transparent)]
    Spec(#[from] EngineProblem),
    /// Another engine failed.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// A custom evaluator has no options.
    #[error("an analyser with a custom evaluator has no options")]
    NoOptions,
    /// None of [`Limits::search_moves`](crate::Limits::search_moves) is legal.
    #[error("none of the moves to consider is legal")]
    NoSearchMove,
    /// The limits do not end the search: see [`Limits::is_endless`](crate::Limits::is_endless).
    #[error("the analysis would not end: its limits need a depth, a time or a number of nodes, and no pondering")]
    Endless,
    /// The search was stopped: see [`Analyser::stop_by`](crate::Analyser::stop_by).
    #[error("the analysis was stopped")]
    Stopped,
    /// The search ended without a result, as when an evaluator panicked.
    #[error("the search ended without a result")]
    Failed,
}
