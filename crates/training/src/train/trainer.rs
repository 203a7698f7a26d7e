//! Training steps on all cores, with reproducible results.

use crate::positions::PositionSample;
use crate::train::example::{Example, logistic};
use crate::train::factors::Factors;
use crate::train::model::{FloatNetwork, Layout, WEIGHT_LIMIT};
use crate::train::pass::{EXAMPLES, Pass};
use bartizan_parallel::map;
use bartizan_types::SplitMix64;
use std::num::NonZeroUsize;

/// Decay rates of the averages of the gradient and of its square (Diederik Kingma and Jimmy Ba 2014).
const DECAYS: (f32, f32) = (0.9, 0.999);

/// Keeps the result finite when dividing by a small average.
const EPSILON: f32 = 1e-8;

/// The settings of a training that do not change while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainerSettings {
    /// The weight of the score in the target, from 0 to 1; the result has the rest.
    pub lambda: f32,
    /// The centipawns that equal one unit of the network's output.
    pub scale: f32,
    /// The share by which each step shrinks the weights, as a fraction of the learning rate (Ilya Loshchilov and Frank
    /// Hutter 2017).
    pub weight_decay: f32,
    /// Whether to train the network for its mean with the hand-written terms, which the engine plays with.
    pub with_terms: bool,
    /// The share of hidden values dropped at random for each position during training, from 0 to 0.9, rounded to
    /// 256ths. No neuron can then rely on a few others, which helps with few positions (Nitish Srivastava and others
    /// 2014, "Dropout: A Simple Way to Prevent Neural Networks from Overfitting").
    pub dropout: f32,
    /// Whether a piece's weight on a square has parts shared with the squares of its rank and of its file. With few
    /// positions, a square then learns from its neighbours.
    pub factorised: bool,
    /// Threads. The gradient sums depend on their number, so another number gives different bytes.
    pub threads: NonZeroUsize,
}

