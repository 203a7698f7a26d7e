//! The transposition table, shared by all threads without locks.
//!
//! An entry is two 64-bit words: the data, and the key XOR the data (Robert Hyatt and Tim Mann, "A lock-less
//! transposition table implementation for parallel search", ICCA Journal 2002). Two threads that write one entry at once
//! leave words that fit no key, so a torn entry is never taken for a whole one. Four entries make a bucket of one cache
//! line.

use bartizan_types::{Bound, Depth, Key, Move, Value};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Words in a bucket: 64 bytes, one cache line.
const BUCKET: usize = 8;
/// Generations are counted in six bits.
const GENERATIONS: u8 = 64;
/// How many plies of depth one generation of age outweighs when an entry must go.
const AGE_WEIGHT: i32 = 4;

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot get {megabytes} MB of memory for the hash table")]
pub struct TableError {
    megabytes: usize,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The best move found, which may be illegal here if two positions share a key: check it.
    pub mv: Option<Move>,
    /// The value, counted from this node: see [`Value::from_table`].
    pub value: Value,
    /// The static evaluation, `None` if the side to move was in check.
    pub eval: Option<Value>,
    /// How deep the search was.
    pub depth: Depth,
    /// What `value` is to the true value.
    pub bound: Bound,
}

/// The table. All methods but [`TranspositionTable::new`] work on `&self` from any thread.
#[derive(Debug)]
pub struct TranspositionTable {
    words: Vec<AtomicU64>,
    /// The first word that begins a cache line.
    first: usize,
    buckets: usize,
    generation: AtomicU8,
}

/// The place of "no evaluation" among 16-bit values.
const NO_EVAL: i16 = i16::MIN;

fn pack(entry: &TableEntry, generation: u8) -> u64 {
    let mv = entry.mv.map_or(0, Move::to_bits);
    let value = entry.value.0 as i16 as u16;
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval.0 as i16) as u16;
    let depth = entry.depth.0.clamp(0, 255) as u8;
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(mv)
        | u64::from(value) << 16
        | u64::from(eval) << 32
        | u64::from(depth) << 48
        | u64::from(bound | generation << 2) << 56
}

/// `None` for an empty entry.
fn unpack(data: u64) -> Option<TableEntry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let eval = (data >> 32) as i16;
    Some(TableEntry {
        mv: Move::from_bits(data as u16),
        value: Value(i32::from((data >> 16) as i16)),
        eval: (eval != NO_EVAL).then_some(Value(i32::from(eval))),
        depth: Depth(i32::from((data >> 48) as u8)),
        bound,
    })
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

