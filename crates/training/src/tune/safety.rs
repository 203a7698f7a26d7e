//! King safety, which is not linear in its weights.

use crate::tune::model::Pair;

/// The score of the danger to a king. The danger is a weighted sum in each phase.
///
/// Middlegame: max(0, danger)² / `mg_divisor`. Endgame: max(0, danger) / `eg_divisor`. Stockfish uses this form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafetyForm {
    /// Divisor of the squared middlegame danger, in centipawns.
    pub mg_divisor: f64,
    /// Divisor of the endgame danger, dimensionless.
    pub eg_divisor: f64,
}

impl Default for SafetyForm {
    fn default() -> Self {
        Self { mg_divisor: 1024.0, eg_divisor: 16.0 }
    }
}

impl SafetyForm {
    /// Both halves of the score of a danger, in centipawns.
    #[inline]
    pub fn score(&self, danger: Pair) -> Pair {
        let [mg, eg] = danger.map(|half| half.max(0.0));
        [mg * mg / self.mg_divisor, eg / self.eg_divisor]
    }

    /// Derivative of each half of the score by its half of the danger.
    #[inline]
    pub fn slope(&self, danger: Pair) -> Pair {
        let [mg, eg] = danger;
        [2.0 * mg.max(0.0) / self.mg_divisor, if eg > 0.0 { 1.0 / self.eg_divisor } else { 0.0 }]
    }
}
