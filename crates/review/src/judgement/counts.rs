//! Totals of a player's moves.

use super::class::Judgement;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// A player's judgements and the total loss of all judged moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgementCounts {
    /// The number of judged moves.
    pub moves: u64,
    /// The sum of the losses in centipawns.
    pub loss: u64,
    /// The number of moves with each [`Judgement`].
    pub judgements: [u64; Judgement::COUNT],
}

impl JudgementCounts {
    /// Adds a move.
    pub(crate) fn add(&mut self, centipawns: u32, judgement: Option<Judgement>) {
        self.moves += 1;
        self.loss += u64::from(centipawns);
        if let Some(judgement) = judgement {
            self.judgements[judgement as usize] += 1;
        }
    }

    /// The number of moves with a judgement.
    pub fn count(&self, judgement: Judgement) -> u64 {
        self.judgements[judgement as usize]
    }

    /// The mean loss of a move in centipawns; `None` if no move was judged.
    #[allow(clippy::cast_precision_loss)] // Sums of centipawns are far below 2^52.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss as f64 / self.moves as f64)
    }
}

/// Adds the moves of another game.
impl AddAssign for JudgementCounts {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.loss += other.loss;
        self.judgements.iter_mut().zip(other.judgements).for_each(|(sum, count)| *sum += count);
    }
}
