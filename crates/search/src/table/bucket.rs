//! A bucket: lookup of a key, and the choice of the entry to replace.
//!
//! All loads and stores are relaxed, because the two words of a slot need no order between them. Suppose that a slot is
//! torn: its entry `a` was written for key `A`, and its check word `b ^ B` for entry `b` and key `B`.
//!
//! - A probe of `A` compares `a ^ A` with `b ^ B`. If they are equal, it returns `a`, its own entry.
//! - A probe of `B` compares `a ^ B` with `b ^ B`. If they are equal, `a` is `b`, the entry stored for `B`.
//! - A probe of a third key succeeds only if that key happens to be `a ^ b ^ B`, as two positions may happen to share a
//!   key.
//!
//! `tests/loom` includes this file with the atomics of the loom crate.

use super::atomic::{AtomicU64, Relaxed};
use super::entry::{GENERATIONS, TableEntry, depth_of, generation_of, pack, unpack};
use bartizan_types::{Bound, Key};

/// An encoded entry, and its XOR with the key.
pub(super) type Slot = [AtomicU64; 2];

/// The slots of one cache line.
pub(super) type Bucket = [Slot; 4];

/// The plies of depth that one generation of age outweighs when an entry is replaced. A starting value; screenings 10
/// and 15 tried 8 (`docs/lab/screening.md`).
const AGE_WEIGHT: i32 = 4;

/// A bound does not replace an entry of the same position and search that is more than this many plies deeper. A
/// starting value; screenings 15 and 17 tried 6 and 1 (`docs/lab/screening.md`).
const DEPTH_SLACK: i32 = 3;

/// The entry of a slot with its key; `None` if the slot is empty. The key of a torn slot is that of no position, except
/// by chance.
pub(super) fn read(slot: &Slot) -> Option<(Key, TableEntry)> {
    let data = slot[0].load(Relaxed);
    unpack(data).map(|entry| (Key(slot[1].load(Relaxed) ^ data), entry))
}

/// The entry of a key.
#[inline]
pub(super) fn probe(bucket: &[Slot], key: Key) -> Option<TableEntry> {
    // All slots are compared, the first last, without a branch for each: which of them matches is hard to predict. An
    // empty slot matches the key 0, but `unpack` returns nothing for it.
    let found = bucket.iter().rev().fold(0, |found, slot| {
        let data = slot[0].load(Relaxed);
        if slot[1].load(Relaxed) ^ data == key.0 { data } else { found }
    });
    unpack(found)
}

/// An entry of another position that was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// Its depth in plies.
    pub(crate) depth: i32,
    /// Its age in searches.
    pub(crate) age: u8,
}

/// Stores an entry in the current generation.
#[inline]
pub(super) fn store(bucket: &[Slot], key: Key, mut entry: TableEntry, generation: u8) -> Option<Replaced> {
    let mut victim = None;
    let mut replaced = None;
    let mut least = i32::MAX;
    for slot in bucket {
        let data = slot[0].load(Relaxed);
        if slot[1].load(Relaxed) ^ data == key.0 {
            if let Some(old) = unpack(data) {
                entry.mv = entry.mv.or(old.mv);
                // Keep a much deeper result of the same search.
                if entry.bound != Bound::Exact
                    && generation_of(data) == generation
                    && old.depth.0 > entry.depth.0 + DEPTH_SLACK
                {
                    return None;
                }
            }
            victim = Some(slot);
            replaced = None;
            break;
        }
        let worth = replacement_value(data, generation);
        if worth < least {
            least = worth;
            victim = Some(slot);
            replaced = (data != 0).then(|| Replaced { depth: depth_of(data), age: age(data, generation) });
        }
    }
    if let Some(slot) = victim {
        let data = pack(&entry, generation);
        slot[0].store(data, Relaxed);
        slot[1].store(data ^ key.0, Relaxed);
    }
    replaced
}

/// The age of an encoded entry in searches.
#[inline]
fn age(data: u64, generation: u8) -> u8 {
    (GENERATIONS + generation - generation_of(data)) % GENERATIONS
}

/// The worth of an encoded entry for the current search, in plies. The entry with the lowest worth is replaced first.
#[inline]
fn replacement_value(data: u64, generation: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    depth_of(data) - AGE_WEIGHT * i32::from(age(data, generation))
}

/// Whether a slot holds an entry of a generation.
#[inline]
pub(super) fn is_of(slot: &Slot, generation: u8) -> bool {
    let data = slot[0].load(Relaxed);
    data != 0 && generation_of(data) == generation
}

/// Writes to a bucket without changing it. If another thread stores at the same time, the entry may be torn, as by any
/// store.
#[inline]
pub(super) fn touch(bucket: &Bucket) {
    let word = &bucket.as_flattened()[0];
    word.store(word.load(Relaxed), Relaxed);
}

/// Empties a bucket. An empty bucket is not written to, so that the system need not provide unused memory.
#[inline]
pub(super) fn clear(bucket: &Bucket) {
    let words = bucket.as_flattened();
    if words.iter().fold(0, |bits, word| bits | word.load(Relaxed)) != 0 {
        words.iter().for_each(|word| word.store(0, Relaxed));
    }
}
