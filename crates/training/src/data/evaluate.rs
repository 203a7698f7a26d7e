//! Evaluates positions without a search.

use super::{CHUNK, DataSource};
use crate::Error;
use bartizan_network::EvaluationModel;
use bartizan_position::Position;
use bartizan_types::Value;

/// A position and its values for the side to move.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The position.
    pub position: Position,
    /// The value of the evaluation.
    pub value: Value,
    /// The score of the search that played the game, in internal centipawns.
    pub score: i16,
    /// The result of the game: 0, 0.5 or 1.
    pub result: f32,
}

/// Evaluates positions, and passes them to `take` in the chunks in which they were read. With a network alone, even
/// endings with a known value are evaluated by it, for comparison with other implementations.
///
/// # Errors
/// If a file cannot be read; those of `take`.
pub fn evaluate<E: From<Error>>(
    source: &DataSource<'_>,
    model: &EvaluationModel,
    mut take: impl FnMut(&[Evaluated]) -> Result<(), E>,
) -> Result<(), E> {
    source.each_chunk(CHUNK, |samples, place| {
        let evaluated = samples.iter().enumerate().map(|(index, sample)| {
            let position = place.unpack(sample, index)?;
            let value = match model {
                EvaluationModel::Network(network) => network.evaluate(&position),
                model => model.value(&position),
            };
            Ok(Evaluated { position, value, score: sample.score(), result: sample.result() })
        });
        take(&evaluated.collect::<Result<Vec<_>, Error>>()?)
    })
}
