//! How well quiet moves have done so far.

use crate::params::{HISTORY_BONUS, HISTORY_MAX};
use bartizan_types::{Color, Depth, Move, Square};

/// Butterfly history (Schaeffer 1983): a counter for each side, origin and target, with gravity, so that it never leaves
/// its range and forgets what is long ago.
#[derive(Clone, Debug)]
pub(crate) struct ButterflyHistory(Box<[[[i16; Square::COUNT]; Square::COUNT]; 2]>);

impl ButterflyHistory {
    pub(crate) fn new() -> Self {
        Self(Box::new([[[0; Square::COUNT]; Square::COUNT]; 2]))
    }

    pub(crate) fn clear(&mut self) {
        *self.0 = [[[0; Square::COUNT]; Square::COUNT]; 2];
    }

    #[inline]
    pub(crate) fn get(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.0[side.index()][mv.from().index()][mv.to().index()])
    }

    /// Rewards the move that failed high and fines those tried before it.
    pub(crate) fn update(&mut self, side: Color, best: Move, tried: &[Move], depth: Depth) {
        let (slope, offset, cap) = HISTORY_BONUS;
        let bonus = (slope * depth.0 - offset).clamp(0, cap);
        self.add(side, best, bonus);
        for &mv in tried {
            self.add(side, mv, -bonus);
        }
    }

    fn add(&mut self, side: Color, mv: Move, bonus: i32) {
        let counter = &mut self.0[side.index()][mv.from().index()][mv.to().index()];
        let old = i32::from(*counter);
        // Gravity: the nearer to the rim, the less a bonus moves it.
        *counter = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_in_range() {
        let mut history = ButterflyHistory::new();
        let (good, bad) = (Move::normal(Square::E2, Square::E4), Move::normal(Square::A2, Square::A3));
        for _ in 0..10_000 {
            history.update(Color::White, good, &[bad], Depth(30));
        }
        assert!((15_000..=HISTORY_MAX).contains(&history.get(Color::White, good)));
        assert!((-HISTORY_MAX..=-15_000).contains(&history.get(Color::White, bad)));
        assert_eq!(history.get(Color::Black, good), 0);
    }
}
