//! Cache of the pages of large files.

use arc_swap::{ArcSwapOption, Guard};
use std::io;
use std::sync::Arc;

/// The size of a page in bytes: the unit in which disks and operating systems read.
pub(crate) const PAGE: u64 = 4_096;

/// A page of a file.
#[derive(Debug)]
pub(crate) struct Page {
    /// The number of the file.
    file: u32,
    /// The number of the page in the file.
    number: u64,
    bytes: Box<[u8]>,
}

/// A page that is being read from. It stays in memory if the cache replaces it meanwhile.
#[derive(Debug)]
pub(crate) struct PageRef(Guard<Option<Arc<Page>>>);

impl PageRef {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_deref().map_or(&[], |page| &page.bytes)
    }

    /// Whether this is the page of that number.
    pub(crate) fn is(&self, number: u64) -> bool {
        self.0.as_deref().is_some_and(|page| page.number == number)
    }
}

/// A direct-mapped cache: each page has one slot and replaces the page that occupies it.
///
/// There is no lock: to read a page, a thread writes only to memory of its own, and never waits for one that reads the
/// same page from the disk.
#[derive(Debug)]
pub(crate) struct PageCache {
    slots: Box<[ArcSwapOption<Page>]>,
}

impl PageCache {
    /// Creates a cache of about `bytes` bytes, at least one page.
    pub(crate) fn new(bytes: usize) -> Self {
        let pages = (bytes / PAGE as usize).max(1);
        Self { slots: (0..pages).map(|_| ArcSwapOption::empty()).collect() }
    }

    /// Returns a page from the cache, or else from `load`. Threads that request a page at the same time may each load
    /// it.
    pub(crate) fn get(
        &self,
        file: u32,
        number: u64,
        load: impl FnOnce() -> io::Result<Box<[u8]>>,
    ) -> io::Result<PageRef> {
        // Fibonacci hashing spreads the pages of a file and the files over the slots.
        let hash = (number ^ u64::from(file) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (u128::from(hash) * self.slots.len() as u128) >> 64;
        let slot = &self.slots[slot as usize];
        let found = slot.load();
        if found.as_deref().is_some_and(|page| page.file == file && page.number == number) {
            return Ok(PageRef(found));
        }
        let page = Some(Arc::new(Page { file, number, bytes: load()? }));
        slot.store(page.clone());
        Ok(PageRef(Guard::from_inner(page)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_loaded_once_while_they_stay() {
        let cache = PageCache::new(64 * PAGE as usize);
        let get = |file, number, n: u8| cache.get(file, number, || Ok([n].into())).unwrap().bytes().to_vec();
        assert_eq!(get(1, 7, 1), [1]);
        assert_eq!(get(1, 7, 2), [1]);
        assert_eq!(get(2, 7, 3), [3]);
        assert!(cache.get(3, 0, || Err(io::ErrorKind::UnexpectedEof.into())).is_err());
        // Failures are not cached.
        assert_eq!(get(3, 0, 4), [4]);
        let one = PageCache::new(0);
        let held = one.get(0, 77, || Ok([77].into())).unwrap();
        for n in 0..10 {
            assert_eq!(one.get(0, n, || Ok([n as u8].into())).unwrap().bytes(), [n as u8]);
        }
        // A page that is being read from outlives its place in the cache.
        assert_eq!((held.bytes(), held.is(77), held.is(7)), (&[77][..], true, false));
    }
}
