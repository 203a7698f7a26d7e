//! Computes the network's outputs for many examples, and the gradient of their loss.
//!
//! The weights of all inputs and their gradients take megabytes, more than the caches near a core hold, and an example
//! touches at most 64 of their rows. So the hidden layer is processed in tiles of neurons: the weights of a tile are
//! gathered, fit in the second-level cache, and serve all examples before the next tile.

use crate::train::example::Example;
use crate::train::model::{FloatNetwork, Layout};
use bartizan_network::BLOCK;
use bartizan_types::SplitMix64;

/// Examples in a pass. Copying a tile costs as much as a few dozen examples.
pub(crate) const EXAMPLES: usize = 2_048;

/// Neurons per tile, if the network has that many: with 768 inputs, their weights are 384 KiB.
const TILE: usize = 128;

/// Dropout factors of hidden values when none is dropped.
const ALL_KEPT: [f32; BLOCK] = [1.0; BLOCK];

/// A forward and backward pass over some examples.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    layout: Layout,
    pub(crate) examples: Vec<Example>,
    /// Dropout factors of hidden values: for each example both sides, 0 for dropped ones.
    kept: Vec<f32>,
    /// The sums of the hidden layer: for each tile, example and side, the neurons of the tile.
    sums: Vec<f32>,
    /// The output of each example.
    outputs: Vec<f32>,
    /// The weights of all inputs for a tile, or their gradient.
    tile: Vec<f32>,
}

impl Pass {
    pub(crate) fn new(layout: Layout) -> Self {
        Self { layout, examples: Vec::new(), kept: Vec::new(), sums: Vec::new(), outputs: Vec::new(), tile: Vec::new() }
    }

    /// Begins the next pass.
    pub(crate) fn clear(&mut self) {
        self.examples.clear();
        self.kept.clear();
    }

    /// Drops a random `dropped` of 256 hidden values of the last example, and scales the others to keep the mean.
    /// Either all examples of a pass use dropout or none.
    pub(crate) fn drop_out(&mut self, dropped: u8, random: &mut SplitMix64) {
        let scale = 256.0 / (256.0 - f32::from(dropped));
        for _ in 0..2 * self.layout.hidden / 8 {
            let factor = |byte| if byte < dropped { 0.0 } else { scale };
            self.kept.extend(random.next_u64().to_le_bytes().map(factor));
        }
    }

    /// The outputs for the examples: the logits of the expected results.
    pub(crate) fn forward(&mut self, model: &FloatNetwork) -> &[f32] {
        let Layout { hidden, hidden_bias, output, output_bias, .. } = self.layout;
        let mut values = vec![[0.0_f32; BLOCK]; self.examples.len()];
        self.sums.resize(2 * hidden * self.examples.len(), 0.0);
        let mut sums = self.sums.as_mut_slice();
        for (first, width) in tiles(hidden) {
            self.tile.clear();
            for row in model.parameters[..hidden_bias].chunks_exact(hidden) {
                self.tile.extend_from_slice(&row[first..][..width]);
            }
            let (biases, _) = model.parameters[hidden_bias + first..][..width].as_chunks::<BLOCK>();
            for (number, (example, value)) in self.examples.iter().zip(&mut values).enumerate() {
                for (side, inputs) in example.inputs().into_iter().enumerate() {
                    let start = output + (2 * example.bucket() + side) * hidden + first;
                    let (weights, _) = model.parameters[start..][..width].as_chunks::<BLOCK>();
                    let (ours, rest) = sums.split_at_mut(width);
                    sums = rest;
                    let (ours, _) = ours.as_chunks_mut::<BLOCK>();
                    for (block, sums) in ours.iter_mut().enumerate() {
                        let mut sum = biases[block];
                        for &input in inputs {
                            let row = &self.tile[usize::from(input) * width + block * BLOCK..][..BLOCK];
                            for (sum, weight) in sum.iter_mut().zip(row) {
                                *sum += weight;
                            }
                        }
                        let kept = kept(&self.kept, (2 * number + side) * hidden + first + block * BLOCK);
                        for (((value, sum), weight), factor) in value.iter_mut().zip(sum).zip(weights[block]).zip(kept)
                        {
                            let clipped = sum.clamp(0.0, 1.0);
                            *value += clipped * clipped * factor * weight;
                        }
                        *sums = sum;
                    }
                }
            }
        }
        let output = |(example, value): (&Example, &[f32; BLOCK])| {
            model.parameters[output_bias + example.bucket()] + value.iter().sum::<f32>()
        };
        self.outputs.clear();
        self.outputs.extend(self.examples.iter().zip(&values).map(output));
        &self.outputs
    }

