//! The slots of the table, with every value that a relaxed load may return.

#[path = "../../src/table/bucket.rs"]
mod bucket;
#[path = "../../src/table/entry.rs"]
mod entry;

/// The atomics of loom instead of those of the standard library.
mod atomic {
    pub use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
}

use atomic::{AtomicU64, Relaxed};
use bartizan_types::{Bound, Depth, Key, Move, Square, Value};
use bucket::Slot;
use entry::TableEntry;
use loom::sync::Arc;
use loom::thread;

const KEYS: [Key; 2] = [Key(0x0123_4567_89AB_CDEF), Key(0x0123_4567_89AB_CDEE)];

fn entry(number: i32) -> TableEntry {
    TableEntry {
        mv: Some(Move::normal(Square::ALL[number as usize], Square::H8)),
        value: Value(100 * number),
        eval: Some(Value(-number)),
        depth: Depth(number),
        bound: Bound::Exact,
        is_pv: number % 2 == 0,
    }
}

fn slots<const SLOTS: usize>() -> Arc<[Slot; SLOTS]> {
    Arc::new(std::array::from_fn(|_| [AtomicU64::new(0), AtomicU64::new(0)]))
}

/// Two threads store while a third one probes both keys: each probe returns nothing, or an entry stored for its key.
fn two_stores_and_a_probe<const SLOTS: usize>(stores: [(Key, TableEntry); 2]) {
    loom::model(move || {
        let slots = slots::<SLOTS>();
        let writers = stores.map(|(key, entry)| {
            let slots = slots.clone();
            thread::spawn(move || bucket::store(&slots[..], key, entry, 0))
        });
        let check = |slots: &[Slot]| {
            for key in KEYS {
                if let Some(seen) = bucket::probe(slots, key) {
                    assert!(stores.contains(&(key, seen)), "{key:?} got {seen:?}");
                }
            }
        };
        check(&slots[..]);
        for writer in writers {
            writer.join().unwrap();
        }
        // Check again after both stores.
        check(&slots[..]);
    });
}

#[test]
fn two_keys_in_one_slot() {
    two_stores_and_a_probe::<1>([(KEYS[0], entry(1)), (KEYS[1], entry(2))]);
}

#[test]
fn one_key_twice_in_one_slot() {
    two_stores_and_a_probe::<1>([(KEYS[0], entry(1)), (KEYS[0], entry(2))]);
}

#[test]
fn one_entry_for_two_keys() {
    two_stores_and_a_probe::<1>([(KEYS[0], entry(1)), (KEYS[1], entry(1))]);
}

#[test]
fn two_keys_in_two_slots() {
    two_stores_and_a_probe::<2>([(KEYS[0], entry(1)), (KEYS[1], entry(2))]);
}

/// The model detects torn slots: it fails if the check word is the bare key.
#[test]
#[should_panic(expected = "torn")]
fn a_bare_key_as_check_word_fails() {
    loom::model(|| {
        let slots = slots::<1>();
        let writers = [(KEYS[0], entry(1)), (KEYS[1], entry(2))].map(|(key, entry)| {
            let slots = slots.clone();
            thread::spawn(move || {
                slots[0][0].store(entry::pack(&entry, 0), Relaxed);
                slots[0][1].store(key.0, Relaxed);
            })
        });
        for writer in writers {
            writer.join().unwrap();
        }
        let data = slots[0][0].load(Relaxed);
        if slots[0][1].load(Relaxed) == KEYS[0].0 {
            assert_eq!(data, entry::pack(&entry(1), 0), "torn");
        }
    });
}
