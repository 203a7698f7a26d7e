//! The slots that a key may be in: how one is found, and which one gives way.
//!
//! Every load and store is relaxed, as the words need no order among themselves. Say a slot holds the entry `a`
//! written for key `A` and the check `B ^ b` written for key `B`. A probe of `A` wants `a ^ A == b ^ B`, one of `B`
//! wants `a ^ B == b ^ B`, thus `a == b`: then `a` is what was stored for `B`. For `A` it would get its own entry. A
//! third key meets `a ^ b ^ B` by chance only, as it may meet another position's key.
//!
//! `tests/table_loom.rs` includes this file with the atomics of the loom crate.

use super::atomic::{AtomicU64, Relaxed};
use super::entry::{GENERATIONS, TableEntry, depth_of, generation_of, pack, unpack};
use bartizan_types::{Bound, Key};

/// The bits of an entry, and the key XOR these.
pub(super) type Slot = [AtomicU64; 2];

/// A cache line.
pub(super) type Bucket = [Slot; 4];

/// How many plies of depth one generation of age outweighs when an entry must go.
const AGE_WEIGHT: i32 = 4;

/// The bits stored for a key, 0 if there are none.
#[inline]
fn find(slot: &Slot, key: Key) -> Option<u64> {
    let data = slot[0].load(Relaxed);
    (slot[1].load(Relaxed) ^ data == key.0).then_some(data)
}

/// What a slot holds, with the key that it was stored for; `None` if it is empty. A torn slot gives a key that nobody asks
/// for.
pub(super) fn read(slot: &Slot) -> Option<(Key, TableEntry)> {
    let data = slot[0].load(Relaxed);
    unpack(data).map(|entry| (Key(slot[1].load(Relaxed) ^ data), entry))
}

/// What the bucket says of a key.
#[inline]
pub(super) fn probe(bucket: &[Slot], key: Key) -> Option<TableEntry> {
    bucket.iter().find_map(|slot| find(slot, key).and_then(unpack))
}

/// Keeps an entry; `generation` is the present one.
#[inline]
pub(super) fn store(bucket: &[Slot], key: Key, mut entry: TableEntry, generation: u8) {
    let mut victim = None;
    let mut least = i32::MAX;
    for slot in bucket {
        let data = slot[0].load(Relaxed);
        if slot[1].load(Relaxed) ^ data == key.0 {
            if let Some(old) = unpack(data) {
                entry.mv = entry.mv.or(old.mv);
                // A much shallower bound does not replace what this very search found.
                if entry.bound != Bound::Exact && generation_of(data) == generation && old.depth.0 > entry.depth.0 + 3 {
                    return;
                }
            }
            victim = Some(slot);
            break;
        }
        let worth = worth(data, generation);
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

/// What an entry is worth to the present search, in plies: the least goes first.
#[inline]
fn worth(data: u64, generation: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
    depth_of(data) - AGE_WEIGHT * i32::from(age)
}

/// Whether a slot holds an entry of this generation.
#[inline]
pub(super) fn is_of(slot: &Slot, generation: u8) -> bool {
    let data = slot[0].load(Relaxed);
    data != 0 && generation_of(data) == generation
}

/// Writes to a bucket what is there. If another thread stores at the same moment, the entry may be torn, as by any store.
#[inline]
pub(super) fn touch(bucket: &Bucket) {
    let word = &bucket.as_flattened()[0];
    word.store(word.load(Relaxed), Relaxed);
}

/// Empties a bucket. One that is empty is not written to: memory that was never used stays with the system.
#[inline]
pub(super) fn clear(bucket: &Bucket) {
    let words = bucket.as_flattened();
    if words.iter().fold(0, |bits, word| bits | word.load(Relaxed)) != 0 {
        words.iter().for_each(|word| word.store(0, Relaxed));
    }
}
