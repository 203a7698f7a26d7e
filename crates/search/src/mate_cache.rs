//! A cache of distances to mate.

use crate::tables::EndgameTables;
use bartizan_position::Position;
use bartizan_types::{Key, Value};

/// The distances to mate that a thread has looked up, one for each slot. The hash table does not store them, so the
/// same position is looked up many times.
pub(crate) struct MateCache {
    slots: Box<[(Key, Option<Value>)]>,
}

impl MateCache {
    /// The number of slots, a power of two. They take 64 KiB in total, a part of the L2 cache.
    const SLOTS: usize = 4_096;

    /// A cache without slots if it is not needed.
    pub(crate) fn new(is_needed: bool) -> Self {
        Self { slots: vec![(Key::default(), None); if is_needed { Self::SLOTS } else { 0 }].into_boxed_slice() }
    }

    /// The value of a position from the cache, else from the tables.
    pub(crate) fn probe(&mut self, tables: &dyn EndgameTables, position: &Position) -> Option<Value> {
        let key = position.key();
        let Some(slot) = self.slots.get_mut(key.0 as usize % Self::SLOTS) else { return tables.mate_value(position) };
        if slot.0 == key && slot.1.is_some() {
            return slot.1;
        }
        let found = tables.mate_value(position)?;
        *slot = (key, Some(found));
        Some(found)
    }
}

const _: () = assert!(size_of::<(Key, Option<Value>)>() == 16);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{TablebaseMove, TablebaseResult};
    use bartizan_types::Ply;

    /// Tables with a distance for every position, nearly always a different one.
    #[derive(Debug)]
    struct Distances;

    impl EndgameTables for Distances {
        fn max_pieces(&self) -> usize {
            0
        }

        fn result(&self, _position: &Position) -> Option<TablebaseResult> {
            None
        }

        fn mate_value(&self, position: &Position) -> Option<Value> {
            Some(Value::mate_in(Ply((position.key().0 >> 32) as i32 & 0xff)))
        }

        fn rank_moves(&self, _position: &Position, _must_progress: bool) -> Option<Vec<TablebaseMove>> {
            None
        }
    }

    /// A cached value belongs to the position looked up, even where two positions share a slot.
    #[test]
    fn cached_distances_are_those_of_the_tables() {
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
                let expected = Distances.mate_value(position);
                assert!(expected.is_some());
                assert_eq!(cache.probe(&Distances, position), expected, "{round} {}", position.to_fen());
            }
        }
        assert_eq!(cache.slots.iter().filter(|slot| slot.1.is_some()).count(), positions.len());
        // A slot that holds another position does not match.
        let held = *cache.slots.iter().find(|slot| slot.1.is_some()).unwrap();
        cache.slots.fill(held);
        for position in &positions {
            assert_eq!(cache.probe(&Distances, position), Distances.mate_value(position), "{}", position.to_fen());
        }
        assert_eq!(MateCache::new(false).probe(&Distances, &positions[0]), Distances.mate_value(&positions[0]));
    }
}
