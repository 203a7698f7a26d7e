//! The errors of a session.

use bartizan_book::BookError;
use bartizan_network::NetworkFileError;
use bartizan_position::IllegalMove;
use bartizan_search::{PoolError, TableError};
use bartizan_types::Escaped;
use std::path::PathBuf;

/// Why a position was not set up. The old position is kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetPositionError {
    /// The FEN is malformed, or the position is not legal.
    #[error(transparent)]
    Fen(#[from] bartizan_position::PositionError),
    /// A move of the game is not legal.
    #[error("move {number}: {source}")]
    Move {
        /// The number of the move in the list, from 1.
        number: usize,
        /// The move.
        source: IllegalMove,
    },
}

/// Why options were not set or a search could not begin. The old options are kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// An option is out of range.
    #[error("{field} must be between {min} and {max}, not {value}")]
    OutOfRange {
        /// The field of [`Options`](crate::Options).
        field: &'static str,
        /// Its value.
        value: String,
        /// The smallest value allowed.
        min: String,
        /// The largest value allowed.
        max: String,
    },
    /// The hash table cannot be allocated.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The search threads cannot be started.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The opening book cannot be used.
    #[error("cannot use book '{}': {source}", Escaped(.path.display()))]
    Book {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: BookError,
    },
    /// The network cannot be used.
    #[error("cannot use network '{}': {source}", Escaped(.path.display()))]
    Network {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: NetworkFileError,
    },
    /// A file of weights cannot be loaded.
    #[cfg(feature = "tuning")]
    #[error(transparent)]
    LoadWeights(#[from] crate::tuning::LoadWeightsError),
    /// The weights cannot be changed.
    #[cfg(feature = "tuning")]
    #[error(transparent)]
    Weights(#[from] crate::tuning::WeightsError),
}
