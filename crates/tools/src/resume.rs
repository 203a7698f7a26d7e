//! Continuing a run: its settings stand in its file, and those that are given too are compared with them.

use crate::input;
use anyhow::{Context, ensure};
use bartizan_match::{JournalError, JournalFile};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Debug;
use std::fs::File;
use std::io::{BufReader, Read};
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
        ensure!(self.0.is_empty(), "it was begun with other settings: {}", self.0.join(", "));
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

pub(crate) fn cannot_read(path: &Path) -> String {
    format!("cannot read '{}'", path.display())
}

/// The SHA-256 of a file, in hexadecimal, by which a journal knows its input again.
pub(crate) fn digest(path: &Path) -> anyhow::Result<String> {
    let is_stream = input::is_stream(path).with_context(|| cannot_read(path))?;
    ensure!(!is_stream, "'{}' can be read only once, and --journal needs to read it twice", path.display());
    let read = || -> std::io::Result<String> {
        let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
                read => hash.update(&buffer[..read]),
            }
        }
    };
    read().with_context(|| cannot_read(path))
}
