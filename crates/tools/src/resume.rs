//! Continuing a run: its settings stand in its file, and those that are given too are compared with them.

use bartizan_match::{JournalError, JournalFile};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Debug;
use std::path::Path;

/// Settings that the command line gives, and those of a file.
pub(crate) struct Comparison(Vec<String>);

impl Comparison {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Takes what the file has. A different value on the command line is remembered.
    pub(crate) fn stored<T: PartialEq + Debug>(&mut self, option: &str, given: Option<T>, stored: T) -> T {
        if let Some(given) = given.filter(|given| *given != stored) {
            self.0.push(format!("{option} {given:?} (the file has {stored:?})"));
        }
        stored
    }

    /// Remembers another difference.
    pub(crate) fn differs(&mut self, what: String) {
        self.0.push(what);
    }

    /// Fails if something differs.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        anyhow::ensure!(self.0.is_empty(), "it was begun with other settings: {}", self.0.join(", "));
        Ok(())
    }
}

/// Fails if settings that the command line gives are not those of a journal, and names those that differ.
pub(crate) fn compare<T: Serialize>(given: &T, stored: &T) -> anyhow::Result<()> {
    let mut compared = Comparison::new();
    let (given, stored) = (serde_json::to_value(given)?, serde_json::to_value(stored)?);
    if let (Value::Object(given), Value::Object(stored)) = (&given, &stored) {
        for (name, value) in given {
            let old = stored.get(name).unwrap_or(&Value::Null);
            if value != old {
                compared.differs(format!("{name} {value} (the file has {old})"));
            }
        }
    }
    compared.finish()
}

/// The error of a journal that cannot be used for what the user wants, such as "resume" it.
pub(crate) fn cannot(verb: &str, path: &Path, error: &JournalError) -> anyhow::Error {
    anyhow::anyhow!("cannot {verb} '{}': {}", path.display(), error.reason())
}

/// Begins the journal of a run that can be continued.
pub(crate) fn create<T: Serialize>(path: &Path, first: &T) -> anyhow::Result<JournalFile> {
    JournalFile::create(path, first).map_err(|error| match error {
        JournalError::Exists(_) => anyhow::anyhow!("{error}; continue it with --resume"),
        error => error.into(),
    })
}
