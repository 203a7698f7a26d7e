//! What a book contains.

use crate::{Book, BookError, PolyglotKey};
use bartizan_position::Position;
use bartizan_types::Move;
use std::collections::{HashSet, VecDeque};

/// What a book contains: see [`Book::count`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookCounts {
    /// The positions.
    pub positions: u64,
    /// The entries of the position with the most.
    pub most_moves: u64,
    /// The entries with a weight of 0.
    pub never_played: u64,
}

/// The positions that a book reaches: see [`Book::reach`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookCoverage {
    /// The positions with moves.
    pub positions: u64,
    /// Their moves.
    pub moves: u64,
    /// The length of the longest line, in plies.
    pub plies: u32,
}

impl Book {
    /// Counts the entries.
    ///
    /// # Errors
    /// If the book cannot be read any more.
    pub fn count(&self) -> Result<BookCounts, BookError> {
        let mut counts = BookCounts::default();
        let (mut same, mut last) = (0, None);
        for entry in self {
            let entry = entry?;
            same = if last == Some(entry.key) { same + 1 } else { 1 };
            counts.positions += u64::from(same == 1);
            counts.most_moves = counts.most_moves.max(same);
            counts.never_played += u64::from(entry.weight == 0);
            last = Some(entry.key);
        }
        Ok(counts)
    }

    /// Counts the positions that legal moves reach from the starting position, until `is_stopped` holds.
    ///
    /// # Errors
    /// If the book cannot be read any more.
    pub fn reach(&self, is_stopped: impl Fn() -> bool) -> Result<BookCoverage, BookError> {
        let mut reached = BookCoverage::default();
        let mut seen = HashSet::new();
        let mut queue: VecDeque<(Position, Option<Move>, u32)> = VecDeque::from([(Position::startpos(), None, 0)]);
        while let Some((position, last, ply)) = queue.pop_front() {
            if !seen.insert(PolyglotKey::after(&position, last)) {
                continue;
            }
            let moves = self.moves(&position, last)?;
            if moves.is_empty() {
                continue;
            }
            reached.positions += 1;
            reached.moves += moves.len() as u64;
            reached.plies = reached.plies.max(ply + 1);
            queue.extend(moves.iter().map(|found| (position.play_unchecked(found.mv), Some(found.mv), ply + 1)));
            if is_stopped() {
                break;
            }
        }
        Ok(reached)
    }
}
