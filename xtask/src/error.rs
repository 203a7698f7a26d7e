//! What can go wrong with a task, in the words the user reads.

use crate::files::shown;
use std::io;
use std::path::{Path, PathBuf};

/// The result of a task.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why a task failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", shown(path))]
    Io { path: PathBuf, source: io::Error },
    /// A program could not be started.
    #[error("cannot start `{command}`: {source}")]
    Start { command: String, source: io::Error },
    /// A program ended with a failure.
    #[error("`{command}` failed: {status}")]
    Failed { command: String, status: std::process::ExitStatus },
    /// A line of a file is not as it should be.
    #[error("{}:{line}: {what}", shown(path))]
    Line { path: PathBuf, line: usize, what: String },
    /// `cargo metadata` failed.
    #[error("cargo metadata: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// A check found what it looks for.
    #[error("{0}")]
    Check(String),
}

impl Error {
    /// Names the file in an error of reading or writing: for `map_err`.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