    /// The examples with their outputs, after [`forward`](Self::forward).
    pub(crate) fn results(&self) -> impl Iterator<Item = (&Example, f32)> {
        self.examples.iter().zip(self.outputs.iter().copied())
    }

    /// Adds to `gradient` the gradient of a loss whose derivatives with respect to the outputs are `slopes`, after
    /// [`forward`](Self::forward).
    pub(crate) fn backward(&mut self, model: &FloatNetwork, slopes: &[f32], gradient: &mut [f32]) {
        let Layout { hidden, hidden_bias, output, output_bias, .. } = self.layout;
        for (example, slope) in self.examples.iter().zip(slopes) {
            gradient[output_bias + example.bucket()] += slope;
        }
        let mut sums = self.sums.as_slice();
        let mut by_sums = [0.0; TILE];
        for (first, width) in tiles(hidden) {
            self.tile.clear();
            self.tile.resize(hidden_bias / hidden * width, 0.0);
            let (by_sums, _) = by_sums[..width].as_chunks_mut::<BLOCK>();
            for (number, (example, slope)) in self.examples.iter().zip(slopes).enumerate() {
                for (side, inputs) in example.inputs().into_iter().enumerate() {
                    let start = output + (2 * example.bucket() + side) * hidden + first;
                    let (weights, _) = model.parameters[start..][..width].as_chunks::<BLOCK>();
                    let (by_weights, _) = gradient[start..][..width].as_chunks_mut::<BLOCK>();
                    let (ours, rest) = sums.split_at(width);
                    sums = rest;
                    let (ours, _) = ours.as_chunks::<BLOCK>();
                    for (block, by_sums) in by_sums.iter_mut().enumerate() {
                        let kept = kept(&self.kept, (2 * number + side) * hidden + first + block * BLOCK);
                        for lane in 0..BLOCK {
                            let sum = ours[block][lane];
                            let clipped = sum.clamp(0.0, 1.0);
                            let slope = slope * kept[lane];
                            by_weights[block][lane] += slope * clipped * clipped;
                            let is_open = sum > 0.0 && sum < 1.0;
                            by_sums[lane] = if is_open { 2.0 * slope * weights[block][lane] * clipped } else { 0.0 };
                        }
                    }
                    let (by_biases, _) = gradient[hidden_bias + first..][..width].as_chunks_mut::<BLOCK>();
                    add(by_biases, by_sums);
                    for &input in inputs {
                        let (row, _) = self.tile[usize::from(input) * width..][..width].as_chunks_mut::<BLOCK>();
                        add(row, by_sums);
                    }
                }
            }
            for (row, by_tile) in gradient[..hidden_bias].chunks_exact_mut(hidden).zip(self.tile.chunks_exact(width)) {
                for (to, value) in row[first..].iter_mut().zip(by_tile) {
                    *to += value;
                }
            }
        }
    }
}

/// The first neuron and the number of neurons of each tile.
fn tiles(hidden: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..hidden).step_by(TILE).map(move |first| (first, TILE.min(hidden - first)))
}

/// The dropout factors of a block of hidden values.
fn kept(kept: &[f32], start: usize) -> &[f32; BLOCK] {
    kept.get(start..).and_then(|kept| kept.first_chunk()).unwrap_or(&ALL_KEPT)
}

