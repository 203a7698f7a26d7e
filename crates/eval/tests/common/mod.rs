//! Random games from a seed.
#![allow(unreachable_pub)] // Shared by several test programs.

use bartizan_position::Position;

/// The SplitMix64 generator.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Calls `f` for `count` positions of random games, each at most 300 plies long.
pub fn random_positions(seed: u64, count: usize, mut f: impl FnMut(&Position)) {
    let mut random = Random(seed);
    let mut position = Position::startpos();
    for _ in 0..count {
        let moves = position.legal_moves();
        position = if moves.is_empty() || position.game_ply() > 300 {
            Position::startpos()
        } else {
            position.play_unchecked(moves[random.below(moves.len())])
        };
        f(&position);
    }
}
