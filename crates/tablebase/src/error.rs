//! What can go wrong with files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder or a file of tables that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A folder cannot be read.
    #[error("cannot read the tablebase folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: Arc<io::Error>,
    },
    /// None of the folders has a table.
    #[error("no tablebase files (*.rtbw) in {}", list(folders))]
    NoTables {
        /// The folders.
        folders: Vec<PathBuf>,
    },
    /// A file cannot be read.
    #[error("cannot read the tablebase file {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: Arc<io::Error>,
    },
    /// A file is not what its name says, or not whole.
    #[error("the tablebase file {} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        what: &'static str,
    },
}

fn list(folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return "an empty list of folders".to_owned();
    }
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    folders.join(", ")
}

/// What is wrong in a file whose name somebody else knows.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The system cannot read it.
    Io(io::Error),
    /// Its content makes no sense.
    Damaged(&'static str),
}

impl Fault {
    pub(crate) fn in_file(self, path: &Path) -> TablebaseError {
        let path = path.to_owned();
        match self {
            Self::Io(source) => TablebaseError::File { path, source: Arc::new(source) },
            Self::Damaged(what) => TablebaseError::Damaged { path, what },
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
