//! Errors.

use bartizan_engine::EngineError;
use bartizan_types::Escaped;
use std::path::{Path, PathBuf};

/// The reason of an error.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// What failed, and with which file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something cannot be done with a file.
    #[error("{action} '{}'", Escaped(path.display()))]
    File {
        /// What cannot be done.
        action: FileAction,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Cause,
    },
    /// A file on which games depend has changed since they were begun.
    #[error("the {what} '{}' has changed since the games were started", Escaped(path.display()))]
    Changed {
        /// What the file is.
        what: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A file name cannot be recorded in a file of games.
    #[error("the {what} '{}': its name is not UTF-8, and the file of games must name it", Escaped(path.display()))]
    Name {
        /// What the file is.
        what: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A file has no openings.
    #[error("no openings in '{}'", Escaped(.0.display()))]
    NoOpenings(PathBuf),
    /// A file has no positions.
    #[error("'{}' has no positions", Escaped(.0.display()))]
    NoPositions(PathBuf),
    /// Openings cannot be used.
    #[error(transparent)]
    Openings(#[from] bartizan_match::OpeningsError),
    /// The built-in network cannot be used.
    #[error(transparent)]
    Network(#[from] bartizan_network::NetworkError),
    /// The system cannot provide memory or a thread for an engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Settings cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A game has no start.
    #[error(
        "game {id}: after {random_plies} random plies its opening could not be continued in {attempts} attempts; \
         choose fewer random plies or another opening"
    )]
    NoStart {
        /// The number of the game.
        id: usize,
        /// The random plies of each attempt.
        random_plies: usize,
        /// The attempts.
        attempts: u64,
    },
    /// The losses of an epoch are not finite.
    #[error("the fit diverged; the files are from before epoch {0}; start again with a smaller --rate")]
    Diverged(usize),
    /// The work was stopped.
    #[error("stopped")]
    Stopped,
}

/// An operation that failed on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileAction {
    /// It cannot be created.
    Create,
    /// It cannot be opened.
    Open(&'static str),
    /// It cannot be read.
    Read,
    /// Its content is invalid.
    Parse(&'static str),
    /// Resume a run from it.
    Resume,
    /// It cannot be written.
    Write,
    /// Append to it.
    Append,
    /// Create temporary files in the folder.
    UseTemporary,
}

impl std::fmt::Display for FileAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Create => f.write_str("cannot create"),
            Self::Open(what) => write!(f, "cannot open the {what}"),
            Self::Read => f.write_str("cannot read"),
            Self::Parse(what) => write!(f, "invalid {what}"),
            Self::Resume => f.write_str("cannot resume"),
            Self::Write => f.write_str("cannot write"),
            Self::Append => f.write_str("cannot write to"),
            Self::UseTemporary => f.write_str("cannot use a temporary file in"),
        }
    }
}

impl FileAction {
    /// The error of this action with a file.
    pub(crate) fn failed<E: Into<Cause>>(self, path: &Path) -> impl FnOnce(E) -> Error {
        move |source| Error::File { action: self, path: path.to_owned(), source: source.into() }
    }
}
