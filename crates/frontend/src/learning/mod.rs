//! Position learning: when a deep search contradicts the shallower ones, its result is kept for later games.
//!
//! The idea follows position learning in Crafty (Robert Hyatt, "Book learning and position learning", 1999) and Arasan:
//! a few positions with their scores are saved in a file and given to each search, so that a search that reaches such a
//! position knows its deep score.

mod file;
mod learner;
mod options;
mod record;

pub use file::{InvalidLine, LearningError, LearningFile, MOST_RECORDS, merge, prune};
pub(crate) use learner::Learner;
pub use options::LearningOptions;
pub use record::{Record, RecordError};

use std::io;
use std::path::Path;

/// Checks a file that may exist: it must be a learning file of at most 64 MiB and, unless it is only read,
/// writable.
pub(crate) fn check(path: &Path, read_only: bool) -> io::Result<()> {
    if read_only {
        bartizan_files::check_regular(path)?;
    } else {
        crate::files::check_writable(path)?;
    }
    bartizan_files::check_kind(path, "a learning file", |start| {
        start.is_empty() || start.starts_with(file::HEADER.as_bytes())
    })?;
    file::check_length(path)
}

#[cfg(test)]
#[path = "tests.rs"]
mod session_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_learning_files_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learning.epd");
        check(&path, false).unwrap();
        LearningFile::add(&path, &[], 1).unwrap();
        check(&path, false).unwrap();
        std::fs::write(&path, "1. e4 *").unwrap();
        let error = check(&path, true).unwrap_err();
        assert_eq!(error.to_string(), "the file exists and is not a learning file");
    }
}
