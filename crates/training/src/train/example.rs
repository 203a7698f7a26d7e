//! Training examples: the inputs of a position and the target output.

use crate::positions::PositionSample;
use bartizan_eval::evaluate;
use bartizan_network::Architecture;
use bartizan_types::{Color, PieceType, Square};

/// The maximum number of men in a position.
const MOST_MEN: usize = 32;

/// A position as the network sees it.
#[derive(Clone, Debug)]
pub struct Example {
    /// The inputs of the side to move, then of the other side; the first `men` of each are valid.
    inputs: [[u16; MOST_MEN]; 2],
    men: u8,
    bucket: u8,
    target: f32,
    /// The value of the hand-written terms, in units of the output, if the network is averaged with them.
    terms: Option<f32>,
}

impl Example {
    /// Reads a position. The target is the expected result for the side to move: `lambda` times the logistic function
    /// of the score, in units of `scale` centipawns, and `1 - lambda` times the result of the game. Returns `None`
    /// unless each side has exactly one king.
    pub fn new(sample: &PositionSample, architecture: &Architecture, lambda: f32, scale: f32) -> Option<Self> {
        let turn = sample.packed().turn();
        let mut kings: [Option<Square>; 2] = [None; 2];
        for (piece, square) in sample.packed().pieces() {
            if piece.piece_type() == PieceType::King && kings[piece.color().index()].replace(square).is_some() {
                return None;
            }
        }
        let view = |color: Color| Some(architecture.view(color, kings[color.index()]?));
        let views = [view(turn)?, view(!turn)?];
        let mut inputs = [[0; MOST_MEN]; 2];
        let mut men = 0;
        for (piece, square) in sample.packed().pieces() {
            for (inputs, view) in inputs.iter_mut().zip(views) {
                inputs[men] = view.input(piece, square) as u16;
            }
            men += 1;
        }
        let target = lambda * logistic(f32::from(sample.score()) / scale) + (1.0 - lambda) * sample.result();
        Some(Self { inputs, men: men as u8, bucket: architecture.output_for(men) as u8, target, terms: None })
    }

    /// Reads a position like [`new`](Self::new), for a network that the engine averages with its hand-written terms:
    /// the mean of both is fitted to the target.
    pub fn with_terms(sample: &PositionSample, architecture: &Architecture, lambda: f32, scale: f32) -> Option<Self> {
        let example = Self::new(sample, architecture, lambda, scale)?;
        let position = sample.packed().unpack().ok()?;
        Some(Self { terms: Some(evaluate(&position).0 as f32 / scale), ..example })
    }

    /// The active inputs of the side to move, then of the other side.
    #[inline]
    pub(crate) fn inputs(&self) -> [&[u16]; 2] {
        let [us, them] = &self.inputs;
        [&us[..usize::from(self.men)], &them[..usize::from(self.men)]]
    }

    /// The output bucket.
    #[inline]
    pub(crate) fn bucket(&self) -> usize {
        usize::from(self.bucket)
    }

    /// The number of men on the board.
    #[inline]
    pub(crate) fn men(&self) -> usize {
        usize::from(self.men)
    }

    /// The logit of the expected result by the evaluation that includes the network.
    #[inline]
    pub(crate) fn logit(&self, output: f32) -> f32 {
        self.terms.map_or(output, |terms| f32::midpoint(output, terms))
    }

    /// The derivative of [`logit`](Self::logit) with respect to the network's output.
    #[inline]
    pub(crate) fn logit_slope(&self) -> f32 {
        if self.terms.is_some() { 0.5 } else { 1.0 }
    }

    /// The expected result for the side to move, from 0 to 1.
    #[inline]
    pub(crate) fn target(&self) -> f32 {
        self.target
    }
}

#[inline]
pub(crate) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
