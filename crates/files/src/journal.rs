//! An append-only file of JSON lines that survives truncation.

use crate::Syncer;
#[cfg(test)]
use crate::power::{Operation, record};
use bartizan_types::Escaped;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A new journal would overwrite a file.
    #[error("the journal '{}' exists already", Escaped(.0.display()))]
    Exists(PathBuf),
    /// The file cannot be created.
    #[error("cannot create the journal '{}'", Escaped(path.display()))]
    Create {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be opened or read.
    #[error("cannot read the journal '{}'", Escaped(path.display()))]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the journal '{}'", Escaped(path.display()))]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is empty.
    #[error("the journal '{}' is empty", Escaped(.0.display()))]
    Empty(PathBuf),
    /// The file has no complete line.
    #[error("'{}' is not a journal: it has no complete line", Escaped(.0.display()))]
    Foreign(PathBuf),
    /// The file is not a journal of this kind.
    #[error("'{}' is not {expected}", Escaped(path.display()))]
    Kind {
        /// The file.
        path: PathBuf,
        /// What it should be, such as "a journal of a match".
        expected: &'static str,
    },
    /// A line is not a valid journal entry.
    #[error("invalid journal '{}': line {line}: {reason}", Escaped(path.display()))]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The file has a later version of the format.
    #[error(
        "the journal '{}' has version {found}; this program reads versions up to {supported}",
        Escaped(path.display())
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: u32,
        /// The last version that this program reads.
        supported: u32,
    },
}

impl JournalError {
    /// What is wrong, for a message that has named the file: `cannot resume 'match.jsonl': it is empty`.
    pub fn reason(&self) -> String {
        match self {
            Self::Exists(_) => "it exists already".to_owned(),
            Self::Create { source, .. } | Self::Read { source, .. } | Self::Write { source, .. } => source.to_string(),
            Self::Empty(_) => "it is empty".to_owned(),
            Self::Foreign(_) => "it is not a journal: it has no complete line".to_owned(),
            Self::Kind { expected, .. } => format!("it is not {expected}"),
            Self::Line { line, reason, .. } => format!("line {line}: {reason}"),
            Self::Version { found, supported, .. } => {
                format!("it has version {found}; this program reads versions up to {supported}")
            }
        }
    }
}

/// A file with one JSON value in each line, open for appending.
///
/// A killed program can leave an incomplete last line. [`read_lines`] ignores it, and the first append to a resumed
/// file removes it. The file is locked, so two programs cannot write to it at once.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
    /// Where the complete lines end, if an incomplete line follows.
    end: Option<u64>,
    syncer: Syncer,
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        // Each line has been written; a disk that fails now has nowhere to be reported.
        let _ = self.finish();
    }
}

impl JournalFile {
    /// Creates a file with its first line, or no file at all, even if the program is killed meanwhile.
    ///
    /// # Errors
    /// [`JournalError::Exists`] and [`JournalError::Create`].
    pub fn create(path: &Path, first: &impl Serialize) -> Result<Self, JournalError> {
        let create = || crate::create(path, &line(first)?);
        match create() {
            Ok(file) => Ok(Self { path: path.to_owned(), file, end: None, syncer: Syncer::default() }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(JournalError::Exists(path.to_owned())),
            Err(source) => Err(JournalError::Create { path: path.to_owned(), source }),
        }
    }

    /// Opens a file for appending and reads its lines. The file changes only when a line is appended, so the caller can
    /// inspect the lines first.
    ///
    /// # Errors
    /// [`JournalError::Read`], also if another process writes to the file; [`JournalError::Empty`] or
    /// [`JournalError::Foreign`] if it has no complete line, and so no first one.
    pub fn resume(path: &Path) -> Result<(Self, JournalLines), JournalError> {
        let open = || -> io::Result<_> {
            // If opened for writing as well, a pipe, named or not, would never end.
            crate::check_regular(path)?;
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            crate::claim(&file)?;
            let mut text = Vec::new();
            crate::ZeroGuard::new(&mut file).read_to_end(&mut text)?;
            Ok((file, text))
        };
        match open() {
            Ok((file, text)) => {
                let lines = JournalLines::of(path, text);
                if lines.iter().next().is_none() {
                    return Err(lines.none());
                }
                let end = lines.is_cut().then_some(lines.text.len() as u64);
                Ok((Self { path: path.to_owned(), file, end, syncer: Syncer::default() }, lines))
            }
            Err(source) => Err(JournalError::Read { path: path.to_owned(), source }),
        }
    }

    /// Appends a line. When this returns, the operating system has the data, so a crash of this program cannot lose it.
    /// A power cut costs the lines of at most a second: see [`Syncer`].
    /// If the whole line cannot be written, for example on a full disk, no part of it is.
    ///
    /// # Errors
    /// [`JournalError::Write`], for example when the disk is full.
    pub fn append(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let mut write = || -> io::Result<()> {
            let line = line(value)?;
            if let Some(end) = self.end.take() {
                self.file.set_len(end)?;
                #[cfg(test)]
                record(Operation::Cut(self.path.clone(), end as usize));
            }
            crate::append(&mut self.file, &line)?;
            #[cfg(test)]
            record(Operation::Write(self.path.clone(), line));
            self.syncer.appended(&self.file)?;
            #[cfg(test)]
            self.record_sync();
            Ok(())
        };
        write().map_err(|source| JournalError::Write { path: self.path.clone(), source })
    }
}

impl JournalFile {
    fn finish(&mut self) -> io::Result<()> {
        self.syncer.finish(&self.file)?;
        #[cfg(test)]
        self.record_sync();
        Ok(())
    }
}

#[cfg(test)]
impl JournalFile {
    pub(crate) fn synced_every(mut self, interval: std::time::Duration) -> Self {
        self.syncer = Syncer::every(interval);
        self
    }

