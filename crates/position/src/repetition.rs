//! Positions that come again.

use crate::{Position, cuckoo};
use alloc::vec::Vec;
use bartizan_attacks as attacks;
use bartizan_types::Key;

/// The keys of the positions of a game or of a line in a search, oldest first, the position now on the board last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct KeyHistory {
    keys: Vec<Key>,
}

impl KeyHistory {
    /// No position yet.
    pub const fn new() -> Self {
        Self { keys: Vec::new() }
    }

    /// A position has come on the board.
    #[inline]
    pub fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// The last position has been taken back.
    #[inline]
    pub fn pop(&mut self) -> Option<Key> {
        self.keys.pop()
    }

    /// How many positions are kept.
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether none is kept.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The last positions only: that of now and so many before it.
    #[must_use]
    pub fn recent(&self, reversible: u16) -> Self {
        let first = self.keys.len().saturating_sub(usize::from(reversible) + 1);
        Self { keys: self.keys[first..].to_vec() }
    }

    /// How often the last position stood on the board before, within the last `reversible` plies (captures and pawn moves
    /// cannot be taken back: pass the halfmove clock).
    pub fn repetitions(&self, reversible: u16) -> usize {
        self.earlier(reversible).count()
    }

    /// Whether the last position counts as a draw in a search whose root is `ply` plies back: it came once after the root,
    /// or twice at all. A single repetition of a position from before the root is no draw yet: the opponent may vary.
    #[inline]
    pub fn is_search_draw(&self, reversible: u16, ply: usize) -> bool {
        let mut before_root = 0;
        for distance in self.earlier(reversible) {
            if distance < ply {
                return true;
            }
            before_root += 1;
            if before_root == 2 {
                return true;
            }
        }
        false
    }

    /// Whether the side to move can bring back a position of the search in one move, so that it has at least a draw in hand.
    /// The root of the search is `ply` plies back; positions from before it do not count, nor do those more than
    /// `reversible` plies back. `position` is the last one.
    #[inline]
    pub fn has_upcoming_repetition(&self, position: &Position, reversible: u16, ply: usize) -> bool {
        let last = self.keys.len().saturating_sub(1);
        let window = usize::from(reversible).min(last).min(ply.saturating_sub(1));
        // An odd number of plies back the other side was to move.
        (3..=window).step_by(2).any(|distance| {
            cuckoo::find(position.key() ^ self.keys[last - distance])
                // The piece may be the other side's, which came three plies for one step while ours went and returned.
                .is_some_and(|[a, b]| {
                    let ours = position.color(position.turn());
                    (attacks::between(a, b) & position.occupied()).is_empty() && (ours.contains(a) || ours.contains(b))
                })
        })
    }

    /// The distances in plies, nearest first, at which the last position stood before.
    #[inline]
    fn earlier(&self, reversible: u16) -> impl Iterator<Item = usize> {
        let now = self.keys.last().copied();
        let window = usize::from(reversible).min(self.keys.len().saturating_sub(1));
        // The same side is to move every second ply, and nothing can come again before the fourth.
        (4..=window).step_by(2).filter(move |distance| Some(self.keys[self.keys.len() - 1 - distance]) == now)
    }
}

impl FromIterator<Key> for KeyHistory {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Self {
        Self { keys: keys.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::SplitMix64;

    #[test]
    fn twofold_after_the_root_threefold_before() {
        // a b c d a b c d a: the position `a` for the third time.
        let line: KeyHistory = [1, 2, 3, 4, 1, 2, 3, 4, 1].into_iter().map(Key).collect();
        assert_eq!(line.repetitions(100), 2);
        assert_eq!(line.repetitions(4), 1);
        assert_eq!(line.repetitions(3), 0);
        // Once within four plies: a draw only when the first of the two came after the root.
        assert!(line.is_search_draw(4, 5));
        assert!(!line.is_search_draw(4, 4));
        assert!(line.is_search_draw(8, 0));
        assert!(!KeyHistory::new().is_search_draw(100, 10));
    }

    /// In every position of random games: the answer is that of trying all moves.
    #[test]
    fn upcoming_repetitions_are_those_that_a_move_brings() {
        let mut random = SplitMix64::new(7);
        let mut found = 0;
        for _ in 0..300 {
            let mut position = Position::from_fen("4k1r1/8/8/2n5/8/5B2/8/R3K3 w - - 0 1").unwrap();
            let mut keys: KeyHistory = [position.key()].into_iter().collect();
            for ply in 0..30 {
                let expected = position.legal_moves().iter().any(|&mv| {
                    let next = position.play_unchecked(mv);
                    let mut keys = keys.clone();
                    keys.push(next.key());
                    // After the root, and reached by a reversible move.
                    next.halfmove_clock() > 0 && keys.earlier(next.halfmove_clock()).any(|distance| distance < ply + 1)
                });
                let answer = keys.has_upcoming_repetition(&position, position.halfmove_clock(), ply);
                // A pinned piece, or one that would leave the king in check, is not seen by the key alone.
                let is_free = !position.in_check() && position.pinned().is_empty();
                assert!(if is_free { answer == expected } else { answer || !expected }, "{position}");
                found += usize::from(answer && expected);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Half of the moves are the first of the list, so that pieces often go back and forth.
                let mv = if random.below(2) == 0 { moves[0] } else { moves[random.below(moves.len())] };
                position = position.play_unchecked(mv);
                keys.push(position.key());
            }
        }
        assert!(found > 50, "{found}");
    }

    /// The keys say that a rook's step is between now and five plies ago; but the rook is not on move.
    #[test]
    fn a_step_of_the_other_side_is_no_upcoming_repetition() {
        let mut position = Position::from_fen("7k/8/8/8/8/8/8/R6K w - - 0 1").unwrap();
        let mut keys: KeyHistory = [position.key()].into_iter().collect();
        for mv in ["a1b1", "h8g8", "b1c1", "g8h8", "c1d1"] {
            position = position.play_unchecked(position.parse_uci(mv).unwrap());
            keys.push(position.key());
        }
        assert!(!keys.has_upcoming_repetition(&position, 5, 10));
    }
}
