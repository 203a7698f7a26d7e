//! Caches of the terms whose inputs rarely change between nodes: pawn structure, king shelters and material.
//!
//! Direct-mapped tables, one set for each evaluator, hence for each thread. An entry stores its full 64-bit key, so
//! only a collision of all 64 bits returns a wrong result.

use crate::pawn_part::{PawnPart, pawn_structure};
use crate::side::{Black, Side, White};
use crate::side_score::{NoTrace, Shelter};
use crate::terms::imbalance;
use crate::terms::king::shelter;
use crate::terms::pawns::Structure;
use bartizan_position::Position;
use bartizan_types::{ByColor, Color, Key, Square, TaperedScore};
use std::fmt;

/// Entries of the pawn table (384 KiB).
const PAWN_ENTRIES: usize = 8192;

/// Entries of the shelter table (256 KiB), one for each king.
const SHELTER_ENTRIES: usize = 16_384;

/// Entries of the material table (32 KiB).
const MATERIAL_ENTRIES: usize = 2048;

#[derive(Clone, Copy)]
struct PawnEntry {
    key: Key,
    structures: ByColor<Structure>,
    score: TaperedScore,
}

const _: () = assert!(size_of::<PawnEntry>() == 48);

/// Shelters have a separate table because kings move more often than pawns.
#[derive(Clone, Copy)]
struct ShelterEntry {
    key: Key,
    shelter: Shelter,
}

const _: () = assert!(size_of::<ShelterEntry>() == 16);

#[derive(Clone, Copy)]
struct MaterialEntry {
    key: Key,
    score: TaperedScore,
}

/// Cache statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheStats {
    /// Evaluations that probed the caches: one probe each of pawn and material table, two of the shelter table.
    pub probes: u64,
    /// Hits in the pawn table.
    pub pawn_hits: u64,
    /// Hits in the shelter table, out of `2 * probes`.
    pub shelter_hits: u64,
    /// Hits in the material table.
    pub material_hits: u64,
}

/// The three tables of one evaluator.
#[derive(Clone)]
pub(crate) struct Cache {
    pawns: Box<[PawnEntry]>,
    shelters: Box<[ShelterEntry]>,
    material: Box<[MaterialEntry]>,
    pub(crate) stats: CacheStats,
}

impl Cache {
    pub(crate) fn new() -> Self {
        // Empty entries have key 0. That is also the pawn key of a board without pawns, for which the empty entry is
        // correct. A material or shelter key is 0 only with probability 2⁻⁶⁴.
        let key = Key::default();
        let no_pawns = PawnEntry { key, structures: ByColor::default(), score: TaperedScore::ZERO };
        Self {
            pawns: vec![no_pawns; PAWN_ENTRIES].into_boxed_slice(),
            shelters: vec![ShelterEntry { key, shelter: Shelter::default() }; SHELTER_ENTRIES].into_boxed_slice(),
            material: vec![MaterialEntry { key, score: TaperedScore::ZERO }; MATERIAL_ENTRIES].into_boxed_slice(),
            stats: CacheStats::default(),
        }
    }

    /// The sum of the imbalance terms, white minus black.
    #[inline]
    pub(crate) fn imbalance(&mut self, position: &Position) -> TaperedScore {
        let key = position.material_key();
        let entry = &mut self.material[key.0 as usize % MATERIAL_ENTRIES];
        self.stats.probes += 1;
        if entry.key == key {
            self.stats.material_hits += 1;
        } else {
            *entry = MaterialEntry { key, score: imbalance::trace(position, &mut NoTrace) };
        }
        entry.score
    }

    /// The pawn structure and both kings' shelters.
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
        PawnPart {
            structures,
            score,
            shelters: ByColor([self.shelter::<White>(position), self.shelter::<Black>(position)]),
        }
    }

    #[inline]
    fn shelter<S: Side>(&mut self, position: &Position) -> Shelter {
        let key = shelter_key(position.pawn_key(), position.king(S::US), S::US);
        let entry = &mut self.shelters[key.0 as usize % SHELTER_ENTRIES];
        if entry.key == key {
            self.stats.shelter_hits += 1;
        } else {
            *entry = ShelterEntry { key, shelter: shelter::<S, _>(position, &mut NoTrace) };
        }
        entry.shelter
    }
}

/// Combines the pawn key with a king's square and colour. The odd multiplier keeps keys distinct: for the same pawns,
/// no two kings share a key.
#[inline]
fn shelter_key(pawns: Key, king: Square, color: Color) -> Key {
    /// 2⁶⁴ divided by the golden ratio (Donald Knuth, "The Art of Computer Programming", volume 3, 6.4).
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    // Counted from 1, so that no king leaves the pawn key unchanged.
    let place = (king.index() + 1 + Square::COUNT * color.index()) as u64;
    Key(pawns.0 ^ place.wrapping_mul(SPREAD).rotate_left(32))
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("stats", &self.stats).finish_non_exhaustive()
    }
}