#[inline]
fn add(to: &mut [[f32; BLOCK]], values: &[[f32; BLOCK]]) {
    for (to, values) in to.iter_mut().zip(values) {
        for (to, value) in to.iter_mut().zip(values) {
            *to += value;
        }
    }
}

/// The output for one example.
#[cfg(test)]
pub(crate) fn output_of(model: &FloatNetwork, example: &Example) -> f32 {
    let mut pass = Pass::new(model.layout);
    pass.examples.push(example.clone());
    pass.forward(model)[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::PositionSample;
    use bartizan_network::{Architecture, KING_SQUARES};

    /// For a network of a tile and a quarter, each output and each gradient follows the formulas.
    #[test]
    fn tiles_make_no_difference() {
        for dropped in [0, 100] {
            let king_buckets = std::array::from_fn::<u8, KING_SQUARES, _>(|square| square as u8 / 32);
            let architecture = Architecture::new(TILE + BLOCK, king_buckets, 4).unwrap();
            let mut model = FloatNetwork::random(architecture.clone(), 5);
            let layout = model.layout;
            // Weights larger than the initial ones activate more of the hidden units, and clip some.
            model.parameters[..layout.hidden_bias].iter_mut().for_each(|weight| *weight *= 4.0);
            let mut pass = Pass::new(layout);
            let mut random = SplitMix64::new(1);
            for position in bartizan_testkit::random_positions(3).step_by(23).take(20) {
                pass.examples.extend(Example::new(
                    &PositionSample::new(&position, 30, None),
                    &architecture,
                    0.5,
                    400.0,
                ));
                if dropped > 0 {
                    pass.drop_out(dropped, &mut random);
                }
            }
            let slopes: Vec<f32> = (0..pass.examples.len()).map(|i| 0.1 * (i as f32 - 9.5)).collect();
            let mut gradient = vec![0.0; layout.end];
            pass.forward(&model);
            pass.backward(&model, &slopes, &mut gradient);
            let mut expected = vec![0.0; layout.end];
            for (number, &slope) in slopes.iter().enumerate() {
                let output = one_by_one(&model, &pass, number, slope.into(), &mut expected);
                assert!((output - f64::from(pass.outputs[number])).abs() < 1e-4, "{output}, {}", pass.outputs[number]);
            }
            for (number, (found, expected)) in gradient.iter().zip(&expected).enumerate() {
                assert!((f64::from(*found) - expected).abs() < 1e-4, "{number}: {found}, expected {expected}");
            }
        }
    }

    /// The output and the gradient for an example, computed neuron by neuron.
    fn one_by_one(model: &FloatNetwork, pass: &Pass, number: usize, slope: f64, gradient: &mut [f64]) -> f64 {
        let Layout { hidden, hidden_bias, output, output_bias, .. } = model.layout;
        let example = &pass.examples[number];
        let at = |parameter: usize| f64::from(model.parameters[parameter]);
        gradient[output_bias + example.bucket()] += slope;
        let mut value = at(output_bias + example.bucket());
        for (side, inputs) in example.inputs().into_iter().enumerate() {
            for neuron in 0..hidden {
                let rows = inputs.iter().map(|&input| usize::from(input) * hidden + neuron);
                let sum = at(hidden_bias + neuron) + rows.clone().map(at).sum::<f64>();
                let kept = pass.kept.get((2 * number + side) * hidden + neuron).map_or(1.0, |&kept| f64::from(kept));
                let weight = output + (2 * example.bucket() + side) * hidden + neuron;
                let clipped = sum.clamp(0.0, 1.0);
                value += kept * clipped * clipped * at(weight);
                gradient[weight] += slope * kept * clipped * clipped;
                if sum > 0.0 && sum < 1.0 {
                    let by_sum = 2.0 * slope * kept * clipped * at(weight);
                    gradient[hidden_bias + neuron] += by_sum;
                    rows.for_each(|row| gradient[row] += by_sum);
                }
            }
        }
        value
    }
}
