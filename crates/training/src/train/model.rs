//! The network in floating point.

use bartizan_network::{Architecture, Network, NetworkError, NetworkOrigin, NetworkWeights, Quantisation};
use bartizan_types::SplitMix64;

/// The greatest absolute value of a weight. With the usual quantisation, 32 hidden-layer weights plus bias then fit in
/// 16 bits, and so does an output weight times a hidden value.
pub(crate) const WEIGHT_LIMIT: f32 = 1.98;

/// The offsets of each layer's parameters.
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
pub struct FloatNetwork {
    pub(crate) architecture: Architecture,
    pub(crate) layout: Layout,
    /// Input weights, biases of the hidden layer, output weights, output biases.
    pub(crate) parameters: Vec<f32>,
}

impl FloatNetwork {
    /// A network with random weights, uniform up to one over the square root of the number of the layer's inputs.
    pub fn random(architecture: Architecture, seed: u64) -> Self {
        let layout = Layout::of(&architecture);
        let mut parameters = vec![0.0; layout.end];
        let mut random = SplitMix64::new(seed);
        let mut fill = |range: &mut [f32], inputs: usize| {
            let limit = 1.0 / (inputs as f32).sqrt();
            range.iter_mut().for_each(|weight| *weight = centred(&mut random) * limit);
        };
        // One in 24 inputs of a king bucket is active.
        fill(&mut parameters[..layout.hidden_bias], bartizan_network::PIECE_SQUARES);
        fill(&mut parameters[layout.output..layout.output_bias], 2 * layout.hidden);
        Self { architecture, layout, parameters }
    }

    /// Loads a trained network to continue its training. The weights are the integers, converted.
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

    /// Shrinks an output's weights if they are too large together: with the usual quantisation, the sum of their
    /// products with hidden values must fit in 32 bits, even if each product was rounded up by a half.
    pub(crate) fn limit_outputs(&mut self) {
        let Layout { hidden, output, output_bias, .. } = self.layout;
        let Quantisation { hidden: hidden_one, output: output_one, .. } = Quantisation::USUAL;
        let most = f64::from(i32::MAX) / f64::from(hidden_one).powi(2) - hidden as f64;
        let limit = most / f64::from(output_one);
        for row in self.parameters[output..output_bias].chunks_exact_mut(2 * hidden) {
            let sum: f64 = row.iter().map(|&weight| f64::from(weight.abs())).sum();
            if sum > limit {
                let factor = (limit / sum) as f32;
                row.iter_mut().for_each(|weight| *weight *= factor);
            }
        }
    }

