//! The network in floating point: its parameters, its output, and the gradient of the loss.

use crate::example::Example;
use bartizan_network::{Architecture, BLOCK, Network, NetworkError, Origin, Quantisation, Weights};
use bartizan_types::SplitMix64;

/// The greatest absolute value of a weight. With the usual quantisation, 32 weights of the hidden layer and its bias
/// then fit in 16 bits, and an output weight times a hidden value does so, too.
pub(crate) const WEIGHT_LIMIT: f32 = 1.98;

/// Where the parameters of each layer begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) hidden: usize,
    pub(crate) hidden_bias: usize,
    pub(crate) output: usize,
    pub(crate) output_bias: usize,
    pub(crate) end: usize,
}

impl Layout {
    pub(crate) fn of(architecture: &Architecture) -> Self {
        let hidden = architecture.hidden();
        let hidden_bias = architecture.inputs() * hidden;
        let output = hidden_bias + hidden;
        let output_bias = output + 2 * hidden * architecture.outputs();
        Self { hidden, hidden_bias, output, output_bias, end: output_bias + architecture.outputs() }
    }
}

/// A network in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub(crate) architecture: Architecture,
    pub(crate) layout: Layout,
    /// Input weights, biases of the hidden layer, output weights, output biases.
    pub(crate) parameters: Vec<f32>,
}

/// Values of one example that the gradient needs, kept to save allocations.
#[derive(Clone, Debug)]
pub(crate) struct Scratch {
    /// The sums of the hidden layer: the side to move, then the other.
    sums: Vec<f32>,
    /// The gradient with respect to the sums of one side.
    slopes: Vec<f32>,
}

impl Scratch {
    pub(crate) fn new(layout: Layout) -> Self {
        Self { sums: vec![0.0; 2 * layout.hidden], slopes: vec![0.0; layout.hidden] }
    }
}

impl Model {
    /// A network with random weights: uniform, up to one over the square root of the number of inputs of the layer.
    pub fn random(architecture: Architecture, seed: u64) -> Self {
        let layout = Layout::of(&architecture);
        let mut parameters = vec![0.0; layout.end];
        let mut random = SplitMix64::new(seed);
        let mut fill = |range: &mut [f32], inputs: usize| {
            let limit = 1.0 / (inputs as f32).sqrt();
            range.iter_mut().for_each(|weight| *weight = centred(&mut random) * limit);
        };
        // Of the inputs of a king bucket, one in 24 is active.
        fill(&mut parameters[..layout.hidden_bias], bartizan_network::PIECE_SQUARES);
        fill(&mut parameters[layout.output..layout.output_bias], 2 * layout.hidden);
        Self { architecture, layout, parameters }
    }

    /// A network that was trained before, to train it on. Its weights are those of the integers.
    pub fn from_network(network: &Network) -> Self {
        let architecture = network.architecture().clone();
        let layout = Layout::of(&architecture);
        let Quantisation { hidden, output, .. } = network.quantisation();
        let weights = network.weights();
        let (hidden, output) = (f32::from(hidden), f32::from(output));
        let first = weights.input.iter().chain(&weights.hidden_bias).map(|&weight| f32::from(weight) / hidden);
        let last = weights.output.iter().map(|&weight| f32::from(weight) / output);
        let biases = weights.output_bias.iter().map(|&bias| bias as f32 / (hidden * output));
        let parameters: Vec<f32> = first.chain(last).chain(biases).collect();
        Self { architecture, layout, parameters }
    }

