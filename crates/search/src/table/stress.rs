//! Threads that store and probe the same few keys as fast as they can, in slots where halves of entries of different
//! keys are planted together.

use super::*;
use bartizan_types::{Bound, Depth, Move, Square, Value};
use std::sync::atomic::AtomicUsize;

/// Keys: more than the bucket they share can hold.
const KEYS: u64 = 12;
/// Entries of each key.
const VERSIONS: u64 = 8;

/// The keys of one bucket. They differ in few bits or in many.
fn key(number: u64) -> Key {
    Key(if number.is_multiple_of(2) { number } else { number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20 })
}

/// An entry that says in every field, but for the bound, whose it is and which.
fn entry(number: u64, version: u64) -> TableEntry {
    let both = (number * VERSIONS + version) as i32;
    TableEntry {
        mv: Some(Move::normal(
            Square::ALL[both as usize % 64],
            Square::ALL[(both as usize / 64 + 1 + both as usize) % 64],
        )),
        value: Value(both - 50),
        eval: Some(Value(50 - both)),
        depth: Depth(both),
        bound: Bound::Exact,
        is_pv: both % 2 == 1,
    }
}

/// Writes the entry of one key beside the check of another's.
fn plant(slot: &bucket::Slot, (number, version): (u64, u64), (other, other_version): (u64, u64)) {
    slot[0].store(entry::pack(&entry(number, version), 0), Relaxed);
    slot[1].store(entry::pack(&entry(other, other_version), 0) ^ key(other).0, Relaxed);
}

#[test]
fn a_planted_pair_fits_no_key() {
    let table = TranspositionTable::new(1).unwrap();
    for (number, other) in (0..KEYS).flat_map(|number| (0..KEYS).map(move |other| (number, other))) {
        for (version, other_version) in (0..VERSIONS).flat_map(|a| (0..VERSIONS).map(move |b| (a, b))) {
            if (number, version) == (other, other_version) {
                continue;
            }
            for slot in table.bucket(key(0)) {
                plant(slot, (number, version), (other, other_version));
            }
            assert!((0..KEYS).all(|number| table.probe(key(number)).is_none()), "{number} {version} {other}");
        }
    }
}

#[test]
fn eight_threads_never_see_a_wrong_entry() {
    const ROUNDS: u64 = if cfg!(miri) { 200 } else { 150_000 };
    let table = TranspositionTable::new(1).unwrap();
    let bucket = table.bucket(key(0));
    assert!((0..KEYS).all(|number| std::ptr::eq(bucket, table.bucket(key(number)))), "the keys collide");
    let hits = AtomicUsize::new(0);
    thread::scope(|scope| {
        for thread in 1..=8_u64 {
            let (table, hits) = (&table, &hits);
            scope.spawn(move || {
                // George Marsaglia's xorshift64.
                let mut state = thread.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let mut below = |limit: u64| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    (state >> 32) % limit
                };
                let mut found = 0;
                for _ in 0..ROUNDS {
                    let (number, version) = (below(KEYS), below(VERSIONS));
                    match below(8) {
                        0 => {
                            let other = (below(KEYS), below(VERSIONS));
                            if other != (number, version) {
                                plant(&bucket[below(4) as usize], (number, version), other);
                            }
                        }
                        1..=3 => table.store(key(number), entry(number, version)),
                        _ => {
                            if let Some(seen) = table.probe(key(number)) {
                                let right = (0..VERSIONS).any(|version| seen == entry(number, version));
                                assert!(right, "key {number} got {seen:?}");
                                found += 1;
                            }
                        }
                    }
                }
                hits.fetch_add(found, Relaxed);
            });
        }
    });
    // Else it would have tested nothing: a probe in two, and four slots for twelve keys, not all of them torn.
    let hits = hits.into_inner();
    assert!(hits as u64 > 8 * ROUNDS / 50, "{hits} hits");
}
