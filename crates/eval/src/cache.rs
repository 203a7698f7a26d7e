//! What the evaluation remembers: pawn structures, kings' shelters and material, which change seldom.
//!
//! Direct-mapped tables, one set for each evaluator and so for each thread. An entry keeps its whole key: two different
//! structures can only be confused if all 64 bits agree.

use crate::evaluation::{PawnPart, imbalance_of, pawn_structure};
use crate::side::{Black, Side, White};
use crate::tally::{NoTrace, Sums};
use crate::terms::king::shelter;
use crate::terms::pawns::Structure;
use bartizan_position::Position;
use bartizan_types::{Color, Key, Score, Square};
use std::fmt;

/// Entries for pawns: 384 KiB.
const PAWN_ENTRIES: usize = 8192;

/// Entries for shelters, one king each: 256 KiB.
const SHELTER_ENTRIES: usize = 16_384;

/// Entries for material: 32 KiB.
const MATERIAL_ENTRIES: usize = 2048;

#[derive(Clone, Copy)]
struct PawnEntry {
    key: Key,
    structures: [Structure; 2],
    score: Score,
}

const _: () = assert!(size_of::<PawnEntry>() == 48);

/// Kings move more often than pawns, so their shelters have a table of their own.
#[derive(Clone, Copy)]
struct ShelterEntry {
    key: Key,
    sums: Sums,
}

const _: () = assert!(size_of::<ShelterEntry>() == 16);

#[derive(Clone, Copy)]
struct MaterialEntry {
    key: Key,
    score: Score,
}

/// How often the tables were asked and how often they knew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Questions to each table: one an evaluation.
    pub probes: u64,
    /// The pawn structure was known.
    pub pawn_hits: u64,
    /// A king's shelter was known; two questions an evaluation.
    pub shelter_hits: u64,
    /// The material was known.
    pub material_hits: u64,
}

/// The tables.
#[derive(Clone)]
pub(crate) struct Cache {
    pawns: Box<[PawnEntry]>,
    shelters: Box<[ShelterEntry]>,
    material: Box<[MaterialEntry]>,
    pub(crate) stats: CacheStats,
}

impl Cache {
    pub(crate) fn new() -> Self {
        // An empty entry has the key 0, which is also the pawn key of a board without pawns, and what it says of those is
        // right. Of material and shelters the key is 0 only by a chance of one in 2⁶⁴.
        let key = Key::default();
        let no_pawns = PawnEntry { key, structures: [Structure::default(); 2], score: Score::ZERO };
        Self {
            pawns: vec![no_pawns; PAWN_ENTRIES].into_boxed_slice(),
            shelters: vec![ShelterEntry { key, sums: Sums::default() }; SHELTER_ENTRIES].into_boxed_slice(),
            material: vec![MaterialEntry { key, score: Score::ZERO }; MATERIAL_ENTRIES].into_boxed_slice(),
            stats: CacheStats::default(),
        }
    }

    /// The imbalance, white minus black.
    #[inline]
    pub(crate) fn imbalance(&mut self, position: &Position) -> Score {
        let key = position.material_key();
        let entry = &mut self.material[key.0 as usize % MATERIAL_ENTRIES];
        self.stats.probes += 1;
        if entry.key == key {
            self.stats.material_hits += 1;
        } else {
            *entry = MaterialEntry { key, score: imbalance_of(position, &mut NoTrace) };
        }
        entry.score
    }

    /// Pawns and shelters.
    #[inline]
    pub(crate) fn pawns(&mut self, position: &Position) -> PawnPart {
        let key = position.pawn_key();
        let entry = &mut self.pawns[key.0 as usize % PAWN_ENTRIES];
        if entry.key == key {
            self.stats.pawn_hits += 1;
        } else {
            let (structures, score) = pawn_structure(position, &mut NoTrace);
            *entry = PawnEntry { key, structures, score };
        }
        let PawnEntry { structures, score, .. } = *entry;
        PawnPart { structures, score, shelters: [self.shelter::<White>(position), self.shelter::<Black>(position)] }
    }

    #[inline]
    fn shelter<S: Side>(&mut self, position: &Position) -> Sums {
        let key = shelter_key(position.pawn_key(), position.king(S::US), S::US);
        let entry = &mut self.shelters[key.0 as usize % SHELTER_ENTRIES];
        if entry.key == key {
            self.stats.shelter_hits += 1;
        } else {
            *entry = ShelterEntry { key, sums: shelter::<S, _>(position, &mut NoTrace) };
        }
        entry.sums
    }
}

/// Pawns, a king's square (counted from 1) and its colour, spread over all bits by an odd factor: for the same pawns no two
/// kings have the same key.
#[inline]
fn shelter_key(pawns: Key, king: Square, color: Color) -> Key {
    /// 2⁶⁴ divided by the golden ratio (Donald Knuth, "The Art of Computer Programming", volume 3, 6.4).
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let place = (king.index() + 1 + Square::COUNT * color.index()) as u64;
    Key(pawns.0 ^ place.wrapping_mul(SPREAD).rotate_left(32))
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("stats", &self.stats).finish_non_exhaustive()
    }
}
