//! Continuing a run: its settings stand in its file, and those that are given too are compared with them.

use crate::input;
use anyhow::{Context, ensure};
use bartizan_match::{JournalError, JournalFile};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
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

/// The error of a journal that cannot be used for what the user wants, such as "resume" it.
pub(crate) fn cannot(verb: &str, path: &Path, error: &JournalError) -> anyhow::Error {
    anyhow::anyhow!("cannot {verb} '{}': {}", path.display(), error.reason())
}

/// The version of the journals that [`journal`] writes.
const VERSION: u32 = 1;

/// The first line of a journal.
#[derive(Debug, Serialize, Deserialize)]
struct Head<E, S> {
    /// Which command has written it.
    event: E,
    version: u32,
    /// What decides the results.
    settings: S,
}

/// Begins the journal of a run that can be continued: one JSON object a line, the settings first. Or, to `resume` it,
/// gives its other lines to `take`, which may refuse one with a reason. `event` marks the settings, and `expected` says
/// what the file should be, such as "a journal of pgn label".
///
/// # Errors
/// If the journal cannot be created or read, or was begun with other settings.
pub(crate) fn journal<S: Serialize, E: DeserializeOwned>(
    path: &Path,
    resume: bool,
    (event, expected): (&str, &'static str),
    settings: &S,
    mut take: impl FnMut(E) -> Result<(), &'static str>,
) -> anyhow::Result<JournalFile> {
    if !resume {
        let head = Head { event, version: VERSION, settings };
        return JournalFile::create(path, &head).map_err(|error| match error {
            JournalError::Exists(_) => anyhow::anyhow!("{error}; continue it with --resume"),
            error => error.into(),
        });
    }
    let failed = |error| cannot("resume", path, &error);
    let (file, lines) = JournalFile::resume(path).map_err(failed)?;
    let mut entries = lines.iter();
    let (number, first) = entries.next().ok_or_else(|| failed(lines.none()))?;
    let head: Head<String, Value> =
        serde_json::from_slice(first).map_err(|error| failed(lines.head_error(number, "event", expected, error)))?;
    if head.event != event {
        return Err(failed(JournalError::Kind { path: path.to_owned(), expected }));
    }
    if head.version > VERSION {
        return Err(failed(JournalError::Version { path: path.to_owned(), found: head.version, supported: VERSION }));
    }
    compare(settings, &head.settings).with_context(|| format!("cannot resume '{}'", path.display()))?;
    for (number, line) in entries {
        let entry = serde_json::from_slice(line).map_err(|error| failed(lines.error(number, error)))?;
        take(entry).map_err(|reason| failed(lines.error(number, reason)))?;
    }
    Ok(file)
}

/// Fails if settings are not those of a journal, and names those that differ.
fn compare(given: &impl Serialize, stored: &Value) -> anyhow::Result<()> {
    let mut compared = Comparison::new();
    if let Value::Object(given) = serde_json::to_value(given)? {
        for (name, value) in given {
            let old = &stored[&name];
            if value != *old {
                compared.differs(format!("{name} {value} (the file has {old})"));
            }
        }
    }
    compared.finish()
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
