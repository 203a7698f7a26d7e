//! Errors of distance-to-mate tables.

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
