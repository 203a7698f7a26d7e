//! Tests of storing, replacing, clearing and sizes.

use super::*;
use bartizan_types::{Bound, Depth, Move, SplitMix64, Square, Value};

fn entry(depth: i32, mv: Option<Move>) -> TableEntry {
    TableEntry {
        mv,
        value: Value(-31_990),
        eval: Some(Value(-17)),
        depth: Depth(depth),
        bound: Bound::Exact,
        is_pv: false,
    }
}

fn bounded(depth: i32, bound: Bound) -> TableEntry {
    TableEntry { bound, ..entry(depth, None) }
}

/// Keys spread over the whole table.
fn keys() -> impl Iterator<Item = Key> {
    let mut random = SplitMix64::new(0);
    std::iter::repeat_with(move || Key(random.next_u64()))
}

#[test]
fn a_slot_is_two_words_and_a_bucket_a_cache_line() {
    assert_eq!(size_of::<bucket::Slot>(), 16);
    assert_eq!(size_of::<Bucket>(), 64);
}

#[test]
fn a_stored_entry_is_found() {
    let table = TranspositionTable::new(1).unwrap();
    assert_eq!(table.megabytes(), 1);
    assert_eq!(table.probe(Key(0)), None);
    let mv = Move::normal(Square::E2, Square::E4);
    for eval in [None, Some(Value(0)), Some(Value(-3_000))] {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for is_pv in [false, true] {
                for key in [Key(0), Key(12_345 << 40), Key(u64::MAX)] {
                    let entry = TableEntry { eval, bound, is_pv, ..entry(12, Some(mv)) };
                    table.clear();
                    table.prefetch(key);
                    table.store(key, entry);
                    assert_eq!(table.probe(key), Some(entry));
                }
            }
        }
    }
    // An entry without a move keeps the old move.
    table.store(Key(u64::MAX), entry(14, None));
    assert_eq!(table.probe(Key(u64::MAX)).unwrap().mv, Some(mv));
    table.clear();
    assert_eq!(table.probe(Key(u64::MAX)), None);
}

#[test]
fn depths_out_of_range_are_clamped() {
    let table = TranspositionTable::new(1).unwrap();
    for (depth, kept) in [(-3, 0), (0, 0), (255, 255), (256, 255)] {
        table.store(Key(9), entry(depth, None));
        assert_eq!(table.probe(Key(9)).unwrap().depth, Depth(kept));
    }
}

#[test]
fn shallow_and_old_entries_are_replaced_first() {
    let table = TranspositionTable::new(1).unwrap();
    // Five keys of one bucket.
    let keys = [1, 2, 3, 4, 5].map(Key);
    for (key, depth) in keys.into_iter().zip([9, 3, 7, 8]) {
        table.store(key, entry(depth, None));
    }
    table.store(keys[4], entry(1, None));
    assert_eq!(table.probe(keys[1]), None);
    assert!(table.probe(keys[4]).is_some());
    // Two searches later, even the deepest old entry is replaced before a new shallow one.
    table.age();
    table.age();
    for key in [keys[2], keys[3], keys[4]] {
        table.store(key, entry(2, None));
    }
    table.store(keys[1], entry(1, None));
    assert_eq!(table.probe(keys[0]), None);
}

#[test]
fn a_much_shallower_bound_does_not_replace_in_the_same_search() {
    let table = TranspositionTable::new(1).unwrap();
    let depth = || table.probe(Key(7)).unwrap().depth.0;
    table.store(Key(7), entry(12, None));
    table.store(Key(7), bounded(8, Bound::Lower));
    assert_eq!(depth(), 12);
    table.store(Key(7), bounded(9, Bound::Lower));
    assert_eq!(depth(), 9);
    table.store(Key(7), entry(1, None));
    assert_eq!(depth(), 1);
    table.store(Key(7), entry(12, None));
    table.age();
    table.store(Key(7), bounded(2, Bound::Upper));
    assert_eq!(depth(), 2);
}

#[test]
fn generations_wrap_around() {
    let table = TranspositionTable::new(1).unwrap();
    for _ in 0..2 * GENERATIONS {
        // The only old entry is replaced, whatever the generation.
        table.store(Key(1), entry(9, None));
        table.age();
        for key in 2..=4 {
            table.store(Key(key), entry(6, None));
        }
        table.store(Key(5), entry(6, None));
        assert_eq!(table.probe(Key(1)), None);
        assert!((2..=5).all(|key| table.probe(Key(key)).is_some()));
        table.clear_parallel(1);
    }
    for _ in 0..GENERATIONS {
        table.store(Key(1), entry(9, None));
        assert_eq!(table.probe(Key(1)), Some(entry(9, None)));
        table.age();
    }
}

#[test]
fn hashfull_counts_only_the_current_search() {
    let table = TranspositionTable::new(1).unwrap();
    assert_eq!(table.hashfull(), 0);
    // Half as many keys as slots: a bucket of four gets two on average, and rarely more than four.
    keys().take(1 << 15).for_each(|key| table.store(key, entry(5, None)));
    let half = table.hashfull();
    assert!((420..=540).contains(&half), "{half}");
    keys().skip(1 << 15).take(1 << 18).for_each(|key| table.store(key, entry(5, None)));
    assert!(table.hashfull() > 990, "{}", table.hashfull());
    table.age();
    assert_eq!(table.hashfull(), 0);
    keys().take(1 << 12).for_each(|key| table.store(key, entry(5, None)));
    assert!((30..=100).contains(&table.hashfull()), "{}", table.hashfull());
    table.clear();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn parallel_clearing_removes_everything() {
    let table = TranspositionTable::new(3).unwrap();
    for threads in [0, 1, 2, 3, 5, 1_000, usize::MAX] {
        keys().take(500_000).for_each(|key| table.store(key, entry(5, None)));
        table.age();
        table.clear_parallel(threads);
        let mut words = table.memory.buckets().iter().flatten().flatten();
        assert!(words.all(|word| word.load(Relaxed) == 0), "{threads} threads");
        assert_eq!(table.generation.load(Relaxed), 0);
    }
}

#[test]
fn populating_changes_nothing() {
    let table = TranspositionTable::new(3).unwrap();
    keys().take(500_000).for_each(|key| table.store(key, entry(5, None)));
    let before: Vec<_> = table.entries().collect();
    for threads in [0, 1, 3, usize::MAX] {
        table.populate(threads);
        assert!(table.entries().eq(before.iter().copied()), "{threads} threads");
    }
}

#[test]
fn tables_of_several_sizes_work() {
    let mut table = TranspositionTable::new(0).unwrap();
    assert_eq!(table.megabytes(), 1, "at least one");
    for megabytes in [1, 64, 3, 17, 1] {
        drop(table);
        table = TranspositionTable::new(megabytes).unwrap();
        assert_eq!(table.megabytes(), megabytes);
        assert_eq!(table.hashfull(), 0);
        // Both ends are usable.
        for key in [Key(0), Key(u64::MAX)].into_iter().chain(keys().take(1_000)) {
            assert_eq!(table.probe(key), None);
            table.store(key, entry(5, None));
            assert_eq!(table.probe(key), Some(entry(5, None)));
        }
    }
}

#[test]
fn an_excessive_size_is_an_error() {
    for megabytes in [usize::MAX, usize::MAX >> 20, 1 << 43, 1 << 40] {
        let error = TranspositionTable::new(megabytes).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with(&format!("cannot allocate {megabytes} MB of memory for the hash table: ")), "{text}");
    }
}
