//! Messages of an engine to its owner, besides search results.

use bartizan_book::BookError;
use bartizan_search::{PoolError, TableError};
use bartizan_types::{CastlingRights, Escaped, Variant};
use std::error::Error;
use std::fmt;
use std::path::PathBuf;

/// The maximum number of files named in one message.
const NAMED: usize = 6;

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

/// One line for the user.
impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Notice {
    fn text(&self) -> String {
        match self {
            Self::SyzygyFound { wdl, dtz, pieces } => {
                format!("found {wdl} WDL and {dtz} DTZ tablebase files with up to {pieces} pieces")
            }
            Self::SyzygyMissing { files, total, pieces } => {
                let more = files.len().saturating_sub(NAMED);
                let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
                let named = files[..files.len() - more].join(", ");
                format!("of {total} tablebase files with {pieces} pieces, these are missing: {named}{rest}")
            }
            Self::MateTablesFound { tables, pieces } => {
                format!("found {tables} distance-to-mate tables with up to {pieces} pieces")
            }
            Self::FewerThreads { reason, threads, wanted } => {
                format!("{reason}; continuing with {threads} of {wanted} threads")
            }
            Self::NoThreads(error) => error.to_string(),
            Self::SmallerTable { reason, mib } => format!("{reason}; continuing with {mib} MB"),
            Self::BookFailed { path, source } => {
                format!("cannot read book '{}': {source}; playing without it", Escaped(path.display()))
            }
            Self::CastlingDropped { rights, variant } => {
                let reason = match variant {
                    Variant::Standard => "standard chess castles with kings on e1 and e8 and rooks in the corners",
                    Variant::Chess960 => "the king or the rook is not in place",
                };
                format!("castling rights '{rights}' dropped: {reason}")
            }
            Self::TablesUnusable(error) => with_cause(error.as_ref()),
            Self::MoreTablesUnusable(number) => format!("{number} more tablebase files or folders cannot be used"),
            Self::SyzygyFailed { source, is_retried } => {
                let rest = if *is_retried { "the next searches retry" } else { "this file is not used" };
                format!("{}; {rest}", with_cause(source.as_ref()))
            }
            Self::MateTablesFailed { source, is_retried } => {
                let rest = if *is_retried { "the next search retries" } else { "distances to mate are disabled" };
                format!("{}; {rest}", with_cause(source.as_ref()))
            }
        }
    }
}

/// An error with its cause.
fn with_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
