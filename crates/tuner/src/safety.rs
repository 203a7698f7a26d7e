//! King safety, the one part of the value that is no sum of weights.

use crate::model::Pair;

/// What is made of the danger to a king, a weighted sum in each phase.
///
/// Middlegame: max(0, danger)² / `mg_divisor`; endgame: max(0, danger) / `eg_divisor`. That danger grows with its square
/// is an old idea; in this form it is Stockfish's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafetyForm {
    /// Centipawns.
    pub mg_divisor: f64,
    /// A plain number.
    pub eg_divisor: f64,
}

impl Default for SafetyForm {
    fn default() -> Self {
        Self { mg_divisor: 1024.0, eg_divisor: 16.0 }
    }
}

impl SafetyForm {
    /// Both halves of the score for a danger, in centipawns.
    #[inline]
    pub fn score(&self, danger: Pair) -> Pair {
        let [mg, eg] = danger.map(|half| half.max(0.0));
        [mg * mg / self.mg_divisor, eg / self.eg_divisor]
    }

    /// How fast each half of the score grows with its half of the danger.
    #[inline]
    pub fn slope(&self, danger: Pair) -> Pair {
        let [mg, eg] = danger;
        [2.0 * mg.max(0.0) / self.mg_divisor, if eg > 0.0 { 1.0 / self.eg_divisor } else { 0.0 }]
    }
}