    /// The shape.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The output for an example: the logit of the expected result.
    pub(crate) fn forward(&self, example: &Example, scratch: &mut Scratch) -> f32 {
        let Layout { hidden, hidden_bias, output, output_bias, .. } = self.layout;
        let (biases, _) = self.parameters[hidden_bias..output].as_chunks::<BLOCK>();
        let weights = &self.parameters[output + example.bucket() * 2 * hidden..][..2 * hidden];
        let (weights, _) = weights.as_chunks::<BLOCK>();
        let (sums, _) = scratch.sums.as_chunks_mut::<BLOCK>();
        let blocks = hidden / BLOCK;
        let mut value = [0.0_f32; BLOCK];
        for (side, inputs) in example.inputs().into_iter().enumerate() {
            for (block, &bias) in biases.iter().enumerate() {
                let mut sum = bias;
                for &input in inputs {
                    let row = &self.parameters[usize::from(input) * hidden + block * BLOCK..][..BLOCK];
                    for (sum, weight) in sum.iter_mut().zip(row) {
                        *sum += weight;
                    }
                }
                let at = side * blocks + block;
                for ((value, sum), weight) in value.iter_mut().zip(sum).zip(weights[at]) {
                    let clipped = sum.clamp(0.0, 1.0);
                    *value += clipped * clipped * weight;
                }
                sums[at] = sum;
            }
        }
        self.parameters[output_bias + example.bucket()] + value.iter().sum::<f32>()
    }

    /// Adds to `gradient` the gradient of a loss whose derivative by the output is `slope`. `scratch` is what
    /// [`forward`](Self::forward) left for the same example.
    pub(crate) fn backward(&self, example: &Example, slope: f32, scratch: &mut Scratch, gradient: &mut [f32]) {
        let Layout { hidden, hidden_bias, output, output_bias, .. } = self.layout;
        gradient[output_bias + example.bucket()] += slope;
        let Scratch { sums, slopes } = scratch;
        let blocks = hidden / BLOCK;
        for (side, inputs) in example.inputs().into_iter().enumerate() {
            let start = output + (2 * example.bucket() + side) * hidden;
            let (weights, _) = self.parameters[start..][..hidden].as_chunks::<BLOCK>();
            let (by_weights, _) = gradient[start..][..hidden].as_chunks_mut::<BLOCK>();
            let (sums, _) = sums[side * hidden..][..hidden].as_chunks::<BLOCK>();
            let (slopes, _) = slopes.as_chunks_mut::<BLOCK>();
            for block in 0..blocks {
                for lane in 0..BLOCK {
                    let sum = sums[block][lane];
                    let clipped = sum.clamp(0.0, 1.0);
                    by_weights[block][lane] += slope * clipped * clipped;
                    let is_open = sum > 0.0 && sum < 1.0;
                    slopes[block][lane] = if is_open { 2.0 * slope * weights[block][lane] * clipped } else { 0.0 };
                }
            }
            let (by_biases, _) = gradient[hidden_bias..output].as_chunks_mut::<BLOCK>();
            for block in 0..blocks {
                add(&mut by_biases[block], &slopes[block]);
            }
            for &input in inputs {
                let (row, _) = gradient[usize::from(input) * hidden..][..hidden].as_chunks_mut::<BLOCK>();
                for block in 0..blocks {
                    add(&mut row[block], &slopes[block]);
                }
            }
        }
    }

    /// The network in integers, each weight rounded.
    ///
    /// # Errors
    /// [`NetworkError`] if a weight is not finite or too large, which clipping during training prevents.
    pub fn quantised(&self, quantisation: Quantisation, origin: Origin) -> Result<Network, NetworkError> {
        let Layout { hidden_bias, output, output_bias, end, .. } = self.layout;
        if !self.parameters.iter().all(|parameter| parameter.is_finite()) {
            return Err(NetworkError::Weights("weights that are not finite"));
        }
        let (hidden_one, output_one) = (f32::from(quantisation.hidden), f32::from(quantisation.output));
        let shorts = |range: std::ops::Range<usize>, one: f32| -> Vec<i16> {
            self.parameters[range].iter().map(|weight| (weight * one).round() as i16).collect()
        };
        let weights = Weights {
            input: shorts(0..hidden_bias, hidden_one),
            hidden_bias: shorts(hidden_bias..output, hidden_one),
            output: shorts(output..output_bias, output_one),
            output_bias: self.parameters[output_bias..end]
                .iter()
                .map(|bias| (bias * hidden_one * output_one).round() as i32)
                .collect(),
        };
        Network::new(self.architecture.clone(), quantisation, &weights, origin)
    }
}

