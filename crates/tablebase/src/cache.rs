//! Cache of the pages of large files.

use parking_lot::Mutex;
use std::io;
use std::sync::Arc;

/// The size of a page in bytes: the unit in which disks and operating systems read.
pub(crate) const PAGE: u64 = 4_096;

#[derive(Debug, Default)]
struct Slot {
    /// The number of the file and the number of the page in it.
    key: (u32, u64),
    page: Option<Arc<[u8]>>,
}

/// A direct-mapped cache: each page has one slot and replaces the page that occupies it.
#[derive(Debug)]
pub(crate) struct PageCache {
    slots: Box<[Mutex<Slot>]>,
}

impl PageCache {
    /// Creates a cache of about `bytes` bytes, at least one page.
    pub(crate) fn new(bytes: usize) -> Self {
        let pages = (bytes / PAGE as usize).max(1);
        Self { slots: (0..pages).map(|_| Mutex::default()).collect() }
    }

    /// Returns a page from the cache, or else from `load`. If several threads request a page at once, it is loaded
    /// once.
    pub(crate) fn get(
        &self,
        file: u32,
        page: u64,
        load: impl FnOnce() -> io::Result<Arc<[u8]>>,
    ) -> io::Result<Arc<[u8]>> {
        // Fibonacci hashing spreads the pages of a file and the files over the slots.
        let hash = (page ^ u64::from(file) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (u128::from(hash) * self.slots.len() as u128) >> 64;
        let mut slot = self.slots[slot as usize].lock();
        if slot.key == (file, page)
            && let Some(page) = &slot.page
        {
            return Ok(Arc::clone(page));
        }
        let loaded = load()?;
        *slot = Slot { key: (file, page), page: Some(Arc::clone(&loaded)) };
        Ok(loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_loaded_once_while_they_stay() {
        let cache = PageCache::new(64 * PAGE as usize);
        let page = |n: u8| -> Arc<[u8]> { Arc::from([n].as_slice()) };
        assert_eq!(*cache.get(1, 7, || Ok(page(1))).unwrap(), [1]);
        assert_eq!(*cache.get(1, 7, || Ok(page(2))).unwrap(), [1]);
        assert_eq!(*cache.get(2, 7, || Ok(page(3))).unwrap(), [3]);
        assert!(cache.get(3, 0, || Err(io::ErrorKind::UnexpectedEof.into())).is_err());
        // Failures are not cached.
        assert_eq!(*cache.get(3, 0, || Ok(page(4))).unwrap(), [4]);
        let one = PageCache::new(0);
        for n in 0..10 {
            assert_eq!(*one.get(0, n, || Ok(page(n as u8))).unwrap(), [n as u8]);
        }
    }
}
