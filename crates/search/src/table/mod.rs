//! The transposition table, shared by all threads without locks.
//!
//! A slot is two 64-bit words: the entry, and the key XOR the entry (Robert Hyatt and Tim Mann, "A lock-less
//! transposition table implementation for parallel search", ICCA Journal 2002). If two threads write to a slot at the
//! same time, the pair of words may match neither key, but never matches a key with the wrong entry. `bucket.rs` has
//! the proof, and `tests/loom` runs the code through every interleaving. Four slots make a bucket of one cache
//! line.
//!
//! Denser buckets were tried: five slots of 12 bytes (32-bit tag) and six of 10 bytes (16-bit tag, as in Stockfish),
//! with the tag XORed with the entry. The bench to depths 14, 15 and 16 with 1, 2 and 4 MB took 237.3 million nodes
//! with four slots, 239.5 with five and 240.9 with six, so more slots did not help. A short tag also accepts a wrong
//! entry once in 2³² or 2¹⁶ compared slots, a full key only if two positions share it.
//!
//! The memory is mapped in whole pages, huge pages if available: see `memory.rs`.

mod bucket;
mod entry;
mod memory;
#[cfg(test)]
mod stress;
#[cfg(test)]
mod tests;

/// The atomics of the buckets. The loom model replaces them.
mod atomic {
    pub(super) use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
}

pub use entry::TableEntry;
pub use memory::TableError;

use crate::prefetch::prefetch;
use atomic::Relaxed;
use bartizan_types::Key;
use bucket::{Bucket, Replaced};
use entry::GENERATIONS;
use memory::{BUCKETS_PER_MEGABYTE, Memory};
use std::sync::atomic::AtomicU8;
use std::thread;

/// Buckets in the smallest page of memory.
const BUCKETS_PER_PAGE: usize = (4 << 10) / size_of::<Bucket>();

/// Slots examined for [`TranspositionTable::hashfull`]: one for each thousandth.
const HASHFULL_SAMPLE: usize = 1_000;

