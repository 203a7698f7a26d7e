//! From tallies and notes to weights.

use super::annotations::{Glyph, Note, Notes};
use super::collect::{Place, Tally};
use crate::{BookEntry, PolyglotKey, PolyglotMove};
use std::cmp::Reverse;

/// The weight of a handmade move without a glyph in a position without any games: half the greatest weight, as in a
/// position with games.
const NEUTRAL: u64 = 100;

/// The weight of a move.
#[derive(Clone, Copy)]
enum Weight {
    /// By its points, its lesser glyph and the evaluations of its lines.
    Own(u64),
    /// Percent of the greatest weight of the position.
    Share(u8),
}

/// The entries of one position. Moves in too few games, and moves that have not scored, are omitted unless they are
/// handmade.
pub(super) fn weigh(tallies: &[(Place, Tally)], notes: &Notes, min_count: u32) -> Vec<BookEntry> {
    let Some(&((key, _), _)) = tallies.first() else { return Vec::new() };
    let is_counted = |tally: &Tally| tally.games >= min_count.max(1) && tally.points > 0;
    let counted = tallies.iter().map(|(_, tally)| tally).filter(|tally| is_counted(tally));
    let points = counted.map(|tally| u64::from(tally.points)).max();
    let neutral = points.map_or(NEUTRAL, |points| points.div_ceil(2));
    let mut greatest = points.unwrap_or(2 * NEUTRAL);
    let mut weights = Vec::new();
    for (place, tally) in tallies {
        let base = if is_counted(tally) { u64::from(tally.points) } else { neutral };
        match notes.get(place) {
            Some(note) => {
                let weight = annotated(base, note);
                if let Weight::Own(weight) = weight {
                    // `!!` exceeds every other glyph.
                    greatest = greatest.max(weight + u64::from(note.glyph.is_some()));
                }
                weights.push((place.1, weight));
            }
            None if is_counted(tally) => weights.push((place.1, Weight::Own(base))),
            None => {}
        }
    }
    let points = |weight| match weight {
        Weight::Own(points) => points,
        // Rounded up, so that only a share of 0 is never played.
        Weight::Share(percent) => (greatest * u64::from(percent)).div_ceil(100),
    };
    scale(PolyglotKey(key), weights.into_iter().map(|(mv, weight)| (mv, points(weight))).collect())
}

/// The weight of a handmade move whose weight without notes is `base`.
fn annotated(base: u64, note: &Note) -> Weight {
    if let Some(weight) = note.weight {
        return Weight::Share(weight);
    }
    let (sum, lines) = note.evaluations;
    // From -3 to 3, a quarter for each step.
    let evaluation = if lines == 0 { 0.0 } else { f64::from(sum) / f64::from(lines) };
    let glyph = match note.glyph {
        Some(Glyph::Mistake) => return Weight::Share(0),
        Some(Glyph::Brilliant) => return Weight::Share(100),
        Some(Glyph::Good) => 1.5,
        Some(Glyph::Interesting) => 1.25,
        Some(Glyph::Dubious) | None => 1.0,
    };
    Weight::Own(((base as f64 * glyph * (1.0 + evaluation / 4.0)).round() as u64).max(1))
}

/// Entries of a position from moves and weights, heaviest first, scaled to 16 bits.
pub(super) fn scale(key: PolyglotKey, mut weights: Vec<(u16, u64)>) -> Vec<BookEntry> {
    weights.sort_unstable_by_key(|&(mv, weight)| (Reverse(weight), mv));
    // No position has more legal moves.
    weights.truncate(crate::MAX_MOVES);
    let greatest = weights.first().map_or(0, |&(_, weight)| weight);
    let fit = |weight: u64| match u16::try_from(greatest) {
        Ok(_) => weight as u16,
        // A weight above zero stays above zero.
        Err(_) => {
            (u128::from(weight) * u128::from(u16::MAX) / u128::from(greatest)).max(u128::from(weight.min(1))) as u16
        }
    };
    let entry = |(mv, weight)| BookEntry { key, mv: PolyglotMove(mv), weight: fit(weight), learn: 0 };
    weights.into_iter().map(entry).collect()
}
