//! The bytes of a book, in memory or in a file.

use crate::BookError;
use crate::entry::{ENTRY_SIZE, Entry};
use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// The number of entries that are read at once: 4 KiB, a page of most systems.
pub(crate) const BLOCK: u64 = 256;

/// Where the entries are.
#[derive(Debug)]
pub(crate) enum Source {
    Bytes(Cow<'static, [u8]>),
    /// The file stays open and is read where it is needed. See [`Book`](crate::Book) for why it is not mapped.
    File {
        file: Mutex<File>,
        bytes: u64,
    },
}

impl Source {
    /// The length in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { bytes, .. } => *bytes,
        }
    }

    /// The entries of a block, numbered from 0; none after the last one.
    pub(crate) fn block(&self, number: u64) -> Result<Vec<Entry>, BookError> {
        let size = BLOCK * ENTRY_SIZE as u64;
        let start = number.saturating_mul(size).min(self.bytes());
        let end = start.saturating_add(size).min(self.bytes());
        match self {
            Self::Bytes(bytes) => Ok(entries(&bytes[start as usize..end as usize])),
            Self::File { file, .. } => {
                let mut buffer = vec![0; (end - start) as usize];
                // Seeking sets the position in any case, so that a panic of another thread does no harm.
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(&mut buffer)?;
                Ok(entries(&buffer))
            }
        }
    }
}

fn entries(bytes: &[u8]) -> Vec<Entry> {
    bytes.as_chunks().0.iter().map(Entry::from_bytes).collect()
}
