//! Cache of the parts of large files.

use arc_swap::{ArcSwapOption, Guard};
use std::sync::Arc;

/// A part of a file: a page, or an unpacked block.
#[derive(Debug)]
struct Entry {
    /// The number of the file.
    file: u32,
    /// The number of the part in the file.
    number: u64,
    bytes: Box<[u8]>,
}

/// A part of a file in a [`Cache`]. It stays in memory while it is used, even if the cache replaces it.
#[derive(Debug)]
pub struct Part(Guard<Option<Arc<Entry>>>);

impl Part {
    /// The bytes of the part.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().map_or(&[], |entry| &entry.bytes)
    }

    /// Whether this is the part of that number.
    #[inline]
    pub fn is(&self, number: u64) -> bool {
        self.0.as_deref().is_some_and(|entry| entry.number == number)
    }
}

/// A direct-mapped cache of the parts of large files, such as pages or unpacked blocks: each part has one slot and
/// replaces the part that occupies it.
///
/// There is no lock: readers write to no shared memory and never wait for a thread that loads the same part.
///
/// ```
/// let cache = bartizan_files::Cache::new(16);
/// let load = || std::io::Result::Ok(b"part 3 of file 1".as_slice().into());
/// assert_eq!(cache.get(1, 3, load)?.bytes(), b"part 3 of file 1");
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Cache {
    slots: Box<[ArcSwapOption<Entry>]>,
}

impl Cache {
    /// Creates a cache of `slots` parts, at least one.
    pub fn new(slots: usize) -> Self {
        Self { slots: (0..slots.max(1)).map(|_| ArcSwapOption::empty()).collect() }
    }

    /// Returns the part with this number of a file, from the cache or else from `load`. Threads that request a part at
    /// the same time may each load it.
    ///
    /// # Errors
    /// The error of `load`, which is not cached.
    pub fn get<E>(&self, file: u32, number: u64, load: impl FnOnce() -> Result<Box<[u8]>, E>) -> Result<Part, E> {
        // Fibonacci hashing spreads the parts of a file and the files over the slots.
        let hash = (number ^ u64::from(file) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (u128::from(hash) * self.slots.len() as u128) >> 64;
        let slot = &self.slots[slot as usize];
        let found = slot.load();
        if found.as_deref().is_some_and(|entry| entry.file == file && entry.number == number) {
            return Ok(Part(found));
        }
        let entry = Some(Arc::new(Entry { file, number, bytes: load()? }));
        slot.store(entry.clone());
        Ok(Part(Guard::from_inner(entry)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn parts_are_loaded_once_while_they_stay() {
        let cache = Cache::new(64);
        let get =
            |file, number, n: u8| cache.get(file, number, || io::Result::Ok([n].into())).unwrap().bytes().to_vec();
        assert_eq!(get(1, 7, 1), [1]);
        assert_eq!(get(1, 7, 2), [1]);
        assert_eq!(get(2, 7, 3), [3]);
        assert!(cache.get(3, 0, || Err(io::Error::from(io::ErrorKind::UnexpectedEof))).is_err());
        // Failures are not cached.
        assert_eq!(get(3, 0, 4), [4]);
        let one = Cache::new(0);
        let held = one.get(0, 77, || io::Result::Ok([77].into())).unwrap();
        for n in 0..10 {
            assert_eq!(one.get(0, n, || io::Result::Ok([n as u8].into())).unwrap().bytes(), [n as u8]);
        }
        // A part in use outlives its slot in the cache.
        assert_eq!((held.bytes(), held.is(77), held.is(7)), (&[77][..], true, false));
    }
}