impl Default for TrainerSettings {
    /// The defaults of `bartizan-tools train`, with one thread.
    fn default() -> Self {
        Self {
            lambda: 1.0,
            scale: 400.0,
            weight_decay: 0.01,
            with_terms: false,
            dropout: 0.0,
            factorised: false,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// A model in training: AdamW with clipped weights.
#[derive(Clone, Debug)]
pub struct Trainer {
    pub(crate) model: FloatNetwork,
    pub(crate) settings: TrainerSettings,
    /// The averages of the gradient and of its square.
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
    /// With [`TrainerSettings::factorised`], the shared parts of the model's weights.
    pub(crate) factors: Option<Factors>,
    pub(crate) steps: u64,
    /// The gradient of each thread; zero between steps.
    gradients: Vec<Vec<f32>>,
}

/// The sum of squared errors of some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Loss {
    /// The sum of the squared differences between the expected result and the target.
    pub sum: f64,
    /// The number of positions.
    pub count: u64,
    /// Positions left out because a side does not have exactly one king.
    #[serde(skip)]
    pub invalid: u64,
}

impl Loss {
    /// The mean; zero without positions.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

impl std::ops::AddAssign for Loss {
    fn add_assign(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
        self.invalid += other.invalid;
    }
}

/// Phases of the game by the number of men: at least 24, at least 12, and fewer.
pub const PHASES: [(&str, usize); 3] = [("opening", 24), ("middlegame", 12), ("endgame", 0)];

impl TrainerSettings {
    fn example(&self, sample: &PositionSample, model: &FloatNetwork) -> Option<Example> {
        let read = if self.with_terms { Example::with_terms } else { Example::new };
        read(sample, &model.architecture, self.lambda, self.scale)
    }

    /// Hidden values to drop, of 256.
    fn dropped(&self) -> u8 {
        (self.dropout * 256.0).round() as u8
    }
}

impl Trainer {
    /// Begins a training.
    pub fn new(model: FloatNetwork, settings: TrainerSettings) -> Self {
        let zeros = vec![0.0; model.layout.end];
        Self {
            first: zeros.clone(),
            second: zeros.clone(),
            factors: settings.factorised.then(|| Factors::new(model.layout)),
            steps: 0,
            gradients: vec![zeros; settings.threads.get()],
            model,
            settings,
        }
    }

    /// The model as it is now.
    pub fn model(&self) -> &FloatNetwork {
        &self.model
    }

    /// The settings.
    pub fn settings(&self) -> TrainerSettings {
        self.settings
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes a step along the gradient of a batch. Returns the loss before the step.
    pub fn step(&mut self, batch: &[PositionSample], learning_rate: f32) -> Loss {
        let (model, settings) = (&self.model, self.settings);
        let share = batch.len().div_ceil(settings.threads.get()).max(1);
        let mut total = Loss::default();
        let step = self.steps;
        let parts = batch.chunks(share).zip(self.gradients.iter_mut()).zip((0..).step_by(share));
        let losses = map(parts, settings.threads.get(), |((samples, gradient), first)| {
            add_gradient(model, settings, samples, (step, first), gradient)
        });
        losses.into_iter().for_each(|loss| total += loss);
        self.steps += 1;
        if total.count > 0 {
            self.descend(1.0 / total.count as f32, learning_rate);
        }
        total
    }

    /// AdamW: moves each parameter against its average gradient, and clears the gradients.
    fn descend(&mut self, factor: f32, learning_rate: f32) {
        let Layout { output_bias, end, .. } = self.model.layout;
        let power = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let update = Update {
            factor,
            learning_rate,
            weight_decay: self.settings.weight_decay,
            unbiased: (1.0 - DECAYS.0.powi(power), 1.0 - DECAYS.1.powi(power)),
        };
        let by_factors = self.factors.as_ref().map(|factors| {
            factors.remove_from(&mut self.model);
            factors.gradient(&self.gradients, self.model.layout)
        });
        let share = end.div_ceil(self.settings.threads.get()).max(1);
        let mut gradients: Vec<_> = self.gradients.iter_mut().map(|gradient| gradient.chunks_mut(share)).collect();
        let parameters = self.model.parameters.chunks_mut(share);
        let moments = self.first.chunks_mut(share).zip(self.second.chunks_mut(share));
        let parts = parameters.zip(moments).enumerate().map(|(number, (parameters, (first, second)))| {
            let gradients: Vec<_> = gradients.iter_mut().filter_map(Iterator::next).collect();
            // The biases of the outputs are not clipped: they need not fit in 16 bits.
            let clipped = output_bias.saturating_sub(number * share).min(parameters.len());
            (parameters, first, second, gradients, clipped)
        });
        map(parts, self.settings.threads.get(), |(parameters, first, second, gradients, clipped)| {
            update.apply(parameters, first, second, gradients, clipped);
        });
        if let (Some(factors), Some(mut gradient)) = (&mut self.factors, by_factors) {
            let Factors { parameters, first, second, .. } = factors;
            let all = parameters.len();
            update.apply(parameters, first, second, vec![&mut gradient], all);
            factors.put_into(&mut self.model);
        }
        self.model.limit_outputs();
    }

    /// The loss of positions, in total and by phase of the game, in the order of [`PHASES`].
    pub fn loss(&self, samples: &[PositionSample]) -> [Loss; PHASES.len()] {
        let (model, settings) = (&self.model, self.settings);
        let share = samples.len().div_ceil(settings.threads.get()).max(1);
        let mut total = [Loss::default(); PHASES.len()];
        let parts =
            map(samples.chunks(share), settings.threads.get(), |samples| loss_by_phase(model, settings, samples));
        for part in parts {
            for (total, part) in total.iter_mut().zip(part) {
                *total += part;
            }
        }
        total
    }
}

/// Adds the gradient of the loss of some positions. The values dropped for a position depend on the step and on its
/// number in the batch; `place` has those of the first one.
fn add_gradient(
    model: &FloatNetwork,
    settings: TrainerSettings,
    samples: &[PositionSample],
    place: (u64, u64),
    gradient: &mut [f32],
) -> Loss {
    let mut pass = Pass::new(model.layout);
    let mut loss = Loss::default();
    let mut slopes = Vec::with_capacity(EXAMPLES);
    let dropped = settings.dropped();
    for (chunk, first) in samples.chunks(EXAMPLES).zip((place.1..).step_by(EXAMPLES)) {
        pass.clear();
        for (number, sample) in (first..).zip(chunk) {
            let Some(example) = settings.example(sample, model) else { continue };
            pass.examples.push(example);
            if dropped > 0 {
                pass.drop_out(dropped, &mut SplitMix64::stream(place.0, number));
            }
        }
        pass.forward(model);
        slopes.clear();
        for (example, output) in pass.results() {
            let expected = logistic(example.logit(output));
            let error = expected - example.target();
            loss.sum += f64::from(error * error);
            slopes.push(2.0 * error * expected * (1.0 - expected) * example.logit_slope());
        }
        loss.count += slopes.len() as u64;
        loss.invalid += (chunk.len() - slopes.len()) as u64;
        pass.backward(model, &slopes, gradient);
    }
    loss
}

fn loss_by_phase(model: &FloatNetwork, settings: TrainerSettings, samples: &[PositionSample]) -> [Loss; PHASES.len()] {
    let mut pass = Pass::new(model.layout);
    let mut losses = [Loss::default(); PHASES.len()];
    for chunk in samples.chunks(EXAMPLES) {
        pass.clear();
        pass.examples.extend(chunk.iter().filter_map(|sample| settings.example(sample, model)));
        losses[0].invalid += (chunk.len() - pass.examples.len()) as u64;
        pass.forward(model);
        for (example, output) in pass.results() {
            let error = logistic(example.logit(output)) - example.target();
            let phase = PHASES.iter().position(|&(_, least)| example.men() >= least).unwrap_or(0);
            losses[phase].sum += f64::from(error * error);
            losses[phase].count += 1;
        }
    }
    losses
}

/// The update of each parameter in a step.
#[derive(Clone, Copy)]
struct Update {
    /// Turns the sum of gradients into their mean.
    factor: f32,
    learning_rate: f32,
    weight_decay: f32,
    /// Bias corrections of the averages, which start at zero.
    unbiased: (f32, f32),
}

impl Update {
    fn apply(
        self,
        parameters: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
        mut gradients: Vec<&mut [f32]>,
        clipped: usize,
    ) {
        // All slices have this length, which lets the compiler drop the bounds checks.
        let length = parameters.len();
        let (first, second) = (&mut first[..length], &mut second[..length]);
        let mut sum = [0.0_f32; 64];
        for start in (0..length).step_by(sum.len()) {
            let here = start..(start + sum.len()).min(length);
            let sum = &mut sum[..here.len()];
            sum.fill(0.0);
            for gradient in &mut gradients {
                for (sum, gradient) in sum.iter_mut().zip(&mut gradient[here.clone()]) {
                    *sum += std::mem::take(gradient);
                }
            }
            let moments = first[here.clone()].iter_mut().zip(&mut second[here.clone()]);
            for ((parameter, (first, second)), sum) in parameters[here].iter_mut().zip(moments).zip(sum) {
                let gradient = *sum * self.factor;
                *first = DECAYS.0 * *first + (1.0 - DECAYS.0) * gradient;
                *second = DECAYS.1 * *second + (1.0 - DECAYS.1) * gradient * gradient;
                let (mean, square) = (*first / self.unbiased.0, *second / self.unbiased.1);
                *parameter -= self.learning_rate * (mean / (square.sqrt() + EPSILON) + self.weight_decay * *parameter);
            }
        }
        for parameter in &mut parameters[..clipped] {
            *parameter = parameter.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
        }
    }
}
