//! Grows a model into a larger one.

use crate::train::model::{FloatNetwork, Layout};
use bartizan_network::{Architecture, PIECE_SQUARES};

impl FloatNetwork {
    /// A model of another shape with the same output for every position, as a starting point for training. It may have
    /// more hidden neurons, more king buckets if this model has one, and more output buckets if this model has one.
    ///
    /// New buckets start with copies of the weights. A new neuron starts with random input weights by `seed`, like
    /// those of [`random`](Self::random), and zero output weights, so that it changes nothing before the first step
    /// (function-preserving as in Tianqi Chen, Ian Goodfellow and Jonathon Shlens 2015, "Net2Net").
    ///
    /// `None` if the shape is not that of a larger model.
    pub fn grown(&self, architecture: &Architecture, seed: u64) -> Option<Self> {
        let from = &self.architecture;
        let has_same_kings = from.king_buckets() == architecture.king_buckets();
        let is_larger = architecture.hidden() >= from.hidden()
            && (has_same_kings || from.king_bucket_count() == 1)
            && (architecture.outputs() == from.outputs() || from.outputs() == 1);
        if !is_larger {
            return None;
        }
        let mut grown = Self::random(architecture.clone(), seed);
        let (old, new) = (self.layout, grown.layout);
        grown.parameters[new.output..].fill(0.0);
        let source = |input: usize| if has_same_kings { input } else { input % PIECE_SQUARES };
        for input in 0..architecture.inputs() {
            let weights = &self.parameters[source(input) * old.hidden..][..old.hidden];
            grown.parameters[input * new.hidden..][..old.hidden].copy_from_slice(weights);
        }
        // All buckets of a new neuron start with the weights of the first.
        let (first, others) = grown.parameters[..new.hidden_bias].split_at_mut(PIECE_SQUARES * new.hidden);
        for bucket in others.chunks_exact_mut(first.len()).filter(|_| !has_same_kings) {
            bucket.copy_from_slice(first);
        }
        grown.parameters[new.hidden_bias..][..old.hidden]
            .copy_from_slice(&self.parameters[old.hidden_bias..][..old.hidden]);
        for output in 0..architecture.outputs() {
            let source = output.min(from.outputs() - 1);
            for side in 0..2 {
                let weights = &self.parameters[old.output_weights(source, side)];
                grown.parameters[new.output_weights(output, side)][..old.hidden].copy_from_slice(weights);
            }
            grown.parameters[new.output_bias + output] = self.parameters[old.output_bias + source];
        }
        Some(grown)
    }
}

impl Layout {
    /// The range of the weights of an output for one perspective, 0 for the side to move.
    fn output_weights(self, output: usize, side: usize) -> std::ops::Range<usize> {
        let start = self.output + (2 * output + side) * self.hidden;
        start..start + self.hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::PositionSample;
    use crate::train::example::Example;
    use crate::train::pass::{Pass, output_of};
    use bartizan_network::KING_SQUARES;

    const KINGS: [u8; KING_SQUARES] = {
        let mut buckets = [0; KING_SQUARES];
        let mut square = 0;
        while square < KING_SQUARES {
            buckets[square] = square as u8 / 8;
            square += 1;
        }
        buckets
    };

    fn shape(hidden: usize, king_buckets: [u8; KING_SQUARES], outputs: usize) -> Architecture {
        Architecture::new(hidden, king_buckets, outputs).unwrap()
    }

    #[test]
    fn a_grown_model_has_the_outputs_of_the_small_one() {
        let shapes = [
            (shape(32, [0; KING_SQUARES], 1), shape(32, [0; KING_SQUARES], 1)),
            (shape(32, [0; KING_SQUARES], 1), shape(96, KINGS, 8)),
            (shape(64, KINGS, 4), shape(128, KINGS, 4)),
            (shape(64, [0; KING_SQUARES], 8), shape(64, KINGS, 8)),
        ];
        for (from, to) in shapes {
            let mut small = FloatNetwork::random(from.clone(), 3);
            let biases = small.layout.hidden_bias..small.layout.output;
            small.parameters[biases].iter_mut().for_each(|bias| *bias = 0.3);
            let large = small.grown(&to, 4).unwrap();
            for position in bartizan_testkit::random_positions(7).take(200) {
                let sample = PositionSample::new(&position, 0, None);
                let example = |shape| Example::new(&sample, shape, 1.0, 400.0).unwrap();
                let (before, after) = (output_of(&small, &example(&from)), output_of(&large, &example(&to)));
                assert!((before - after).abs() < 1e-4, "{before} and {after}: {}", position.to_fen());
            }
        }
    }

    #[test]
    fn new_neurons_differ_and_can_learn() {
        let small = FloatNetwork::random(shape(32, [0; KING_SQUARES], 1), 3);
        let large = small.grown(&shape(96, KINGS, 1), 4).unwrap();
        let row = &large.parameters[..96];
        assert!(row.iter().all(|&weight| weight != 0.0) && row[32..64] != row[64..96]);
        assert_eq!(large.parameters[32..96], large.parameters[PIECE_SQUARES * 96 + 32..][..64]);
        let position = bartizan_position::Position::startpos_ref();
        let example = Example::new(&PositionSample::new(position, 0, None), &large.architecture, 1.0, 400.0).unwrap();
        let (mut pass, mut gradient) = (Pass::new(large.layout), vec![0.0; large.layout.end]);
        pass.examples.push(example);
        pass.forward(&large);
        pass.backward(&large, &[1.0], &mut gradient);
        let of_new = &gradient[large.layout.output + 32..large.layout.output + 96];
        assert!(of_new.iter().filter(|&&slope| slope > 0.0).count() > 16);
    }

    #[test]
    fn shapes_that_are_not_larger_are_refused() {
        let model = FloatNetwork::random(shape(64, KINGS, 4), 3);
        for other in [shape(32, KINGS, 4), shape(64, [0; KING_SQUARES], 4), shape(64, KINGS, 8), shape(64, KINGS, 1)] {
            assert!(model.grown(&other, 1).is_none());
        }
    }
}
