//! Makes new positions with cheap scores from existing ones.

use super::{DataSource, Place};
use crate::Error;
use crate::positions::PositionSample;
use bartizan_eval::ORDINARY_MAX;
use bartizan_network::EvaluationModel;
use bartizan_parallel::map;
use bartizan_position::Position;
use bartizan_types::{Color, SplitMix64};
use std::num::NonZeroUsize;

/// Maximum number of new positions made at a time, unless there are more threads.
const CHUNK: usize = 65_536;

/// How new positions are made and scored.
#[derive(Clone, Debug)]
pub struct Variations {
    /// How to score the new positions.
    pub model: EvaluationModel,
    /// Number of new positions for each position.
    pub copies: u32,
    /// Maximum number of random moves before a new position; each has at least one.
    pub plies: u32,
    /// Score above which a position is left out, in internal centipawns.
    pub max_score: u16,
    /// Seed of the random moves.
    pub seed: u64,
    /// Number of threads. The result does not depend on it.
    pub threads: NonZeroUsize,
}

/// Passes new positions to `write`, in the order of their originals. Returns the number of positions read.
///
/// # Errors
/// If a file cannot be read; those of `write`.
pub fn vary<E: From<Error>>(
    source: &DataSource<'_>,
    variations: &Variations,
    mut write: impl FnMut(PositionSample) -> Result<(), E>,
) -> Result<u64, E> {
    let mut read = 0_u64;
    let size = (CHUNK / variations.copies.max(1) as usize).max(variations.threads.get());
    source.each_chunk(size, |samples, place| {
        for part in variations.of_all(samples, place, read) {
            part?.into_iter().try_for_each(&mut write)?;
        }
        read += samples.len() as u64;
        Ok::<_, E>(())
    })?;
    Ok(read)
}

impl Variations {
    /// The new positions for some samples, in order, those of each thread together. `first` is the number of samples
    /// before them.
    fn of_all(
        &self,
        samples: &[PositionSample],
        place: Place<'_>,
        first: u64,
    ) -> Vec<Result<Vec<PositionSample>, Error>> {
        let share = samples.len().div_ceil(self.threads.get()).max(1);
        let parts = samples.chunks(share).enumerate();
        map(parts, self.threads.get(), |(part, samples)| {
            let mut varied = Vec::new();
            for (sample, index) in samples.iter().zip(part * share..) {
                let start = place.unpack(sample, index)?;
                varied.extend(self.of(&start, sample.result(), first + index as u64));
            }
            Ok(varied)
        })
    }

    /// The new positions for the sample with this number, whose game had a result for the side to move.
    fn of(&self, start: &Position, result: f32, number: u64) -> Vec<PositionSample> {
        let winner = match (result, start.turn()) {
            (0.5, _) => None,
            (1.0, turn) => Some(turn),
            (_, turn) => Some(!turn),
        };
        let mut random = SplitMix64::stream(self.seed, number);
        (0..self.copies).filter_map(|_| self.one(start.clone(), winner, &mut random)).collect()
    }

    /// Plays random moves and scores the resulting position; `None` if the side to move is in check or has no move, or
    /// if the score is too large.
    fn one(&self, mut position: Position, winner: Option<Color>, random: &mut SplitMix64) -> Option<PositionSample> {
        for _ in 0..1 + random.below(self.plies as usize) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.make_unchecked(moves[random.below(moves.len())]);
        }
        if position.in_check() || position.legal_moves().is_empty() {
            return None;
        }
        let score = self.model.value(&position).0;
        let most = i32::from(self.max_score).min(ORDINARY_MAX.0);
        (score.abs() <= most).then(|| PositionSample::new(&position, score as i16, winner))
    }
}
