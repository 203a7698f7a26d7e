//! Errors of tablebase files.

use bartizan_files::list;
use bartizan_types::Escaped;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The error of opening or probing tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A folder cannot be read.
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// No folder contains tables.
    NoTables {
        /// The folders; none for [files in memory](crate::Tablebases::from_files).
        folders: Vec<PathBuf>,
    },
    /// A file cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// A check was stopped: see [`TableFile::check`](crate::TableFile::check).
    Interrupted,
    /// A file is damaged, truncated, or not the table that its name says.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        what: &'static str,
    },
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { path, .. } => write!(f, "cannot read tablebase folder '{}'", Escaped(path.display())),
            Self::NoTables { folders } if folders.is_empty() => f.write_str("no tablebase files (*.rtbw)"),
            Self::NoTables { folders } => write!(f, "no tablebase files (*.rtbw) in {}", list(folders)),
            Self::File { path, .. } => write!(f, "cannot read tablebase file '{}'", Escaped(path.display())),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Damaged { path, what } => write!(f, "damaged tablebase file '{}': {what}", Escaped(path.display())),
        }
    }
}

impl std::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Folder { source, .. } | Self::File { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// The error of reading a file, without its name.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The operating system cannot read the file.
    Io(io::Error),
    /// The contents are invalid.
    Damaged(&'static str),
    /// The check of the file was stopped.
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
