//! Factorised input weights: parts shared between squares.

use crate::train::model::{FloatNetwork, Layout, WEIGHT_LIMIT};
use bartizan_network::PIECE_SQUARES;

/// Squares of a board.
const SQUARES: usize = 64;

/// Number of parts per kind of piece: one for each rank, then one for each file.
const PARTS: usize = 16;

/// The rank and file parts of the input weights, which add to each input's own part.
///
/// A weight whose own square is rare follows those of its rank and file, so fewer positions teach as much. NNUE
/// trainers factorise king positions in the same way. All king buckets share the same parts. The model keeps the sums,
/// so the network has the same shape as without factorisation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Factors {
    /// A row of hidden weights for each part.
    pub(crate) parameters: Vec<f32>,
    /// The averages of the gradient and of its square.
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
    hidden: usize,
}

impl Factors {
    /// The number of parameters.
    pub(crate) fn len(layout: Layout) -> usize {
        PIECE_SQUARES / SQUARES * PARTS * layout.hidden
    }

    /// Parts that are all zero.
    pub(crate) fn new(layout: Layout) -> Self {
        let zeros = vec![0.0; Self::len(layout)];
        Self { parameters: zeros.clone(), first: zeros.clone(), second: zeros, hidden: layout.hidden }
    }

    /// The parts of an input, as offsets of their rows.
    fn parts(&self, input: usize) -> [usize; 2] {
        let (kind, square) = (input % PIECE_SQUARES / SQUARES, input % SQUARES);
        [square / 8, 8 + square % 8].map(|part| (kind * PARTS + part) * self.hidden)
    }

    /// The gradient of the parts, if `gradients` sum to the gradient of the model's parameters.
    pub(crate) fn gradient(&self, gradients: &[Vec<f32>], layout: Layout) -> Vec<f32> {
        let mut sums = vec![0.0; self.parameters.len()];
        for gradient in gradients {
            for (input, row) in gradient[..layout.hidden_bias].chunks_exact(self.hidden).enumerate() {
                for part in self.parts(input) {
                    add(&mut sums[part..part + self.hidden], row, 1.0);
                }
            }
        }
        sums
    }

    /// Subtracts the parts from the weights of a model, which leaves each input's own part.
    pub(crate) fn remove_from(&self, model: &mut FloatNetwork) {
        self.add_to(model, -1.0);
    }

    /// Adds the parts to the weights of a model, and clips the result.
    pub(crate) fn put_into(&self, model: &mut FloatNetwork) {
        self.add_to(model, 1.0);
        for weight in &mut model.parameters[..model.layout.hidden_bias] {
            *weight = weight.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        }
    }

    fn add_to(&self, model: &mut FloatNetwork, sign: f32) {
        let weights = &mut model.parameters[..model.layout.hidden_bias];
        for (input, row) in weights.chunks_exact_mut(self.hidden).enumerate() {
            for part in self.parts(input) {
                add(row, &self.parameters[part..part + self.hidden], sign);
            }
        }
    }
}

fn add(to: &mut [f32], values: &[f32], factor: f32) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += factor * value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_network::{Architecture, KING_SQUARES};

    #[test]
    fn an_input_has_the_parts_of_its_rank_and_file() {
        let kings = std::array::from_fn::<u8, KING_SQUARES, _>(|square| square as u8 / 16);
        let mut model = FloatNetwork::random(Architecture::new(32, kings, 1).unwrap(), 3);
        let layout = model.layout;
        let mut factors = Factors::new(layout);
        let before = model.clone();
        // Kind 7, the rank and the file of the square 2 * 8 + 5.
        let rows = [7 * PARTS + 2, 7 * PARTS + 8 + 5];
        for (row, value) in rows.into_iter().zip([0.25, 0.5]) {
            factors.parameters[row * 32..][..32].fill(value);
        }
        factors.put_into(&mut model);
        for input in 0..2 * PIECE_SQUARES {
            let (kind, square) = (input / 64 % 12, input % 64);
            let expected = match (kind == 7, square / 8 == 2, square % 8 == 5) {
                (true, true, true) => 0.75,
                (true, true, false) => 0.25,
                (true, false, true) => 0.5,
                _ => 0.0,
            };
            let added = model.parameters[input * 32 + 9] - before.parameters[input * 32 + 9];
            assert!((added - expected).abs() < 1e-6, "input {input}: {added}");
        }
        // The gradient of a part is the sum of those of its weights.
        let mut gradient = vec![0.0; layout.end];
        for (input, row) in gradient[..layout.hidden_bias].chunks_exact_mut(32).enumerate() {
            row.fill((input + 1) as f32);
        }
        let gradient = factors.gradient(&[gradient.clone(), gradient], layout);
        let first = 7 * 64 + 2 * 8 + 1;
        let expected: usize = 2 * (0..8).map(|file| 2 * (first + file) + PIECE_SQUARES).sum::<usize>();
        assert_eq!(gradient[rows[0] * 32], expected as f32);

        factors.remove_from(&mut model);
        let most = before.parameters.iter().zip(&model.parameters).map(|(one, other)| (one - other).abs());
        assert!(most.fold(0.0, f32::max) < 1e-6);
    }

    #[test]
    fn weights_with_their_parts_are_clipped() {
        let mut model = FloatNetwork::random(Architecture::plain(32).unwrap(), 3);
        let mut factors = Factors::new(model.layout);
        factors.parameters.fill(1.5);
        factors.put_into(&mut model);
        assert!(model.parameters[..model.layout.hidden_bias].iter().all(|&weight| weight == WEIGHT_LIMIT));
    }
}
