//! A network: its weights and its evaluation.

use crate::NetworkError;
use crate::architecture::{Architecture, BLOCK, Perspective};
use crate::block::{self, Block};
use crate::level::Level;
use bartizan_eval::ORDINARY_MAX;
use bartizan_position::Position;
use bartizan_types::Value;

/// The most men on a board, and so the most inputs that are active in a view.
const MOST_MEN: i32 = 32;

/// The integers that represent 1.0, and the unit of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantisation {
    /// The integer for 1.0 in the weights and biases of the hidden layer. Hidden values are clipped to it.
    pub hidden: i16,
    /// The integer for 1.0 in the weights of the output.
    pub output: i16,
    /// The value of an output of 1.0, in internal centipawns.
    pub scale: i16,
}

impl Quantisation {
    /// The usual choice: 255 and 64, and 400 centipawns.
    pub const USUAL: Self = Self { hidden: 255, output: 64, scale: 400 };

    fn check(self) -> Result<(), NetworkError> {
        if !(1..=255).contains(&self.hidden) {
            return Err(NetworkError::Quantisation("hidden weights"));
        }
        if self.output < 1 {
            return Err(NetworkError::Quantisation("output weights"));
        }
        if self.scale < 1 {
            return Err(NetworkError::Quantisation("scale"));
        }
        Ok(())
    }
}

/// The weights of a network as integers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkWeights {
    /// The weights of each input, one row of hidden neurons after the other.
    pub input: Vec<i16>,
    /// The biases of the hidden neurons.
    pub hidden_bias: Vec<i16>,
    /// The weights of each output bucket: the hidden neurons of the side to move, then those of the other.
    pub output: Vec<i16>,
    /// The bias of each output bucket, in units of `hidden · output` of the [`Quantisation`].
    pub output_bias: Vec<i32>,
}

/// Where a network comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkOrigin {
    /// The SHA-256 of the data that it was trained on; zeros if unknown.
    pub data: [u8; 32],
    /// The command that trained it.
    pub command: String,
}

/// A quantised network.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    architecture: Architecture,
    quantisation: Quantisation,
    origin: NetworkOrigin,
    /// Rows of blocks, one for each input.
    input: Box<[Block]>,
    hidden_bias: Box<[Block]>,
    /// Two rows for each output bucket.
    output: Box<[Block]>,
    output_bias: Box<[i32]>,
}

impl Network {
    /// Creates a network from weights.
    ///
    /// # Errors
    /// [`NetworkError::Length`] if the number of weights does not match the architecture,
    /// [`NetworkError::Quantisation`] if the quantisation is out of range, and [`NetworkError::Weights`] if weights are
    /// so large that an evaluation could overflow: the bias and any 32 weights of a hidden neuron together must fit in
    /// 16 bits, a clipped value times an output weight too, and any output in 32 bits.
    pub fn new(
        architecture: Architecture,
        quantisation: Quantisation,
        weights: &NetworkWeights,
        origin: NetworkOrigin,
    ) -> Result<Self, NetworkError> {
        quantisation.check()?;
        let (hidden, outputs) = (architecture.hidden(), architecture.outputs());
        let lengths = [
            (weights.input.len(), architecture.inputs() * hidden),
            (weights.hidden_bias.len(), hidden),
            (weights.output.len(), 2 * hidden * outputs),
            (weights.output_bias.len(), outputs),
        ];
        if let Some((found, expected)) = lengths.into_iter().find(|(found, expected)| found != expected) {
            return Err(NetworkError::Length { found, expected });
        }
        let network = Self {
            architecture,
            quantisation,
            origin,
            input: blocks(&weights.input),
            hidden_bias: blocks(&weights.hidden_bias),
            output: blocks(&weights.output),
            output_bias: weights.output_bias.as_slice().into(),
        };
        network.check()?;
        Ok(network)
    }

    /// The built-in network of the engine: see `testdata/network/SOURCE.md`.
    ///
    /// # Errors
    /// None, unless the program was built with a damaged network.
    pub fn built_in() -> Result<Self, NetworkError> {
        Self::from_bytes(include_bytes!("../built-in.bin"))
    }

