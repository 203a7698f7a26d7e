//! The memory of the table: zeroed pages mapped by the system, huge pages if available.
//!
//! Huge pages (2 MiB instead of 4 KiB) save most address translations; otherwise each random access to a large table
//! costs one. With 256 MB, four middlegame positions to depth 16 and 12 interleaved runs each, the median was 3.57
//! million nodes per second without and 4.17 with huge pages, the best 3.84 and 4.37: 14 to 17 % faster.
//!
//! None of this code is unsafe: `memmap2` maps the memory, `zerocopy` converts bytes to atomics, and `self_cell` keeps
//! the mapping and its slice together.

use super::bucket::Bucket;
use crate::available::{ROOM, available_megabytes};
#[cfg(not(target_family = "wasm"))]
use memmap2::{MmapMut, MmapOptions};
use self_cell::{MutBorrow, self_cell};
use std::{fmt, io};
use zerocopy::FromBytes;

/// Buckets in one MiB.
pub(super) const BUCKETS_PER_MEGABYTE: usize = (1 << 20) / size_of::<Bucket>();

/// The alignment of huge pages, and so of cache lines.
const ALIGNMENT: usize = 2 << 20;

/// The table could not be allocated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The machine does not have enough available memory.
    #[error("cannot allocate {megabytes} MB of memory for the hash table: only {available} MB are available")]
    TooLittle {
        /// The requested size in MiB.
        megabytes: usize,
        /// The available memory in MiB.
        available: usize,
    },
    /// The size exceeds the address space.
    #[error("cannot allocate {megabytes} MB of memory for the hash table: the size exceeds the address space")]
    TooLarge {
        /// The requested size in MiB.
        megabytes: usize,
    },
    /// The system refused the memory.
    #[error("cannot allocate {megabytes} MB of memory for the hash table: {reason}")]
    Refused {
        /// The requested size in MiB.
        megabytes: usize,
        /// The reason given by the system.
        reason: io::ErrorKind,
    },
}

type Buckets<'a> = &'a [Bucket];

/// WebAssembly maps no memory.
#[cfg(target_family = "wasm")]
type MmapMut = Vec<u8>;

self_cell!(
    struct Mapping {
        owner: MutBorrow<MmapMut>,
        #[covariant]
        dependent: Buckets,
    }
);

/// The memory of the buckets, which are empty at first.
pub(super) struct Memory(Mapping);

impl Memory {
    /// Maps buckets of a size in MiB. `reclaimable` MiB are in use and will be freed before these are.
    pub(super) fn new(megabytes: usize, reclaimable: usize) -> Result<Self, TableError> {
        // Linux overcommits memory and kills processes that use it, so check before mapping.
        if let Some(available) = available_megabytes(reclaimable)
            && megabytes > available
        {
            return Err(TableError::TooLittle { megabytes, available });
        }
        let len = (megabytes.checked_mul(1 << 20))
            .filter(|&len| len <= isize::MAX as usize - ALIGNMENT)
            .ok_or(TableError::TooLarge { megabytes })?;
        // The surplus allows for the alignment to huge pages. Untouched memory costs nothing.
        let refused = |error: io::Error| TableError::Refused { megabytes, reason: error.kind() };
        let map = map(len + ALIGNMENT).map_err(refused)?;
        let mapping = Mapping::try_new(MutBorrow::new(map), |map| buckets(map.borrow_mut(), len, megabytes))?;
        Ok(Self(mapping))
    }

    #[inline]
    pub(super) fn buckets(&self) -> &[Bucket] {
        self.0.borrow_dependent()
    }
}

#[cfg(not(target_family = "wasm"))]
fn map(len: usize) -> io::Result<MmapMut> {
    let map = MmapOptions::new().len(len).map_anon()?;
    // Under a memory limit for the process, the table must not take all that remains: every other allocation would
    // fail.
    MmapOptions::new().len(ROOM).map_anon()?;
    #[cfg(target_os = "linux")]
    // Without huge pages in the kernel this fails, and small pages are used.
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

#[cfg(target_family = "wasm")]
fn map(len: usize) -> io::Result<MmapMut> {
    let mut map = Vec::new();
    map.try_reserve_exact(len + ROOM)?;
    map.resize(len, 0);
    Ok(map)
}

/// The part of a mapping that is aligned to huge pages.
fn buckets(map: &mut [u8], len: usize, megabytes: usize) -> Result<Buckets<'_>, TableError> {
    let address = map.as_ptr().addr();
    let skipped = address.next_multiple_of(ALIGNMENT) - address;
    (map.get_mut(skipped..skipped + len))
        .and_then(|bytes| <[Bucket]>::mut_from_bytes(bytes).ok())
        .map(|buckets| &*buckets)
        .ok_or(TableError::Refused { megabytes, reason: io::ErrorKind::InvalidData })
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} MB)", self.buckets().len() / BUCKETS_PER_MEGABYTE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_aligned_to_huge_pages_and_empty() {
        for megabytes in [1, 2, 3, 33] {
            let memory = Memory::new(megabytes, 0).unwrap();
            assert_eq!(memory.buckets().as_ptr().addr() % ALIGNMENT, 0);
            assert_eq!(size_of_val(memory.buckets()), megabytes << 20);
            let mut words = memory.buckets().iter().flatten().flatten();
            assert!(words.all(|word| word.load(std::sync::atomic::Ordering::Relaxed) == 0));
            assert_eq!(format!("{memory:?}"), format!("Memory({megabytes} MB)"));
        }
    }
}
