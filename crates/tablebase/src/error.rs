//! Errors of tablebase files.

use bartizan_files::list;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The error of opening or probing tables.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A folder cannot be read.
    #[error("cannot read tablebase folder '{}'", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// No folder contains tables.
    #[error("no tablebase files (*.rtbw) in {}", list(folders))]
    NoTables {
        /// The folders.
        folders: Vec<PathBuf>,
    },
    /// A file cannot be read.
    #[error("cannot read tablebase file '{}'", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// An examination was stopped: see [`TableFile::check`](crate::TableFile::check).
    #[error("interrupted")]
    Interrupted,
    /// A file is damaged, truncated, or not the table that its name says.
    #[error("damaged tablebase file '{}': {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        what: &'static str,
    },
}

/// The error of reading a file, without its name.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The operating system cannot read the file.
    Io(io::Error),
    /// The contents are invalid.
    Damaged(&'static str),
    /// The examination of the file was stopped.
    Interrupted,
}

impl Fault {
    pub(crate) fn in_file(self, path: &Path) -> TablebaseError {
        let path = path.to_owned();
        match self {
            Self::Io(source) => TablebaseError::File { path, source: Arc::new(source) },
            Self::Damaged(what) => TablebaseError::Damaged { path, what },
            Self::Interrupted => TablebaseError::Interrupted,
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