    /// Checks that no sum of an evaluation can overflow.
    fn check(&self) -> Result<(), NetworkError> {
        let largest = |blocks: &[Block]| {
            blocks.iter().flat_map(|block| block.0).map(|weight| i32::from(weight).abs()).max().unwrap_or(0)
        };
        if largest(&self.hidden_bias) + MOST_MEN * largest(&self.input) > i32::from(i16::MAX) {
            return Err(NetworkError::Weights("the weights of the inputs"));
        }
        let limit = i64::from(self.quantisation.hidden);
        if limit * i64::from(largest(&self.output)) > i64::from(i16::MAX) {
            return Err(NetworkError::Weights("the weights of the outputs"));
        }
        let row = 2 * self.blocks();
        let overflows = self.output.chunks_exact(row).zip(&self.output_bias).any(|(row, &bias)| {
            let sum: i64 = row.iter().flat_map(|block| block.0).map(|weight| i64::from(weight).abs()).sum();
            let most = sum * limit * limit;
            most > i64::from(i32::MAX) || i64::from(bias).abs() > i64::from(i32::MAX) / 2
        });
        if overflows {
            return Err(NetworkError::Weights("the weights of an output together"));
        }
        Ok(())
    }

    /// The shape.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The integers that represent 1.0.
    pub fn quantisation(&self) -> Quantisation {
        self.quantisation
    }

    /// Where the network comes from.
    pub fn origin(&self) -> &NetworkOrigin {
        &self.origin
    }

    /// The weights.
    pub fn weights(&self) -> NetworkWeights {
        let numbers = |blocks: &[Block]| blocks.iter().flat_map(|block| block.0).collect();
        NetworkWeights {
            input: numbers(&self.input),
            hidden_bias: numbers(&self.hidden_bias),
            output: numbers(&self.output),
            output_bias: self.output_bias.to_vec(),
        }
    }

    /// Blocks of an accumulator of one perspective.
    #[inline]
    pub(crate) fn blocks(&self) -> usize {
        self.hidden_bias.len()
    }

    /// The weights of an input.
    #[inline]
    pub(crate) fn row(&self, input: usize) -> &[Block] {
        let blocks = self.blocks();
        &self.input[input * blocks..][..blocks]
    }

    /// An accumulator without pieces.
    #[inline]
    pub(crate) fn empty(&self) -> &[Block] {
        &self.hidden_bias
    }

    /// The value of a position for the side to move in internal centipawns, from scratch. In a search, use
    /// [`NetworkEvaluator`](crate::NetworkEvaluator), which computes only the changes.
    pub fn evaluate(&self, position: &Position) -> Value {
        self.evaluate_at(Level::best(), position)
    }

    pub(crate) fn evaluate_at(&self, level: Level, position: &Position) -> Value {
        level.run(
            #[inline(always)]
            || {
                let [us, them] = [position.turn(), !position.turn()].map(|perspective| {
                    let view = self.architecture.view(perspective, position.king(perspective));
                    self.accumulator(position, view)
                });
                self.output(level, self.architecture.output(position), &us, &them)
            },
        )
    }

    /// The accumulator of a perspective.
    #[inline(always)]
    pub(crate) fn accumulator(&self, position: &Position, view: Perspective) -> Vec<Block> {
        let mut sums = self.hidden_bias.to_vec();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                block::add(&mut sums, self.row(view.input(piece, square)));
            }
        }
        sums
    }

    /// The value from an output bucket and the accumulators of the side to move and of the other side.
    #[inline(always)]
    pub(crate) fn output(&self, level: Level, bucket: usize, us: &[Block], them: &[Block]) -> Value {
        let blocks = self.blocks();
        let (our_weights, their_weights) = self.output[bucket * 2 * blocks..][..2 * blocks].split_at(blocks);
        let Quantisation { hidden, output, scale } = self.quantisation;
        let [ours, theirs] = [(us, our_weights), (them, their_weights)]
            .map(|(accumulator, weights)| level.squared_clipped_dot(accumulator, weights, hidden));
        let sum = ours.wrapping_add(theirs);
        let value = |hidden: i16, output: i16| {
            // The sum has the unit hidden² · output.
            let sum = i64::from(sum / i32::from(hidden)) + i64::from(self.output_bias[bucket]);
            sum * i64::from(scale) / (i64::from(hidden) * i64::from(output))
        };
        // The compiler replaces divisions by constants.
        let value = match (hidden, output) {
            (255, 64) => value(255, 64),
            _ => value(hidden, output),
        };
        let most = i64::from(ORDINARY_MAX.0);
        Value(value.clamp(-most, most) as i32)
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("architecture", &self.architecture)
            .field("quantisation", &self.quantisation)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// Weights in blocks. Their number is a multiple of [`BLOCK`].
fn blocks(weights: &[i16]) -> Box<[Block]> {
    let (chunks, _) = weights.as_chunks::<BLOCK>();
    chunks.iter().map(|&chunk| Block(chunk)).collect()
}