/// A number from -1 to 1.
fn centred(random: &mut SplitMix64) -> f32 {
    (random.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0
}

#[inline]
fn add(to: &mut [f32; BLOCK], values: &[f32; BLOCK]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_data::positions::Sample;
    use bartizan_network::KING_SQUARES;
    use bartizan_position::Position;

    /// The derivative of the output by each parameter equals its change over a small step, in all layers.
    #[test]
    fn gradients_equal_finite_differences() {
        let king_buckets = std::array::from_fn::<u8, KING_SQUARES, _>(|square| square as u8 / 16);
        let architecture = Architecture::new(32, king_buckets, 4).unwrap();
        let mut model = Model::random(architecture.clone(), 5);
        let layout = model.layout;
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
        let position: Position = fen.parse().unwrap();
        let example = Example::new(&Sample::new(&position, 30, None), &architecture, 0.5, 400.0).unwrap();
        // Larger weights than those at the start open more of the hidden units, and close some.
        model.parameters[..layout.hidden_bias].iter_mut().for_each(|weight| *weight *= 4.0);
        let mut scratch = Scratch::new(layout);
        model.forward(&example, &mut scratch);
        let mut gradient = vec![0.0; layout.end];
        model.backward(&example, 1.0, &mut scratch, &mut gradient);

        let [us, them] = example.inputs();
        let inputs = [us[0], us[15], them[3], them[31]].map(|input| usize::from(input) * layout.hidden);
        let used = inputs.into_iter().flat_map(|row| row..row + layout.hidden);
        let bucket = layout.output + example.bucket() * 2 * layout.hidden;
        let others = (layout.hidden_bias..layout.output).chain(bucket..bucket + 2 * layout.hidden);
        let mut checked = 0;
        for parameter in used.chain(others).chain([layout.output_bias + example.bucket()]) {
            const STEP: f32 = 1.0 / 256.0;
            let mut output = |change: f32| {
                let mut changed = model.clone();
                changed.parameters[parameter] += change;
                f64::from(changed.forward(&example, &mut scratch))
            };
            let slope = (output(STEP) - output(-STEP)) / f64::from(2.0 * STEP);
            let difference = (slope - f64::from(gradient[parameter])).abs();
            assert!(difference < 2e-3, "{parameter}: {slope} by difference, {} by formula", gradient[parameter]);
            checked += i32::from(gradient[parameter].abs() > 0.01);
        }
        assert!(checked > 60, "only {checked} gradients are not small");
        let unused = gradient.iter().filter(|&&slope| slope == 0.0).count();
        assert!(unused > layout.end / 2, "parameters that play no part have no gradient");
    }

    /// The integers say what the floats say, up to rounding.
    #[test]
    fn quantised_networks_agree_with_the_model() {
        let architecture = Architecture::plain(64).unwrap();
        let model = Model::random(architecture.clone(), 9);
        let network = model.quantised(Quantisation::USUAL, Origin::default()).unwrap();
        let again = Model::from_network(&network).quantised(Quantisation::USUAL, Origin::default()).unwrap();
        assert_eq!(again, network);
        let mut scratch = Scratch::new(model.layout);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/8/4k3/8/3K4/8/4P3/8 w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let example = Example::new(&Sample::new(&position, 0, None), &architecture, 0.0, 400.0).unwrap();
            let float = f64::from(model.forward(&example, &mut scratch)) * 400.0;
            let integer = f64::from(network.evaluate(&position).0);
            assert!((float - integer).abs() < 4.0, "{fen}: {float} and {integer}");
        }
    }
}