    /// The network in integers, each weight rounded.
    ///
    /// Its value differs from the model's, in internal centipawns and where both are ordinary, by less than
    ///
    /// `1 + S · (H / Q + (n + 1) / P · Σ|v| + 1.5 / (P · Q))`
    ///
    /// where `S`, `P` and `Q` are `scale`, `hidden` and `output` of the quantisation, `H` is the number of hidden
    /// neurons of a perspective, `n` the number of men on the board, and `v` are the weights of the output bucket. A
    /// sum of the hidden layer has `n` weights and a bias, each rounded by up to `0.5 / P`, so its square, clipped to
    /// 1, is off by up to `(n + 1) / P`; its weight is off by up to `0.5 / Q`, and there are `2 H` of them; the bias of
    /// the output is off by up to `0.5 / (P · Q)`, and the integers are divided twice, the first time with a remainder
    /// below `1 / (P · Q)`. This is the worst case, in which all errors have the same sign; with 128 neurons it is
    /// hundreds of centipawns. With random weights the errors mostly cancel and leave tens at most.
    ///
    /// # Errors
    /// [`NetworkError`] if a weight is not finite or too large, which training prevents.
    pub fn quantised(&self, quantisation: Quantisation, origin: NetworkOrigin) -> Result<Network, NetworkError> {
        let Layout { hidden_bias, output, output_bias, end, .. } = self.layout;
        if !self.parameters.iter().all(|parameter| parameter.is_finite()) {
            return Err(NetworkError::Weights("weights that are not finite"));
        }
        let (hidden_one, output_one) = (f32::from(quantisation.hidden), f32::from(quantisation.output));
        let shorts = |range: std::ops::Range<usize>, one: f32| -> Vec<i16> {
            self.parameters[range].iter().map(|weight| (weight * one).round() as i16).collect()
        };
        let weights = NetworkWeights {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// However large the weights become, the network can be written.
    #[test]
    fn weights_of_an_output_are_limited_together() {
        for hidden in [32, 512, 2_048] {
            let architecture = Architecture::new(hidden, [0; KING_SQUARES], 2).unwrap();
            let mut model = FloatNetwork::random(architecture, 1);
            let Layout { output, output_bias, .. } = model.layout;
            model.parameters[output..output_bias].fill(-WEIGHT_LIMIT);
            model.limit_outputs();
            model.quantised(Quantisation::USUAL, NetworkOrigin::default()).unwrap();
            assert_eq!(model.parameters[output] == -WEIGHT_LIMIT, hidden == 32);
        }
    }
    use crate::positions::PositionSample;
    use crate::train::example::Example;
    use crate::train::pass::{Pass, output_of};
    use bartizan_network::KING_SQUARES;
    use bartizan_position::Position;

    /// The derivative of the output with respect to each parameter equals its change over a small step, in all layers,
    /// also with dropout.
    #[test]
    fn gradients_equal_finite_differences() {
        for (dropped, least) in [(0, 60), (100, 30)] {
            compare_with_finite_differences(dropped, least);
        }
    }

    fn compare_with_finite_differences(dropped: u8, least: i32) {
        let king_buckets = std::array::from_fn::<u8, KING_SQUARES, _>(|square| square as u8 / 16);
        let architecture = Architecture::new(32, king_buckets, 4).unwrap();
        let mut model = FloatNetwork::random(architecture.clone(), 5);
        let layout = model.layout;
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
        let position: Position = fen.parse().unwrap();
        let example = Example::new(&PositionSample::new(&position, 30, None), &architecture, 0.5, 400.0).unwrap();
        // Weights larger than the initial ones activate more of the hidden units, and clip some.
        model.parameters[..layout.hidden_bias].iter_mut().for_each(|weight| *weight *= 4.0);
        // The example is placed between others, which must not count.
        let mut pass = Pass::new(layout);
        for _ in 0..3 {
            pass.examples.push(example.clone());
            if dropped > 0 {
                pass.drop_out(dropped, &mut SplitMix64::new(1));
            }
        }
        pass.forward(&model);
        let mut gradient = vec![0.0; layout.end];
        pass.backward(&model, &[0.0, 1.0, 0.0], &mut gradient);

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
                f64::from(pass.forward(&changed)[1])
            };
            let slope = (output(STEP) - output(-STEP)) / f64::from(2.0 * STEP);
            let difference = (slope - f64::from(gradient[parameter])).abs();
            assert!(difference < 2e-3, "{parameter}: {slope} by difference, {} by formula", gradient[parameter]);
            checked += i32::from(gradient[parameter].abs() > 0.01);
        }
        assert!(checked > least, "only {checked} gradients are not small");
        let unused = gradient.iter().filter(|&&slope| slope == 0.0).count();
        assert!(unused > layout.end / 2, "parameters that play no part have no gradient");
    }

    /// With the hand-written terms, half of the output counts, and the derivative reflects that.
    #[test]
    fn the_logit_is_the_mean_of_output_and_terms() {
        let architecture = Architecture::plain(32).unwrap();
        let position: Position = "4k3/8/8/8/8/8/4P3/R3K3 b - - 0 1".parse().unwrap();
        let sample = PositionSample::new(&position, 30, None);
        let alone = Example::new(&sample, &architecture, 1.0, 400.0).unwrap();
        let together = Example::with_terms(&sample, &architecture, 1.0, 400.0).unwrap();
        assert_eq!(together.target(), alone.target());
        let terms = bartizan_eval::evaluate(&position).0 as f32 / 400.0;
        assert!(terms < -1.0);
        for output in [-3.0, 0.0, 0.7] {
            assert_eq!([alone.logit(output), together.logit(output)], [output, f32::midpoint(output, terms)]);
        }
        assert_eq!([alone.logit_slope(), together.logit_slope()], [1.0, 0.5]);
    }

