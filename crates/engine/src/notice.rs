//! Messages of an engine to its owner, besides search results.

use bartizan_book::BookError;
use bartizan_search::{PoolError, TableError};
use bartizan_types::{CastlingRights, Variant};
use std::error::Error;
use std::path::PathBuf;

/// Something that the owner of an engine should know but that is not an error: the engine continues. See
/// [`Engine::take_notices`](crate::Engine::take_notices).
#[derive(Debug)]
#[non_exhaustive]
pub enum Notice {
    /// Syzygy tables were found.
    SyzygyFound {
        /// The number of files with wins, draws and losses.
        wdl: usize,
        /// The number of files with distances.
        dtz: usize,
        /// The greatest number of pieces, kings included.
        pieces: usize,
    },
    /// Some files of a set of Syzygy tables are missing.
    SyzygyMissing {
        /// The names of the files.
        files: Vec<String>,
        /// The number of files in the complete set.
        total: usize,
        /// The number of pieces of the set.
        pieces: usize,
    },
    /// Distance-to-mate tables were found.
    MateTablesFound {
        /// The number of tables.
        tables: usize,
        /// The greatest number of pieces, kings included.
        pieces: usize,
    },
    /// The system could not provide as many threads as the options ask for.
    FewerThreads {
        /// Why, as text.
        reason: String,
        /// The actual number of threads.
        threads: usize,
        /// The number of the options.
        wanted: usize,
    },
    /// The system could not provide any thread; the next search tries again.
    NoThreads(PoolError),
    /// The system could not provide a hash table of the size in the options.
    SmallerTable {
        /// The reason.
        reason: TableError,
        /// The actual size of the table, in MiB.
        mib: usize,
    },
    /// The opening book could not be read during a game, which continues without it.
    BookFailed {
        /// The file; empty for the built-in book.
        path: PathBuf,
        /// The fault.
        source: BookError,
    },
    /// Castling rights of a position were dropped: those whose king or rook is not in place, and without the option
    /// `UCI_Chess960` those that standard chess does not have.
    CastlingDropped {
        /// The rights.
        rights: CastlingRights,
        /// The variant of the options.
        variant: Variant,
    },
    /// A folder or file of endgame tables is unusable.
    TablesUnusable(Box<dyn Error + Send + Sync>),
    /// More unusable folders or files than were named.
    MoreTablesUnusable(usize),
    /// A file of Syzygy tables could not be read during a search.
    SyzygyFailed {
        /// The fault.
        source: Box<dyn Error + Send + Sync>,
        /// Whether the next searches try again; otherwise the file is no longer used.
        is_retried: bool,
    },
    /// A distance-to-mate table could not be read during a search.
    MateTablesFailed {
        /// The fault.
        source: Box<dyn Error + Send + Sync>,
        /// Whether the next search tries again; otherwise distances to mate are no longer used.
        is_retried: bool,
    },
}

impl Notice {
    /// Whether the options could not be met; otherwise it is news that needs no action.
    pub fn is_warning(&self) -> bool {
        !matches!(self, Self::SyzygyFound { .. } | Self::SyzygyMissing { .. } | Self::MateTablesFound { .. })
    }
}
