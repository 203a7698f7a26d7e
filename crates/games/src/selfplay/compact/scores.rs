//! The coding of scores, as the format defines it: by the difference from the opponent's score one ply before.

use super::coder::{Chance, Coder};

/// The initial probabilities of a game, little-endian. Fitted to self-play; they must never change.
static CHANCES: &[u8; 2 * COUNT] = include_bytes!("scores.bin");

/// Classes of recent score movement, and of distance from 0.
const MOTIONS: usize = 12;
const HEIGHTS: usize = 5;
/// Bits of the greatest difference, 65,535.
const LENGTHS: usize = 16;

// Where the parts of the table begin.
const ZERO: usize = 0;
const SIGN: usize = ZERO + MOTIONS * HEIGHTS * 3;
const LENGTH: usize = SIGN + MOTIONS * HEIGHTS * 3;
const DIGITS: usize = LENGTH + MOTIONS * HEIGHTS * LENGTHS;
const COUNT: usize = DIGITS + HEIGHTS * LENGTHS * 3;

/// The state of a game's score coder.
#[derive(Debug)]
pub(super) struct Scores {
    chances: Vec<Chance>,
    /// The last score.
    last: i32,
    /// The last difference.
    difference: i32,
    /// The mean size of recent differences, later ones weighing more, times 4.
    motion: i32,
}

impl Scores {
    pub(super) fn new() -> Self {
        let chance = |two: &[u8]| Chance(u16::from_le_bytes([two[0], two[1]]));
        Self { chances: CHANCES.chunks_exact(2).map(chance).collect(), last: 0, difference: 0, motion: 64 }
    }

    fn height(&self) -> usize {
        [50, 200, 600, 2_500].iter().filter(|&&height| self.last.abs() >= height).count()
    }

    /// Codes the next score, from the side to move's point of view.
    pub(super) fn code(&mut self, coder: &mut impl Coder, score: i16) -> i16 {
        let expected = -self.last;
        // A decoder may read arbitrary bytes, so the sum wraps.
        let difference = self.code_difference(coder, i32::from(score) - expected);
        let score = (expected + difference) as i16;
        self.motion += (16 * difference.abs().min(1 << 11) - self.motion) / 4;
        (self.last, self.difference) = (score.into(), difference);
        score
    }

    fn code_difference(&mut self, coder: &mut impl Coder, difference: i32) -> i32 {
        let motion = (self.motion.unsigned_abs().checked_ilog2().unwrap_or(0) as usize).min(MOTIONS - 1);
        let class = motion * HEIGHTS + self.height();
        let signs = class * 3 + (self.difference.signum() + 1) as usize;
        if coder.bit(&mut self.chances[ZERO + signs], difference == 0) {
            return 0;
        }
        let is_less = coder.bit(&mut self.chances[SIGN + signs], difference < 0);
        let size = difference.unsigned_abs().max(1);
        let mut length = 0;
        while length < LENGTHS - 1
            && coder.bit(&mut self.chances[LENGTH + class * LENGTHS + length], length < size.ilog2() as usize)
        {
            length += 1;
        }
        let mut coded = 1;
        for digit in 0..length {
            let bit = size >> (length - 1 - digit) & 1 == 1;
            let bit = match digit {
                0 | 1 => {
                    let place = if digit == 0 { 0 } else { 1 + (coded & 1) as usize };
                    let chances = DIGITS + (self.height() * LENGTHS + length) * 3;
                    coder.bit(&mut self.chances[chances + place], bit)
                }
                _ => coder.uniform(1, bit.into()) == 1,
            };
            coded = coded << 1 | i32::from(bit);
        }
        if is_less { -coded } else { coded }
    }
}