impl TranspositionTable {
    /// A table of so many MiB (at least one).
    ///
    /// # Errors
    /// [`TableError`] when the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<Self, TableError> {
        let error = TableError { megabytes };
        let buckets = megabytes.max(1).checked_mul((1 << 20) / 64).ok_or(error.clone())?;
        let count = buckets.checked_mul(BUCKET).and_then(|words| words.checked_add(BUCKET - 1)).ok_or(error.clone())?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).map_err(|_| error)?;
        words.resize_with(count, || AtomicU64::new(0));
        let misaligned = words.as_ptr() as usize / size_of::<u64>() % BUCKET;
        Ok(Self { words, first: (BUCKET - misaligned) % BUCKET, buckets, generation: AtomicU8::new(0) })
    }

    /// Its size in MiB.
    pub fn megabytes(&self) -> usize {
        self.buckets / ((1 << 20) / 64)
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for word in &self.words {
            word.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// A new search begins: what is there grows older.
    pub fn age(&self) {
        let generation = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(generation, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: Key) -> &[AtomicU64] {
        // The high half of key × length is an index (Daniel Lemire 2016): any number of buckets, no division.
        let index = ((u128::from(key.0) * self.buckets as u128) >> 64) as usize;
        let start = self.first + index * BUCKET;
        &self.words[start..start + BUCKET]
    }

    /// What is known of a position.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<TableEntry> {
        // Relaxed: the words need no order among themselves; a pair from two stores fits no key.
        self.bucket(key).chunks_exact(2).find_map(|entry| {
            let data = entry[0].load(Relaxed);
            if entry[1].load(Relaxed) ^ data == key.0 { unpack(data) } else { None }
        })
    }

    /// Keeps what was found, in place of what is worth least in the bucket. An entry without a move keeps the old move.
    pub fn store(&self, key: Key, mut entry: TableEntry) {
        let generation = self.generation.load(Relaxed);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key).chunks_exact(2) {
            let data = slot[0].load(Relaxed);
            if slot[1].load(Relaxed) ^ data == key.0 {
                if let Some(old) = unpack(data) {
                    entry.mv = entry.mv.or(old.mv);
                    // A much shallower bound does not replace what this very search found.
                    if entry.bound != Bound::Exact
                        && generation_of(data) == generation
                        && old.depth.0 > entry.depth.0 + 3
                    {
                        return;
                    }
                }
                victim = Some(slot);
                break;
            }
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let worth = if data == 0 { i32::MIN } else { depth_of(data) - AGE_WEIGHT * i32::from(age) };
            if worth < least {
                least = worth;
                victim = Some(slot);
            }
        }
        if let Some(slot) = victim {
            let data = pack(&entry, generation);
            slot[0].store(data, Relaxed);
            slot[1].store(data ^ key.0, Relaxed);
        }
    }

    /// How full it is with entries of the present search, in thousandths, by a sample of the first buckets.
    pub fn hashfull(&self) -> u16 {
        let generation = self.generation.load(Relaxed);
        let sample = self.words[self.first..].chunks_exact(2).take(1_000);
        sample
            .filter(|slot| {
                let data = slot[0].load(Relaxed);
                data != 0 && generation_of(data) == generation
            })
            .count() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Square;

    fn entry(depth: i32, mv: Option<Move>) -> TableEntry {
        TableEntry { mv, value: Value(-31_990), eval: Some(Value(-17)), depth: Depth(depth), bound: Bound::Exact }
    }

    #[test]
    fn entries_come_back() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.megabytes(), 1);
        assert_eq!(table.probe(Key(0)), None);
        let mv = Move::normal(Square::E2, Square::E4);
        for eval in [None, Some(Value(0)), Some(Value(-3_000))] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                let entry = TableEntry { eval, bound, ..entry(12, Some(mv)) };
                table.clear();
                table.store(Key(12_345 << 40), entry);
                assert_eq!(table.probe(Key(12_345 << 40)), Some(entry));
            }
        }
        // The move outlives an entry without one.
        table.store(Key(12_345 << 40), entry(14, None));
        assert_eq!(table.probe(Key(12_345 << 40)).unwrap().mv, Some(mv));
        table.clear();
        assert_eq!(table.probe(Key(12_345 << 40)), None);
    }

    #[test]
    fn the_shallow_and_old_leave_first() {
        let table = TranspositionTable::new(1).unwrap();
        // Five keys of one bucket.
        let keys = [1, 2, 3, 4, 5].map(Key);
        for (key, depth) in keys.into_iter().zip([9, 3, 7, 8]) {
            table.store(key, entry(depth, None));
        }
        table.store(keys[4], entry(1, None));
        assert_eq!(table.probe(keys[1]), None);
        assert!(table.probe(keys[4]).is_some());
        // Two searches later even the deepest old entry goes before a fresh shallow one.
        table.age();
        table.age();
        for key in [keys[2], keys[3], keys[4]] {
            table.store(key, entry(2, None));
        }
        table.store(keys[1], entry(1, None));
        assert_eq!(table.probe(keys[0]), None);
    }

    #[test]
    fn too_much_is_an_error() {
        let error = TranspositionTable::new(usize::MAX).unwrap_err();
        assert!(error.to_string().contains("memory"));
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