    pub(crate) fn is_sync_due(&self) -> bool {
        self.syncer.is_due()
    }

    fn record_sync(&self) {
        if !self.is_sync_due() {
            record(Operation::Sync(self.path.clone()));
        }
    }
}

fn line(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads the lines of a file without changing it. It may be compressed: see [`crate::open`].
///
/// # Errors
/// [`JournalError::Read`], also for a named pipe, which could block for ever.
pub fn read_lines(path: &Path) -> Result<JournalLines, JournalError> {
    match crate::open(path) {
        Ok(file) => JournalLines::read(path, file),
        Err(source) => Err(JournalError::Read { path: path.to_owned(), source }),
    }
}

/// Length of the complete lines at the start of a text.
fn complete(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

/// The complete lines of a journal.
#[derive(Clone, Debug)]
pub struct JournalLines {
    path: PathBuf,
    text: Vec<u8>,
    /// Length of the file, with an incomplete last line.
    length: usize,
}

impl JournalLines {
    /// Reads an input to its end. `path` names it in errors.
    ///
    /// # Errors
    /// [`JournalError::Read`].
    pub fn read(path: &Path, mut input: impl Read) -> Result<Self, JournalError> {
        let mut text = Vec::new();
        match input.read_to_end(&mut text) {
            Ok(_) => Ok(Self::of(path, text)),
            Err(source) => Err(JournalError::Read { path: path.to_owned(), source }),
        }
    }

    fn of(path: &Path, mut text: Vec<u8>) -> Self {
        let length = text.len();
        text.truncate(complete(&text));
        Self { path: path.to_owned(), text, length }
    }

    /// Whether an incomplete last line follows: a program was killed or the disk was full while it was written, or it
    /// is being written.
    pub fn is_cut(&self) -> bool {
        self.text.len() < self.length
    }

    /// The lines that are not empty, each with its number from 1.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        (1..).zip(self.text.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.is_empty())
    }

    /// An error about one of the lines.
    pub fn error(&self, line: usize, reason: impl ToString) -> JournalError {
        JournalError::Line { path: self.path.clone(), line, reason: reason.to_string() }
    }

    /// The error of a first line that cannot be read. `expected` says what the file should be, such as "a journal of a
    /// match"; if the line is not a JSON object with this field, the file is something else.
    pub fn head_error(&self, line: usize, field: &str, expected: &'static str, reason: impl ToString) -> JournalError {
        let text = self.iter().find(|&(number, _)| number == line).map_or(&b""[..], |(_, text)| text);
        let fields: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_slice(text).ok();
        match fields {
            Some(fields) if fields.contains_key(field) => self.error(line, reason),
            _ => JournalError::Kind { path: self.path.clone(), expected },
        }
    }

    /// The first line, and the others with their numbers. `expected` says what the file should be, such as "a journal
    /// of a match"; without the field `field` in its first line, it is something else.
    ///
    /// # Errors
    /// [`JournalError::Empty`], [`JournalError::Foreign`], [`JournalError::Kind`], or [`JournalError::Line`] for the
    /// first line.
    pub fn head<H: DeserializeOwned>(
        &self,
        field: &str,
        expected: &'static str,
    ) -> Result<(H, impl Iterator<Item = (usize, &[u8])>), JournalError> {
        let mut lines = self.iter();
        let (number, first) = lines.next().ok_or_else(|| self.none())?;
        let head = serde_json::from_slice(first).map_err(|error| self.head_error(number, field, expected, error))?;
        Ok((head, lines))
    }

    /// Refuses the files of a later version.
    ///
    /// # Errors
    /// [`JournalError::Version`].
    pub fn check_version(&self, found: u32, supported: u32) -> Result<(), JournalError> {
        if found <= supported {
            return Ok(());
        }
        Err(JournalError::Version { path: self.path.clone(), found, supported })
    }

    /// The error of a file without a complete line.
    pub fn none(&self) -> JournalError {
        let path = self.path.clone();
        if self.length == 0 { JournalError::Empty(path) } else { JournalError::Foreign(path) }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
