//! What differs between two books.

use crate::{Book, BookEntry, BookError, Entries, PolyglotKey};
use std::collections::BTreeMap;
use std::iter::Peekable;

/// Groups the entries of a book by position.
struct Positions<'a>(Peekable<Entries<'a>>);

impl Positions<'_> {
    fn peek(&mut self) -> Result<Option<PolyglotKey>, BookError> {
        match self.0.peek() {
            Some(Ok(entry)) => Ok(Some(entry.key)),
            // Returns the error itself, because only a reference is available.
            Some(Err(_)) => self.0.next().transpose().map(|_| None),
            None => Ok(None),
        }
    }

    /// The weights of the moves of a position; of several entries with one move, the greatest.
    fn take(&mut self, key: PolyglotKey) -> Result<BTreeMap<u16, u16>, BookError> {
        let mut moves = BTreeMap::new();
        while let Some(entry) = self.0.next_if(|entry| entry.as_ref().is_ok_and(|entry| entry.key == key)) {
            let BookEntry { mv, weight, .. } = entry?;
            let known = moves.entry(mv.0).or_default();
            *known = weight.max(*known);
        }
        Ok(moves)
    }
}

/// What differs between two books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookDifference {
    /// Positions in both.
    pub positions: u64,
    /// Positions in the first only.
    pub only_first_positions: u64,
    /// Positions in the second only.
    pub only_second_positions: u64,
    /// Moves in both.
    pub moves: u64,
    /// Moves in the first only.
    pub only_first_moves: u64,
    /// Moves in the second only.
    pub only_second_moves: u64,
    /// Moves in both whose share of the weights of their position differs by more than one per cent.
    pub weights: u64,
}

/// Compares two books.
///
/// # Errors
/// If one can no longer be read.
pub fn difference(first: &Book, second: &Book) -> Result<BookDifference, BookError> {
    let mut sources = [Positions(first.iter().peekable()), Positions(second.iter().peekable())];
    let mut all = BookDifference::default();
    loop {
        let [a, b] = &mut sources;
        let Some(key) = [a.peek()?, b.peek()?].into_iter().flatten().min() else { return Ok(all) };
        let (a, b) = (a.take(key)?, b.take(key)?);
        match (a.is_empty(), b.is_empty()) {
            (false, true) => all.only_first_positions += 1,
            (true, false) => all.only_second_positions += 1,
            _ => all.positions += 1,
        }
        all.only_first_moves += a.keys().filter(|mv| !b.contains_key(mv)).count() as u64;
        all.only_second_moves += b.keys().filter(|mv| !a.contains_key(mv)).count() as u64;
        let total = |moves: &BTreeMap<u16, u16>| moves.values().map(|&weight| f64::from(weight)).sum::<f64>().max(1.0);
        let (total_a, total_b) = (total(&a), total(&b));
        for (mv, &weight) in &a {
            let Some(&other) = b.get(mv) else { continue };
            all.moves += 1;
            let shift = f64::from(weight) / total_a - f64::from(other) / total_b;
            all.weights += u64::from(shift.abs() > 0.01);
        }
    }
}
