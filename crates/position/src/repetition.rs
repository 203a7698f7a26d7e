//! Positions that come again.

use alloc::vec::Vec;
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
}
