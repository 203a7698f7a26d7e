//! A table of tallies in the order of their places.

use super::collect::{Place, Tally};

/// The size of a record in bytes: key, move, games and points, little-endian.
pub(super) const RECORD: usize = 18;

/// A record. It is empty if its number of games is 0.
pub(super) type Record = [u8; RECORD];

const EMPTY: Record = [0; RECORD];

/// The initial number of homes.
const FIRST: usize = 256;

/// The tallies of moves, ordered by key and move.
///
/// A hash table with linear probing. Keys are already random, so a key's home is proportional to the key, and homes are
/// in the order of the keys. Each run of records is kept in order too. So the whole table is always sorted, and neither
/// growing nor iterating needs a second copy of the records.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    slots: Vec<Record>,
    /// The number of slots that are homes. Others follow, so that runs of records need not wrap around.
    homes: usize,
    used: usize,
}

impl Table {
    /// Adds to the tally of a place. Returns `false`, and adds nothing, if the place is new and there is no room for
    /// it: the table must grow, or pass on its records.
    #[inline]
    pub(super) fn add(&mut self, place: Place, tally: Tally) -> bool {
        debug_assert!(tally.games > 0, "it would be taken for an empty slot");
        let mut at = self.home(place.0);
        while let Some(record) = self.slots.get_mut(at) {
            let known = place_of(record);
            if known == place && !is_empty(record) {
                let mut sum = tally_of(record);
                sum.add(tally);
                *record = encode(place, sum);
                return true;
            }
            if known > place || is_empty(record) {
                break;
            }
            at += 1;
        }
        self.insert(at, &encode(place, tally))
    }

    /// Puts a record into a slot and moves those that follow it.
    fn insert(&mut self, at: usize, record: &Record) -> bool {
        if self.is_full() {
            return false;
        }
        let Some(length) = self.slots.get(at..).and_then(|rest| rest.iter().position(is_empty)) else { return false };
        self.slots.copy_within(at..at + length, at + 1);
        self.slots[at] = *record;
        self.used += 1;
        true
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.homes as u128) >> 64) as usize
    }

    /// The number of records.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// The bytes that the table takes while it grows, on a system that copies on growth.
    pub(super) fn bytes_to_grow(&self) -> usize {
        let (homes, behind) = self.grown();
        (self.slots.len() + homes + behind) * RECORD
    }

    /// The number of homes, and of slots behind them, after the table has grown.
    fn grown(&self) -> (usize, usize) {
        let behind = self.slots.len() - self.homes;
        if self.is_full() {
            ((self.homes + self.homes / 4).max(FIRST), behind.max(FIRST / 4))
        } else {
            // Too many keys are large.
            (self.homes, 2 * behind)
        }
    }

    /// Whether four fifths are used: longer runs would be slow.
    fn is_full(&self) -> bool {
        self.used * 5 >= self.homes * 4
    }

    /// Makes room for more records.
    pub(super) fn grow(&mut self) {
        let (old, (homes, behind)) = (self.slots.len(), self.grown());
        let slots = homes + behind;
        self.slots.reserve_exact(slots - old);
        self.slots.resize(slots, EMPTY);
        // First to the end, and from there into their slots. No record overwrites one not yet moved: with more homes,
        // no more records than before lie behind them.
        let mut start = slots;
        for at in (0..old).rev() {
            if !is_empty(&self.slots[at]) {
                start -= 1;
                self.slots.swap(at, start);
            }
        }
        self.homes = homes;
        let mut next = 0;
        for at in start..slots {
            let slot = self.home(place_of(&self.slots[at]).0).max(next);
            debug_assert!(slot <= at);
            self.slots.swap(at, slot);
            next = slot + 1;
        }
    }

    /// The records in order.
    pub(super) fn records(&self) -> impl Iterator<Item = &Record> {
        self.slots.iter().filter(|record| !is_empty(record))
    }

    /// The records, in several interleaved passes: another table that received them in order would have to put all of
    /// them into its first slots until it has grown.
    pub(super) fn scattered(&self) -> impl Iterator<Item = &Record> {
        const PASSES: usize = 61;
        let pass = |first| self.slots.iter().skip(first).step_by(PASSES);
        (0..PASSES).flat_map(pass).filter(|record| !is_empty(record))
    }

    /// Removes all records, keeping the memory.
    pub(super) fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.used = 0;
    }
}

fn encode((key, mv): Place, Tally { games, points }: Tally) -> Record {
    let ([a, b, c, d, e, f, g, h], [i, j]) = (key.to_le_bytes(), mv.to_le_bytes());
    let ([k, l, m, n], [o, p, q, r]) = (games.to_le_bytes(), points.to_le_bytes());
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r]
}

#[inline]
fn place_of(&[a, b, c, d, e, f, g, h, i, j, ..]: &Record) -> Place {
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u16::from_le_bytes([i, j]))
}

#[inline]
fn tally_of(&[.., k, l, m, n, o, p, q, r]: &Record) -> Tally {
    Tally { games: u32::from_le_bytes([k, l, m, n]), points: u32::from_le_bytes([o, p, q, r]) }
}

#[inline]
fn is_empty(&[.., k, l, m, n, _, _, _, _]: &Record) -> bool {
    [k, l, m, n] == [0; 4]
}

/// The place and the tally of a record.
pub(super) fn decode(record: &Record) -> (Place, Tally) {
    (place_of(record), tally_of(record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn add(table: &mut Table, place: Place, tally: Tally) {
        while !table.add(place, tally) {
            table.grow();
        }
    }

    /// Keys anywhere, at both ends, and close to each other.
    fn any_key() -> impl Strategy<Value = u64> {
        prop_oneof![any::<u64>(), 0..50_u64, (u64::MAX - 700)..=u64::MAX, (1_u64 << 40)..(1 << 40) + 900]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_table_is_a_sorted_map(added in prop::collection::vec((any_key(), 1..4_u16, 0..3_u32), 0..3_000)) {
            let (mut table, mut expected) = (Table::default(), BTreeMap::<Place, Tally>::new());
            for (key, mv, points) in added {
                let tally = Tally { games: 1, points };
                expected.entry((key, mv)).or_default().add(tally);
                add(&mut table, (key, mv), tally);
            }
            prop_assert_eq!(table.len(), expected.len());
            prop_assert!(table.records().map(decode).eq(expected.iter().map(|(&place, &tally)| (place, tally))));
            let mut copy = Table::default();
            table.scattered().map(decode).for_each(|(place, tally)| add(&mut copy, place, tally));
            prop_assert!(copy.records().eq(table.records()));
            table.clear();
            prop_assert_eq!((table.len(), table.records().count()), (0, 0));
        }
    }

    /// The records of random keys take at most 30 bytes each, even just after the table has grown.
    #[test]
    fn the_table_takes_little_more_than_its_records() {
        let (mut table, mut random) = (Table::default(), bartizan_types::SplitMix64::new(3));
        for number in 1..100_000 {
            add(&mut table, (random.next_u64(), 1), Tally { games: 1, points: 1 });
            if number > 10_000 {
                assert!(table.slots.capacity() * RECORD < number * 30, "{number}");
            }
        }
    }
}
