//! The transposition table, shared by all threads without locks.
//!
//! A slot is two 64-bit words: the entry, and the key XOR the entry (Robert Hyatt and Tim Mann, "A lock-less
//! transposition table implementation for parallel search", ICCA Journal 2002). Two threads that write one slot at
//! once leave a pair of words that fits neither key unless both wrote the same entry, so a torn slot is never taken
//! for a whole one: see `bucket.rs`, which `tests/table_loom.rs` runs through every interleaving. Four slots make a
//! bucket of one cache line.
//!
//! Denser slots were tried, five of 12 bytes (32-bit tag) and six of 10 bytes (16-bit tag, as in Stockfish), each tag
//! folded with the entry. To depths 14, 15 and 16 of the bench with 1, 2 and 4 MB the nodes came to 237.3 million
//! with the present four, 239.5 with five and 240.9 with six: the more slots did not show. And a short tag lets a
//! stranger through once in 2³² or 2¹⁶ slots looked at, a whole key only where two positions share it, so the whole
//! key stays.
//!
//! The memory comes from the system in whole pages, huge ones where it gives them: see `memory.rs`.

mod bucket;
mod entry;
mod memory;
#[cfg(test)]
mod stress;
#[cfg(test)]
mod tests;

/// The atomics of the buckets; the loom model puts its own in their place.
mod atomic {
    pub(super) use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
}

pub use entry::TableEntry;
pub use memory::TableError;

use atomic::Relaxed;
use bartizan_types::Key;
use bucket::Bucket;
use entry::GENERATIONS;
use memory::Memory;
use std::sync::atomic::AtomicU8;
use std::thread;

/// Buckets in a MiB.
const BUCKETS_PER_MEGABYTE: usize = (1 << 20) / size_of::<Bucket>();

/// Buckets in the smallest page that a system hands out.
const BUCKETS_PER_PAGE: usize = (4 << 10) / size_of::<Bucket>();

/// The table. All methods but [`TranspositionTable::new`] work on `&self` from any thread.
#[derive(Debug)]
pub struct TranspositionTable {
    memory: Memory,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of so many MiB (at least one). For another size drop it and make a new one, in this order, so
    /// that the two need not fit into memory together.
    ///
    /// The system hands out the memory page by page as it is first written to, so this takes no time whatever the
    /// size; [`TranspositionTable::populate`] takes it.
    ///
    /// # Errors
    /// [`TableError`] when the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        Ok(Self { memory: Memory::new(megabytes.max(1))?, generation: AtomicU8::new(0) })
    }

    /// Its size in MiB.
    pub fn megabytes(&self) -> usize {
        self.memory.buckets().len() / BUCKETS_PER_MEGABYTE
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.clear_parallel(1);
    }

    /// [`TranspositionTable::clear`] by so many threads, this one among them: one thread alone takes about a quarter
    /// of a second for a GiB.
    pub fn clear_parallel(&self, threads: usize) {
        self.for_parts(threads, |part| part.iter().for_each(bucket::clear));
        // Relaxed, as everywhere: the caller sees to it that no search runs on a table that is being cleared if it
        // minds.
        self.generation.store(0, Relaxed);
    }

    /// Makes the system hand out all pages now, to so many threads, this one among them. Otherwise the first search has
    /// to wait for them: on a virtual machine that got its own memory page by page, 5 ms for each 2 MiB.
    pub fn populate(&self, threads: usize) {
        self.for_parts(threads, |part| part.iter().step_by(BUCKETS_PER_PAGE).for_each(bucket::touch));
    }

    /// Does something with each part of the buckets, a thread for each part.
    fn for_parts(&self, threads: usize, work: impl Fn(&[Bucket]) + Sync) {
        let buckets = self.memory.buckets();
        let share = buckets.len().div_ceil(threads.clamp(1, self.megabytes()));
        let (mine, others) = buckets.split_at(share);
        let work = &work;
        thread::scope(|scope| {
            for part in others.chunks(share) {
                // No thread to be had? Then this one does the part.
                if thread::Builder::new().spawn_scoped(scope, move || work(part)).is_err() {
                    work(part);
                }
            }
            work(mine);
        });
    }

    /// A new search begins: what is there grows older.
    pub fn age(&self) {
        // Relaxed, and no read-modify-write: one thread starts searches, and a late reader only misjudges an age.
        let generation = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(generation, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        let buckets = self.memory.buckets();
        // The high half of key × length is an index (Daniel Lemire 2016): any number of buckets, no division.
        &buckets[((u128::from(key.0) * buckets.len() as u128) >> 64) as usize]
    }

    /// Has the processor fetch what a probe or store of this key will read, while the caller goes on. Does nothing
    /// but on x86-64: stable Rust has no prefetch for others.
    ///
    /// Measured with random keys in 256 MB, the least of many short runs: 39 ns of other work and a probe took 120 ns
    /// together, with a prefetch before the work 102.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        safe_arch::prefetch_t0(self.bucket(key));
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<TableEntry> {
        bucket::probe(self.bucket(key), key)
    }

    /// Keeps what was found, in place of what is worth least in the bucket. An entry without a move keeps the old
    /// move.
    #[inline]
    pub fn store(&self, key: Key, entry: TableEntry) {
        bucket::store(self.bucket(key), key, entry, self.generation.load(Relaxed));
    }

    /// All entries with their keys, in the order of the memory: for writing the table to a file.
    pub fn entries(&self) -> impl Iterator<Item = (Key, TableEntry)> + '_ {
        self.memory.buckets().as_flattened().iter().filter_map(bucket::read)
    }

    /// How full it is with entries of the present search, in thousandths, by a sample of the first buckets.
    pub fn hashfull(&self) -> u16 {
        let generation = self.generation.load(Relaxed);
        let sample = self.memory.buckets().as_flattened().iter().take(1_000);
        sample.filter(|slot| bucket::is_of(slot, generation)).count() as u16
    }
}
