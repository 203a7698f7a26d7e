//! Errors of advice.

use crate::DtmError;
use bartizan_tablebase::TablebaseError;

/// Why no advice is possible.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdviceError {
    /// No table covers the position or one that a move leads to.
    #[error("no table has the position{}", why(*castling))]
    NoTable {
        /// Whether the position has castling rights, which no table covers.
        castling: bool,
    },
    /// A table of distances to mate cannot be used.
    #[error(transparent)]
    Distances(#[from] DtmError),
    /// A Syzygy table cannot be used.
    #[error(transparent)]
    Syzygy(#[from] TablebaseError),
}

fn why(castling: bool) -> &'static str {
    if castling { ": tables do not cover castling rights" } else { ", or one that a move leads to" }
}
