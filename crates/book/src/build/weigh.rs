//! From tallies and notes to weights.

use super::annotations::{Glyph, Note, Notes};
use super::collect::{Place, Tally};
use crate::{BookEntry, PolyglotKey, PolyglotMove};
use std::cmp::Reverse;

/// The weight of a handmade move in a position without any games.
const ALONE: u64 = 100;

/// The entries of one position. Moves in too few games, and moves that have not scored, are omitted unless they are
/// handmade.
pub(super) fn weigh(tallies: &[(Place, Tally)], notes: &Notes, min_count: u32) -> Vec<BookEntry> {
    let Some(&((key, _), _)) = tallies.first() else { return Vec::new() };
    let is_counted = |tally: &Tally| tally.games >= min_count.max(1) && tally.points > 0;
    let counted = tallies.iter().map(|(_, tally)| tally).filter(|tally| is_counted(tally));
    let greatest = counted.map(|tally| u64::from(tally.points)).max();
    let neutral = greatest.map_or(ALONE, |points| points.div_ceil(2));
    let top = greatest.unwrap_or(ALONE);
    let mut weights = Vec::new();
    for (place, tally) in tallies {
        let note = notes.get(place);
        let base = if is_counted(tally) { u64::from(tally.points) } else { neutral };
        match note {
            Some(note) => weights.push((place.1, annotated(base, top, note))),
            None if is_counted(tally) => weights.push((place.1, base)),
            None => {}
        }
    }
    scale(PolyglotKey(key), weights)
}

/// The weight of a handmade move. `top` is the greatest weight of the position without notes.
fn annotated(base: u64, top: u64, note: &Note) -> u64 {
    if let Some(weight) = note.weight {
        // Rounded up, so that only `weight: 0` is never played.
        return (top * u64::from(weight)).div_ceil(100);
    }
    let (sum, lines) = note.evaluations;
    // From -3 to 3, a quarter for each step.
    let evaluation = if lines == 0 { 0.0 } else { f64::from(sum) / f64::from(lines) };
    let glyph = match note.glyph {
        Some(Glyph::Mistake) => return 0,
        Some(Glyph::Brilliant) => return top.max(base),
        Some(Glyph::Good) => 1.5,
        Some(Glyph::Interesting) => 1.25,
        Some(Glyph::Dubious) | None => 1.0,
    };
    ((base as f64 * glyph * (1.0 + evaluation / 4.0)).round() as u64).max(1)
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
