//! Pages of big files, kept for the next probe.

use parking_lot::Mutex;
use std::io;
use std::sync::Arc;

/// The bytes of a page: what disks and systems read at least.
pub(crate) const PAGE: u64 = 4_096;

#[derive(Debug, Default)]
struct Slot {
    /// The number of the file and of the page in it.
    key: (u32, u64),
    page: Option<Arc<[u8]>>,
}

/// Pages by file and place. Each page has one slot where it can be; a page that wants the same slot takes it.
#[derive(Debug)]
pub(crate) struct PageCache {
    slots: Box<[Mutex<Slot>]>,
}

impl PageCache {
    /// With room for so many bytes, one page at least.
    pub(crate) fn new(bytes: usize) -> Self {
        let pages = (bytes / PAGE as usize).max(1);
        Self { slots: (0..pages).map(|_| Mutex::default()).collect() }
    }

    /// The page, from the cache or else from `load`. Threads that want one page at once read it once.
    pub(crate) fn get(
        &self,
        file: u32,
        page: u64,
        load: impl FnOnce() -> io::Result<Arc<[u8]>>,
    ) -> io::Result<Arc<[u8]>> {
        // Fibonacci hashing: neighbours in a file go to different slots, and files do not follow each other.
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
        // A failure is not kept.
        assert_eq!(*cache.get(3, 0, || Ok(page(4))).unwrap(), [4]);
        let one = PageCache::new(0);
        for n in 0..10 {
            assert_eq!(*one.get(0, n, || Ok(page(n as u8))).unwrap(), [n as u8]);
        }
    }
}
