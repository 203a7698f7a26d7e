//! A file of JSON lines that only grows and survives being cut off.

use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A new journal would overwrite a file.
    #[error("the journal '{}' exists already", .0.display())]
    Exists(PathBuf),
    /// The file cannot be created.
    #[error("cannot create the journal '{}'", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be opened or read.
    #[error("cannot read the journal '{}'", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the journal '{}'", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file has no complete line.
    #[error("the journal '{}' is empty", .0.display())]
    Empty(PathBuf),
    /// A line is not what a journal contains.
    #[error("invalid journal '{}': line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A later version of the format.
    #[error("the journal '{}' has version {found}; this program reads versions up to {supported}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's version.
        found: u32,
        /// The last version that this program reads.
        supported: u32,
    },
}

/// A file with one JSON value in each line, open for appending.
///
/// A program that is killed can leave an incomplete last line. [`JournalFile::resume`] removes it, [`read_lines`]
/// ignores it.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
}

impl JournalFile {
    /// Creates a file.
    ///
    /// # Errors
    /// [`JournalError::Exists`] and [`JournalError::Create`].
    pub fn create(path: &Path) -> Result<Self, JournalError> {
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => Ok(Self { path: path.to_owned(), file }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(JournalError::Exists(path.to_owned())),
            Err(source) => Err(JournalError::Create { path: path.to_owned(), source }),
        }
    }

    /// Opens a file for appending and reads its lines.
    ///
    /// # Errors
    /// [`JournalError::Read`].
    pub fn resume(path: &Path) -> Result<(Self, JournalLines), JournalError> {
        let open = || {
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            let mut text = Vec::new();
            file.read_to_end(&mut text)?;
            text.truncate(complete(&text));
            file.set_len(text.len() as u64)?;
            file.seek(SeekFrom::End(0))?;
            Ok((file, text))
        };
        match open() {
            Ok((file, text)) => {
                Ok((Self { path: path.to_owned(), file }, JournalLines { path: path.to_owned(), text }))
            }
            Err(source) => Err(JournalError::Read { path: path.to_owned(), source }),
        }
    }

    /// Appends a line. When this returns, the operating system has it: a crash of this program cannot lose it.
    ///
    /// # Errors
    /// [`JournalError::Write`], for example when the disk is full.
    pub fn append(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let line = serde_json::to_vec(value).map_err(io::Error::from).map(|mut line| {
            line.push(b'\n');
            line
        });
        line.and_then(|line| self.file.write_all(&line))
            .map_err(|source| JournalError::Write { path: self.path.clone(), source })
    }
}

/// Reads the lines of a file without changing it.
///
/// # Errors
/// [`JournalError::Read`].
pub fn read_lines(path: &Path) -> Result<JournalLines, JournalError> {
    match std::fs::read(path) {
        Ok(mut text) => {
            text.truncate(complete(&text));
            Ok(JournalLines { path: path.to_owned(), text })
        }
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
}

impl JournalLines {
    /// The lines that are not empty, each with its number from 1.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        (1..).zip(self.text.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.is_empty())
    }

    /// An error about one of the lines.
    pub fn error(&self, line: usize, reason: impl ToString) -> JournalError {
        JournalError::Line { path: self.path.clone(), line, reason: reason.to_string() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
