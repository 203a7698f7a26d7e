//! Errors of tasks.

use crate::paths::shown;
use std::io;
use std::path::{Path, PathBuf};

/// The result of a task.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// The error of a task.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file could not be read or written.
    #[error("cannot access '{}': {source}", shown(path))]
    Io { path: PathBuf, source: io::Error },
    /// A program could not be started.
    #[error("cannot start `{command}`: {source}")]
    Start { command: String, source: io::Error },
    /// A program failed.
    #[error("`{command}` failed: {status}")]
    Failed { command: String, status: std::process::ExitStatus },
    /// A line of a file is invalid.
    #[error("{}:{line}: {what}", shown(path))]
    Line { path: PathBuf, line: usize, what: String },
    /// `cargo metadata` failed.
    #[error("`cargo metadata` failed: {0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// The task cannot run on this machine.
    #[error("{0}")]
    Skipped(String),
    /// A check failed.
    #[error("{0}")]
    Check(String),
}

/// The end of a check that lists problems: if there are any, it fails with one per line; otherwise `summary` says what
/// was checked.
pub(crate) fn verdict(problems: &[String], summary: String) -> Result<String> {
    if problems.is_empty() { Ok(summary) } else { Err(Error::Check(problems.join("\n"))) }
}

impl Error {
    /// Adds the path to an I/O error, for use with `map_err`.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
