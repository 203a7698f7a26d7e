//! A cache of distances to mate.

use crate::tables::MateTables;
use bartizan_dtm::Dtm;
use bartizan_position::Position;
use bartizan_types::Key;

/// The distances to mate that a thread has looked up, one for each slot. The hash table does not take them, so the same
/// position is asked for many times.
pub(crate) struct MateCache {
    slots: Box<[Option<(Key, Dtm)>]>,
}

impl MateCache {
    /// The number of slots, 64 KiB in all: a part of the second cache of the processor. A power of two.
    const SLOTS: usize = 4_096;

    /// A cache without room if it is not needed.
    pub(crate) fn new(is_needed: bool) -> Self {
        Self { slots: vec![None; if is_needed { Self::SLOTS } else { 0 }].into_boxed_slice() }
    }

    /// The value of a position from the cache, or else from the tables.
    pub(crate) fn probe(&mut self, mates: &MateTables, position: &Position) -> Option<Dtm> {
        let key = position.key();
        let Some(slot) = self.slots.get_mut(key.0 as usize % Self::SLOTS) else { return mates.probe(position) };
        if let Some((known, found)) = *slot
            && known == key
        {
            return Some(found);
        }
        let found = mates.probe(position)?;
        *slot = Some((key, found));
        Some(found)
    }
}

const _: () = assert!(size_of::<Option<(Key, Dtm)>>() == 16);

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_dtm::DtmTables;
    use bartizan_dtm::{Generator, Stop};

    /// A cached value is that of the position and of no other one, also where two positions share a slot.
    #[test]
    fn cached_distances_are_those_of_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        Generator::new(folder.path(), 1).generate(&"KRK".parse().unwrap(), &Stop::new(), &|_| ()).unwrap();
        let mates = MateTables::new(DtmTables::open_folders(&[folder.path()]).unwrap());
        let mut positions = Vec::new();
        for king in ["7K", "6K1", "5K2", "4K3", "3K4", "2K5", "1K6"] {
            for rook in ["7R", "R7", "3R4"] {
                for turn in ['w', 'b'] {
                    let fen = format!("{king}/8/8/2k5/8/{rook}/8/8 {turn} - - 0 1");
                    positions.extend(Position::from_fen(&fen).ok());
                }
            }
        }
        let mut cache = MateCache::new(true);
        for round in 0..2 {
            for position in &positions {
                let expected = mates.probe(position);
                assert!(expected.is_some());
                assert_eq!(cache.probe(&mates, position), expected, "{round} {}", position.to_fen());
            }
        }
        assert_eq!(cache.slots.iter().flatten().count(), positions.len());
        // A slot that another position holds is not taken for this one.
        let held = cache.slots.iter().flatten().next().copied();
        cache.slots.fill(held);
        for position in &positions {
            assert_eq!(cache.probe(&mates, position), mates.probe(position), "{}", position.to_fen());
        }
        assert_eq!(MateCache::new(false).probe(&mates, &positions[0]), mates.probe(&positions[0]));
    }
}
