//! The bytes of a book, in memory or in a file.

use crate::entry::{BookEntry, ENTRY_SIZE};
use bartizan_files::MappedFile;
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// The number of entries that are read at once: 4 KiB, a page of most systems.
pub(crate) const BLOCK: u64 = 256;

/// Files up to this size in bytes are read into memory. Larger ones are mapped.
const WHOLE: u64 = 1 << 20;

/// Where the entries are.
#[derive(Debug)]
pub(crate) enum Source {
    Bytes(Cow<'static, [u8]>),
    File(MappedFile),
}

impl Source {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        MappedFile::open(path, WHOLE).map(Self::File)
    }

    /// The length in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(map) => map.bytes(),
        }
    }

    /// The entries of a block, numbered from 0; none after the last one.
    pub(crate) fn block(&self, number: u64) -> io::Result<Vec<BookEntry>> {
        self.blocks(number, 1)
    }

    /// The entries of several blocks in a row.
    pub(crate) fn blocks(&self, first: u64, count: u64) -> io::Result<Vec<BookEntry>> {
        let size = BLOCK * ENTRY_SIZE as u64;
        let start = first.saturating_mul(size).min(self.bytes());
        let end = start.saturating_add(count.saturating_mul(size)).min(self.bytes());
        match self {
            Self::Bytes(bytes) => Ok(entries(&bytes[start as usize..end as usize])),
            Self::File(map) => {
                let mut buffer = vec![0; (end - start) as usize];
                map.read(start, &mut buffer)?;
                Ok(entries(&buffer))
            }
        }
    }
}

fn entries(bytes: &[u8]) -> Vec<BookEntry> {
    bytes.as_chunks().0.iter().map(BookEntry::from_bytes).collect()
}