    /// The bound of [`FloatNetwork::quantised`], and the difference.
    fn bound_and_difference(model: &FloatNetwork, network: &Network, position: &Position) -> (f64, f64) {
        let Quantisation { hidden, output, scale } = network.quantisation();
        let [hidden_one, output_one, scale] = [hidden, output, scale].map(f64::from);
        let sample = PositionSample::new(position, 0, None);
        let example = Example::new(&sample, &model.architecture, 0.0, scale as f32).unwrap();
        let neurons = model.layout.hidden;
        let weights = &model.parameters[model.layout.output + example.bucket() * 2 * neurons..][..2 * neurons];
        let weights: f64 = weights.iter().map(|&weight| f64::from(weight.abs())).sum();
        let men = f64::from(position.occupied().count());
        let error = neurons as f64 / output_one + (men + 1.0) / hidden_one * weights + 1.5 / (hidden_one * output_one);
        let most = f64::from(bartizan_eval::ORDINARY_MAX.0);
        let float = f64::from(output_of(model, &example)) * scale;
        let difference = (float.clamp(-most, most) - f64::from(network.evaluate(position).0)).abs();
        (1.0 + scale * error, difference)
    }

    /// The difference is below the bound for models of all shapes, and far below it with random weights.
    #[test]
    fn quantised_networks_agree_with_the_model() {
        let king_buckets = std::array::from_fn::<u8, KING_SQUARES, _>(|square| square as u8 / 8);
        let mut greatest = 0.0_f64;
        for (seed, (hidden, outputs)) in [(32, 1), (64, 8), (160, 3), (256, 32)].into_iter().enumerate() {
            for (king_buckets, growth) in [([0; KING_SQUARES], 1.0), (king_buckets, 8.0)] {
                let architecture = Architecture::new(hidden, king_buckets, outputs).unwrap();
                let mut model = FloatNetwork::random(architecture, seed as u64);
                // Weights larger than the initial ones activate more of the hidden units, and clip some.
                model.parameters[..model.layout.hidden_bias].iter_mut().for_each(|weight| *weight *= growth);
                let mut random = SplitMix64::new(seed as u64);
                let biases = model.layout.hidden_bias..model.layout.output;
                model.parameters[biases].iter_mut().for_each(|bias| *bias = 0.5 * centred(&mut random));
                for quantisation in [Quantisation::USUAL, Quantisation { hidden: 181, output: 99, scale: 250 }] {
                    let network = model.quantised(quantisation, NetworkOrigin::default()).unwrap();
                    let again = FloatNetwork::from_network(&network).quantised(quantisation, NetworkOrigin::default());
                    assert_eq!(again.as_ref(), Ok(&network));
                    for position in bartizan_testkit::random_positions(seed as u64).step_by(11).take(60) {
                        let (bound, difference) = bound_and_difference(&model, &network, &position);
                        assert!(difference < bound, "{hidden}, {}: {difference} of {bound}", position.to_fen());
                        greatest = greatest.max(difference);
                    }
                }
            }
        }
        assert!(greatest < 50.0, "{greatest}");
    }

    /// If all numbers are rounded down by nearly a half, the errors add up to much of the bound.
    #[test]
    fn the_bound_of_quantised_networks_is_near_to_what_can_happen() {
        let mut model = FloatNetwork::random(Architecture::plain(32).unwrap(), 1);
        let layout = model.layout;
        let Quantisation { hidden, output, .. } = Quantisation::USUAL;
        let [hidden_one, output_one] = [hidden, output].map(f32::from);
        model.parameters[..layout.hidden_bias].fill(0.49 / hidden_one);
        model.parameters[layout.hidden_bias..layout.output].fill(235.49 / hidden_one);
        model.parameters[layout.output..layout.output_bias].fill(8.49 / output_one);
        let network = model.quantised(Quantisation::USUAL, NetworkOrigin::default()).unwrap();
        let (bound, difference) = bound_and_difference(&model, &network, Position::startpos_ref());
        assert!((0.8 * bound..bound).contains(&difference), "{difference} of {bound}");
    }
}
