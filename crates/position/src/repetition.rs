//! Repetition of positions.

use crate::{Position, cuckoo};
use alloc::vec::Vec;
use bartizan_attacks as attacks;
use bartizan_types::Key;

/// The keys of the positions of a game or a search line, oldest first. The last key is that of the current position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct KeyHistory {
    keys: Vec<Key>,
}

impl KeyHistory {
    /// Creates an empty history.
    pub const fn new() -> Self {
        Self { keys: Vec::new() }
    }

    /// Appends the key of a new position.
    #[inline]
    pub fn push(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// Removes and returns the last key.
    #[inline]
    pub fn pop(&mut self) -> Option<Key> {
        self.keys.pop()
    }

    /// The number of keys.
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the history is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Key> + ExactSizeIterator + '_ {
        self.keys.iter().copied()
    }

    /// Copies the last key and the `reversible` keys before it.
    #[must_use]
    pub fn recent(&self, reversible: u16) -> Self {
        let first = self.keys.len().saturating_sub(usize::from(reversible) + 1);
        Self { keys: self.keys[first..].to_vec() }
    }

    /// Whether any position occurs twice within the last `reversible` plies. Pass the halfmove clock.
    pub fn has_repetition(&self, reversible: u16) -> bool {
        let mut keys = self.recent(reversible).keys;
        keys.sort_unstable_by_key(|key| key.0);
        keys.windows(2).any(|two| two[0] == two[1])
    }

    /// How often the last position occurred before, within the last `reversible` plies. Pass the halfmove clock:
    /// positions before a capture or pawn move cannot recur.
    pub fn repetitions(&self, reversible: u16) -> usize {
        self.earlier(reversible).count()
    }

    /// Whether the last position counts as a draw in a search whose root is `ply` plies back: it has occurred once
    /// before within the search, or twice before in total. A single occurrence before the root does not suffice,
    /// because the opponent may still deviate.
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

    /// Whether the side to move can repeat a position of the search in one move, and so has at least a draw.
    ///
    /// The root of the search is `ply` plies back. Positions before the root and those more than `reversible` plies
    /// back do not count. `position` is the current position.
    #[inline]
    pub fn has_upcoming_repetition(&self, position: &Position, reversible: u16, ply: usize) -> bool {
        let last = self.keys.len().saturating_sub(1);
        let window = usize::from(reversible).min(last).min(ply.saturating_sub(1));
        // At an odd distance, the other side was to move.
        (3..=window).step_by(2).any(|distance| {
            cuckoo::find(position.key() ^ self.keys[last - distance])
                // The key does not tell which side's piece has moved: it must belong to the side to move.
                .is_some_and(|[a, b]| {
                    let ours = position.color(position.turn());
                    (attacks::between(a, b) & position.occupied()).is_empty() && (ours.contains(a) || ours.contains(b))
                })
        })
    }

    /// The distances in plies, nearest first, at which the last position occurred before.
    #[inline]
    fn earlier(&self, reversible: u16) -> impl Iterator<Item = usize> {
        let now = self.keys.last().copied();
        let window = usize::from(reversible).min(self.keys.len().saturating_sub(1));
        // The same side is to move every second ply, and no position recurs in less than four.
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
        assert!(line.has_repetition(8) && line.has_repetition(4) && !line.has_repetition(3));
        assert!(!KeyHistory::new().has_repetition(100));
    }

    /// In every position of random games, the result equals that of trying every move.
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
                // The keys alone do not tell whether a move is legal: pins and checks matter.
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

    /// The keys of now and five plies ago differ by a rook move, but the rook's side is not to move.
    #[test]
    fn a_move_of_the_other_side_is_not_an_upcoming_repetition() {
        let mut position = Position::from_fen("7k/8/8/8/8/8/8/R6K w - - 0 1").unwrap();
        let mut keys: KeyHistory = [position.key()].into_iter().collect();
        for mv in ["a1b1", "h8g8", "b1c1", "g8h8", "c1d1"] {
            position = position.play_unchecked(position.parse_uci(mv).unwrap());
            keys.push(position.key());
        }
        assert!(!keys.has_upcoming_repetition(&position, 5, 10));
    }
}
