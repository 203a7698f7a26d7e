//! Errors of the thread pool.

use std::io;

/// A search thread could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The system refused the thread.
    #[error("cannot start search thread {number}: {source}")]
    Thread {
        /// The number of the thread, from 1.
        number: usize,
        /// The error of the system.
        source: io::Error,
    },
    /// There is not enough memory for the persistent state of the thread.
    #[error("cannot start search thread {number}: not enough memory")]
    Memory {
        /// The number of the thread, from 1.
        number: usize,
    },
    /// The evaluator of the thread could not be created.
    #[error("cannot start search thread {number}: its evaluator panicked")]
    Evaluator {
        /// The number of the thread, from 1.
        number: usize,
    },
}