/// The transposition table. All methods except [`TranspositionTable::new`] take `&self` and may be called from any
/// thread.
///
/// ```
/// use bartizan_position::Position;
/// use bartizan_search::{TableEntry, TranspositionTable};
/// use bartizan_types::{Bound, Depth, Value};
///
/// let table = TranspositionTable::new(16)?;
/// let key = Position::startpos().key();
/// assert_eq!(table.probe(key), None);
/// let value = Value(30);
/// let entry = TableEntry { mv: None, value, eval: Some(value), depth: Depth(8), bound: Bound::Exact, is_pv: true };
/// table.store(key, entry);
/// assert_eq!(table.probe(key), Some(entry));
/// # Ok::<(), bartizan_search::TableError>(())
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    memory: Memory,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// Allocates an empty table of a size in MiB, at least one. To change the size, see
    /// [`TranspositionTable::replacement`].
    ///
    /// This takes no time at any size: the system provides each page of memory when it is first written to.
    /// [`TranspositionTable::populate`] makes it provide all of them.
    ///
    /// # Errors
    /// [`TableError`] if the memory is not available.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        Ok(Self { memory: Memory::new(megabytes.max(1), 0)?, generation: AtomicU8::new(0) })
    }

    /// Allocates an empty table of another size to replace this one. Drop this one before using the new one: the memory
    /// need not suffice for both, because a new table takes none until it is written to. Only the address space must
    /// suffice for both.
    ///
    /// ```
    /// use bartizan_search::TranspositionTable;
    ///
    /// let mut table = TranspositionTable::new(16)?;
    /// table = table.replacement(64)?;
    /// assert_eq!(table.megabytes(), 64);
    /// # Ok::<(), bartizan_search::TableError>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError`] if the memory is not available even without this table, which remains unchanged. If it is
    /// [`TableError::Refused`], a new table may still fit after this one was dropped.
    pub fn replacement(&self, megabytes: usize) -> Result<Self, TableError> {
        let memory = Memory::new(megabytes.max(1), self.megabytes())?;
        Ok(Self { memory, generation: AtomicU8::new(0) })
    }

    /// The size in MiB.
    pub fn megabytes(&self) -> usize {
        self.memory.buckets().len() / BUCKETS_PER_MEGABYTE
    }

    /// Removes all entries.
    pub fn clear(&self) {
        self.clear_parallel(1);
    }

    /// Removes all entries with several threads, including this one. A single thread takes about a quarter of a second
    /// for each GiB.
    pub fn clear_parallel(&self, threads: usize) {
        self.for_parts(threads, |part| part.iter().for_each(bucket::clear));
        // Relaxed, as everywhere in the table: a search that runs meanwhile only loses entries.
        self.generation.store(0, Relaxed);
    }

    /// Makes the system provide all pages now, using several threads, including this one. Otherwise the first search
    /// waits for them: 5 ms for each 2 MiB on a virtual machine whose host provided the memory page by page.
    pub fn populate(&self, threads: usize) {
        self.for_parts(threads, |part| part.iter().step_by(BUCKETS_PER_PAGE).for_each(bucket::touch));
    }

    /// Splits the buckets into parts and calls `work` on each part, one thread for each part.
    fn for_parts(&self, threads: usize, work: impl Fn(&[Bucket]) + Sync) {
        let buckets = self.memory.buckets();
        let share = buckets.len().div_ceil(threads.clamp(1, self.megabytes()));
        let (mine, others) = buckets.split_at(share);
        let work = &work;
        thread::scope(|scope| {
            for part in others.chunks(share) {
                // If a thread cannot be started, this one does the work.
                if thread::Builder::new().spawn_scoped(scope, move || work(part)).is_err() {
                    work(part);
                }
            }
            work(mine);
        });
    }

    /// Marks the start of a new search: existing entries become older and are replaced earlier.
    pub(crate) fn age(&self) {
        // Relaxed, without read-modify-write: only one thread starts searches, and a late reader only misjudges an age.
        let generation = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(generation, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        let buckets = self.memory.buckets();
        // The high half of key × length is an index (Daniel Lemire 2016): it allows any number of buckets without a
        // division.
        &buckets[((u128::from(key.0) * buckets.len() as u128) >> 64) as usize]
    }

    /// Prefetches the bucket of a key into the cache without waiting for it, on x86-64.
    ///
    /// With random keys in 256 MB, 39 ns of other work followed by a probe took 120 ns, and 102 ns with a prefetch
    /// before the work (minimum of many short runs).
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.bucket(key));
    }

    /// The entry of a position.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<TableEntry> {
        bucket::probe(self.bucket(key), key)
    }

    /// Stores an entry in place of the least valuable one of its bucket. If the new entry has no move, the old move of
    /// the same position is kept.
    #[inline]
    pub fn store(&self, key: Key, entry: TableEntry) {
        self.replace(key, entry);
    }

    /// Stores an entry like [`TranspositionTable::store`] and returns the replaced entry.
    #[inline]
    pub(crate) fn replace(&self, key: Key, entry: TableEntry) -> Option<Replaced> {
        bucket::store(self.bucket(key), key, entry, self.generation.load(Relaxed))
    }

    /// All entries with their keys, in memory order. Meant for writing the table to a file.
    pub fn entries(&self) -> impl Iterator<Item = (Key, TableEntry)> + '_ {
        self.memory.buckets().as_flattened().iter().filter_map(bucket::read)
    }

    /// The share of slots filled by the current search, in thousandths, sampled from the first thousand.
    pub fn hashfull(&self) -> u16 {
        let generation = self.generation.load(Relaxed);
        let sample = self.memory.buckets().as_flattened().iter().take(HASHFULL_SAMPLE);
        sample.filter(|slot| bucket::is_of(slot, generation)).count() as u16
    }
}
