//! Access to the bytes of a file: small files in memory, large files page by page.

use crate::Fallible;
use crate::error::Fault;
use crate::handles::{Handle, Handles};
use bartizan_files::{Cache, POSITIONAL, Part, read_exact_at};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The size of a page in bytes: the unit in which disks and operating systems read.
pub(crate) const PAGE: u64 = 4_096;

/// State shared by all files of a set of tables.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Files up to this size in bytes are kept in memory.
    pub(crate) whole: u64,
    pub(crate) pages: Cache,
    pub(crate) handles: Handles,
    pub(crate) next_file: AtomicU32,
}

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum Source {
    Memory(Box<[u8]>),
    Paged { number: u32, len: u64, handle: Arc<Handle>, shared: Arc<Shared> },
}

impl Source {
    pub(crate) fn open(path: &Path, shared: &Arc<Shared>) -> io::Result<Self> {
        let len = fs::metadata(path)?.len();
        if len <= shared.whole || !POSITIONAL {
            return Ok(Self::Memory(fs::read(path)?.into_boxed_slice()));
        }
        // Relaxed suffices: the numbers only need to be distinct.
        let number = shared.next_file.fetch_add(1, Relaxed);
        Ok(Self::Paged { number, len, handle: Handle::new(path), shared: Arc::clone(shared) })
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Paged { len, .. } => *len,
        }
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { source: self, page: None }
    }
}

/// Reads from a source and keeps the last page.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    source: &'a Source,
    page: Option<Part>,
}

impl Reader<'_> {
    /// Reads `N` bytes at an offset.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, at: u64) -> Fallible<[u8; N]> {
        match self.source {
            Source::Memory(bytes) => {
                usize::try_from(at).ok().and_then(|at| bytes.get(at..)?.first_chunk()).copied().ok_or(BEYOND)
            }
            Source::Paged { .. } => self.paged(at),
        }
    }

    fn paged<const N: usize>(&mut self, at: u64) -> Fallible<[u8; N]> {
        let offset = (at % PAGE) as usize;
        if let Some(bytes) = self.page(at / PAGE)?.get(offset..).and_then(|rest| rest.first_chunk()) {
            return Ok(*bytes);
        }
        // The bytes cross the end of a page.
        let mut bytes = [0; N];
        for (index, byte) in bytes.iter_mut().enumerate() {
            let at = at.checked_add(index as u64).ok_or(BEYOND)?;
            *byte = *self.page(at / PAGE)?.get((at % PAGE) as usize).ok_or(BEYOND)?;
        }
        Ok(bytes)
    }

    fn page(&mut self, number: u64) -> Fallible<&[u8]> {
        let Source::Paged { number: file, len, handle, shared } = self.source else { return Err(BEYOND) };
        let page = match self.page.take().filter(|page| page.is(number)) {
            Some(page) => page,
            None => {
                let start = number.checked_mul(PAGE).filter(|start| start < len).ok_or(BEYOND)?;
                let size = (len - start).min(PAGE) as usize;
                shared.pages.get(*file, number, || -> io::Result<Box<[u8]>> {
                    let mut bytes = vec![0; size];
                    read_exact_at(&*shared.handles.get(handle)?, &mut bytes, start)?;
                    Ok(bytes.into())
                })?
            }
        };
        Ok(self.page.insert(page).bytes())
    }

    pub(crate) fn u16(&mut self, at: u64) -> Fallible<u16> {
        self.array(at).map(u16::from_le_bytes)
    }
}

const BEYOND: Fault = Fault::Damaged("it ends too early");

/// Reads values in sequence.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    reader: Reader<'a>,
    at: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(source: &'a Source, at: u64) -> Self {
        Self { reader: source.reader(), at }
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    fn array<const N: usize>(&mut self) -> Fallible<[u8; N]> {
        let bytes = self.reader.array(self.at)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub(crate) fn u8(&mut self) -> Fallible<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self) -> Fallible<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Fallible<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn bytes3(&mut self) -> Fallible<[u8; 3]> {
        self.array()
    }

    /// Advances to the next multiple of `step`, which must be a power of two.
    pub(crate) fn align(&mut self, step: u64) {
        self.at = self.at.next_multiple_of(step);
    }

    /// Skips `bytes` bytes and returns their offset.
    pub(crate) fn skip(&mut self, bytes: u64) -> Fallible<u64> {
        let start = self.at;
        self.at = start.checked_add(bytes).filter(|&end| end <= self.reader.source.len()).ok_or(BEYOND)?;
        Ok(start)
    }
}
