//! Errors of distance-to-mate tables.

use crate::endgame::Endgame;
use bartizan_files::list;
use bartizan_types::Escaped;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Opening or probing distance-to-mate tables failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DtmError {
    /// A folder cannot be read.
    #[error("cannot read the folder of tables '{}'", Escaped(path.display()))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// No folder contains tables.
    #[error("no distance-to-mate tables (*.dtm) in {}", list(folders))]
    NoTables {
        /// The folders.
        folders: Vec<PathBuf>,
    },
    /// A file cannot be read.
    #[error("cannot read table '{}'", Escaped(path.display()))]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// A file is damaged, truncated, or not the table that its name says.
    #[error("damaged table '{}': {what}, at byte {at}", Escaped(path.display()))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The offset of the damaged part in bytes.
        at: u64,
        /// The damage.
        what: String,
    },
}

/// Generating distance-to-mate tables failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The work was interrupted. Finished tables are kept.
    #[error("interrupted")]
    Interrupted,
    /// A table that a capture or promotion leads to is missing.
    #[error("the table {missing} is missing")]
    Missing {
        /// The ending.
        missing: Endgame,
    },
    /// The distances do not fit in one-byte codes.
    #[error("{endgame} has mates in more than 126 moves, more than the format can hold")]
    TooLong {
        /// The ending.
        endgame: Endgame,
    },
    /// A finished table cannot be read.
    #[error(transparent)]
    Read(DtmError),
    /// A finished table is damaged.
    #[error("{0}; delete it to make it again")]
    Damaged(DtmError),
    /// A table cannot be written.
    #[error("cannot write table '{}'", Escaped(path.display()))]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl From<DtmError> for GenerateError {
    fn from(error: DtmError) -> Self {
        match error {
            DtmError::Damaged { .. } => Self::Damaged(error),
            _ => Self::Read(error),
        }
    }
}
