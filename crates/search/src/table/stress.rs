//! A stress test: threads store and probe a few keys of one bucket as fast as they can, while torn slots are planted.

use super::*;
use bartizan_types::{Bound, Depth, Move, SplitMix64, Square, Value};
use std::sync::atomic::AtomicUsize;

/// The number of keys: more than their common bucket can hold.
const KEYS: u64 = 12;
/// The number of entries for each key.
const VERSIONS: u64 = 8;

/// The keys of one bucket. Some differ in few bits, some in many.
fn key(number: u64) -> Key {
    Key(if number.is_multiple_of(2) { number } else { number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20 })
}

/// An entry that identifies its key and version in every field except the bound.
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

/// Plants a torn slot: the entry of one key with the check word of another.
fn plant(slot: &bucket::Slot, (number, version): (u64, u64), (other, other_version): (u64, u64)) {
    slot[0].store(entry::pack(&entry(number, version), 0), Relaxed);
    slot[1].store(entry::pack(&entry(other, other_version), 0) ^ key(other).0, Relaxed);
}

#[test]
fn a_torn_slot_matches_no_key() {
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
                let mut random = SplitMix64::new(thread);
                let mut below = |limit: u64| random.below(limit as usize) as u64;
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
    // Enough probes must have succeeded to test anything: half of the operations are probes, with four slots for twelve
    // keys.
    let hits = hits.into_inner();
    assert!(hits as u64 > 8 * ROUNDS / 50, "{hits} hits");
}
