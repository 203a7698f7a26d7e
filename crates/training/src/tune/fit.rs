//! The fit: epochs of mini-batches, the held-out loss after each, and the best weights so far.

use crate::tune::dataset::Dataset;
use crate::tune::gradient::{CHUNK, Form, loss_and_gradient};
use crate::tune::model::{Layout, WeightPair};
use crate::tune::objective::{Objective, Scaling};
use crate::tune::optimizer::{Method, Optimizer};
use bartizan_types::SplitMix64;
use serde::{Deserialize, Serialize};

/// Settings of a fit. Each affects the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FitSettings {
    /// Loss to minimise.
    pub objective: Objective,
    /// Optimiser.
    pub method: Method,
    /// Approximate size of the largest step of a weight, in centipawns.
    pub rate: f64,
    /// Factor by which the rate is multiplied after every `rate_epochs` epochs.
    pub rate_factor: f64,
    /// Number of epochs between changes of the rate; 0 keeps it constant.
    pub rate_epochs: usize,
    /// Number of positions per step; 0 uses all.
    pub batch: usize,
    /// Strength of the pull towards the initial weights: each half of a weight adds `pull` / 2 · (effect / 100
    /// centipawns)² to the mean loss. The effect is the root mean square change that the distance from the start makes
    /// to the values of the positions that use the weight. A weight that is counted ten times is therefore pulled
    /// harder than one that is divided by sixteen.
    pub pull: f64,
    /// Seed of the order of the positions.
    pub seed: u64,
}

impl Default for FitSettings {
    /// Squared error, Adam, batches of 16,384 positions, a rate of one centipawn that is halved every 10 epochs, no
    /// pull.
    fn default() -> Self {
        Self {
            objective: Objective::SquaredError,
            method: Method::Adam,
            rate: 1.0,
            rate_factor: 0.5,
            rate_epochs: 10,
            batch: 16_384,
            pull: 0.0,
            seed: 1,
        }
    }
}

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EpochReport {
    /// Number of the epoch, from 1; 0 stands for the state before the first.
    pub epoch: usize,
    /// Mean training loss during the epoch, while the weights change.
    pub train: f64,
    /// Mean held-out loss at the end of the epoch; the mean training loss if no positions are held out.
    pub held_out: f64,
    /// Rate of the epoch.
    pub rate: f64,
}

/// A fit between two epochs. It is the whole state, so a fit can be saved and resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    settings: FitSettings,
    /// How values become probabilities. The draw margin is fitted together with the weights.
    scaling: Scaling,
    start: Vec<WeightPair>,
    /// Weights that do not change.
    frozen: Vec<bool>,
    /// Mean squared effect of each half of each weight, the factor of its pull.
    effects: Vec<WeightPair>,
    weights: Vec<WeightPair>,
    optimizer: Optimizer,
    best: Vec<WeightPair>,
    best_epoch: usize,
    best_loss: f64,
    history: Vec<EpochReport>,
}

impl Fit {
    /// A fit before its first epoch. Weights marked in `frozen` keep their initial values; so do those that no position
    /// uses.
    ///
    /// # Panics
    /// If `start` or `frozen` is not as long as the layout.
    pub fn new(
        layout: &Layout,
        start: Vec<WeightPair>,
        frozen: Vec<bool>,
        scaling: Scaling,
        settings: FitSettings,
    ) -> Self {
        assert_eq!((start.len(), frozen.len()), (layout.len(), layout.len()), "one initial value for each weight");
        // The optimiser treats the draw margin as one more weight.
        let optimizer = Optimizer::new(settings.method, start.len() + 1);
        let (weights, best) = (start.clone(), start.clone());
        Self {
            settings,
            scaling,
            start,
            frozen,
            effects: vec![[1.0; 2]; layout.len()],
            weights,
            optimizer,
            best,
            best_epoch: 0,
            best_loss: f64::MAX,
            history: Vec::new(),
        }
    }

    /// Scales the pull of each weight by its mean squared effect ([`Dataset::mean_effects`]). Otherwise all weights are
    /// pulled equally.
    ///
    /// # Panics
    /// If `effects` is not as long as the layout.
    #[must_use]
    pub fn with_effects(mut self, effects: Vec<WeightPair>) -> Self {
        assert_eq!(effects.len(), self.start.len(), "one effect for each weight");
        self.effects = effects;
        self
    }

    /// Whether a fit that was read from a file matches a layout's number of weights.
    pub fn fits(&self, layout: &Layout) -> bool {
        let weights = layout.len();
        let lengths = [self.start.len(), self.frozen.len(), self.effects.len(), self.weights.len(), self.best.len()];
        lengths == [weights; 5] && self.optimizer.is_for(weights + 1)
    }

    /// Whether all losses, rates, weights and the optimiser state are finite. A diverged fit cannot continue, and JSON
    /// cannot represent it.
    pub fn is_finite(&self) -> bool {
        let Scaling { per_cp, draw_margin } = self.scaling;
        let losses = self.history.iter().flat_map(|report| [report.train, report.held_out, report.rate]);
        let weights = self.weights.iter().chain(&self.best).flatten().copied();
        let mut numbers = [per_cp, draw_margin, self.best_loss].into_iter().chain(losses).chain(weights);
        numbers.all(f64::is_finite) && self.optimizer.is_finite()
    }

    /// The settings.
    pub fn settings(&self) -> &FitSettings {
        &self.settings
    }

    /// Converts values to probabilities.
    pub fn scaling(&self) -> Scaling {
        self.scaling
    }

    /// The weights after the last epoch.
    pub fn weights(&self) -> &[WeightPair] {
        &self.weights
    }

    /// The weights with the lowest held-out loss so far, and their epoch.
    pub fn best(&self) -> (&[WeightPair], usize) {
        (&self.best, self.best_epoch)
    }

    /// The reports of all epochs, beginning with the state before the first.
    pub fn history(&self) -> &[EpochReport] {
        &self.history
    }

    /// The number of finished epochs.
    pub fn epochs(&self) -> usize {
        self.history.last().map_or(0, |report| report.epoch)
    }

    /// The number of epochs since the held-out loss last improved.
    pub fn stale(&self) -> usize {
        self.epochs() - self.best_epoch
    }

    fn form(&self, layout: &Layout) -> Form {
        Form { safety: layout.safety, objective: self.settings.objective, scaling: self.scaling }
    }

    fn rate(&self, epoch: usize) -> f64 {
        let steps = (epoch - 1).checked_div(self.settings.rate_epochs).unwrap_or(0);
        self.settings.rate * self.settings.rate_factor.powi(steps.min(1_000) as i32)
    }

    /// Measures the losses before the first epoch.
    pub fn measure_start(&mut self, layout: &Layout, data: &TrainingData, threads: usize) -> EpochReport {
        let train = data.train.mean_loss(&self.weights, self.form(layout), threads);
        let held_out = self.held_out_loss(&self.weights, layout, data, threads);
        let report = EpochReport { epoch: 0, train, held_out, rate: 0.0 };
        self.history = vec![report];
        self.best_loss = held_out;
        report
    }

    /// Runs an epoch: visits each training position once, in an order determined by the seed. `progress` is called
    /// after each batch with the number of its positions. If it returns `false`, the epoch is abandoned, the fit keeps
    /// its previous state, and the result is `None`.
    pub fn epoch(
        &mut self,
        layout: &Layout,
        data: &TrainingData,
        threads: usize,
        mut progress: impl FnMut(usize) -> bool,
    ) -> Option<EpochReport> {
        let mut next = self.clone();
        if next.history.is_empty() {
            next.measure_start(layout, data, threads);
        }
        let epoch = next.epochs() + 1;
        let rate = next.rate(epoch);
        let (mut loss, mut positions) = (0.0, 0);
        let batch = if self.settings.batch == 0 { usize::MAX } else { self.settings.batch };
        let mut chunks = data.train.chunks(CHUNK.min(batch));
        SplitMix64::stream(self.settings.seed, epoch as u64).shuffle(&mut chunks);
        let mut rest = chunks.as_slice();
        while !rest.is_empty() {
            let mut size = 0;
            let enough = |chunk: &crate::tune::dataset::Chunk| {
                size += chunk.len as usize;
                size >= batch
            };
            let taken = rest.iter().position(enough).map_or(rest.len(), |last| last + 1);
            let (now, later) = rest.split_at(taken);
            rest = later;
            let totals = loss_and_gradient(&data.train, now, &next.weights, next.form(layout), threads);
            next.step(&totals.gradient, totals.by_margin, 1.0 / totals.positions as f64, rate);
            loss += totals.loss;
            positions += totals.positions;
            if !progress(totals.positions) {
                return None;
            }
        }
        let train = loss / positions.max(1) as f64;
        let held_out = next.held_out_loss(&next.weights, layout, data, threads);
        let report = EpochReport { epoch, train, held_out, rate };
        if held_out < next.best_loss {
            next.best.clone_from(&next.weights);
            next.best_epoch = epoch;
            next.best_loss = held_out;
        }
        next.history.push(report);
        *self = next;
        Some(report)
    }

    /// Measures the best weights again. Call this after the data changed, because earlier losses are no longer
    /// comparable.
    pub fn measure_best(&mut self, layout: &Layout, data: &TrainingData, threads: usize) {
        self.best_loss = self.held_out_loss(&self.best, layout, data, threads);
    }

    /// The held-out loss; the training loss if no positions are held out.
    fn held_out_loss(&self, weights: &[WeightPair], layout: &Layout, data: &TrainingData, threads: usize) -> f64 {
        let measured = if data.held_out.is_empty() { &data.train } else { &data.held_out };
        measured.mean_loss(weights, self.form(layout), threads)
    }

    /// One step of the optimiser. `gradient` is that of a sum over positions; `share` turns it into a mean.
    fn step(&mut self, gradient: &[WeightPair], by_margin: f64, share: f64, rate: f64) {
        let pull = self.settings.pull / 1e4;
        let mut slopes = Vec::with_capacity(gradient.len() + 1);
        let places = self.weights.iter().zip(&self.start).zip(self.frozen.iter().zip(&self.effects));
        slopes.extend(gradient.iter().zip(places).map(|(g, ((weight, start), (&frozen, effects)))| {
            let half = |half: usize| g[half] * share + pull * effects[half] * (weight[half] - start[half]);
            if frozen { [0.0; 2] } else { [half(0), half(1)] }
        }));
        slopes.push([by_margin * share, 0.0]);
        self.weights.push([self.scaling.draw_margin, 0.0]);
        self.optimizer.step(&mut self.weights, &slopes, rate);
        if let Some([margin, _]) = self.weights.pop()
            && self.settings.objective == Objective::OrdinalLogistic
        {
            self.scaling.draw_margin = margin.max(SMALLEST_MARGIN);
        }
    }
}

/// Smallest draw margin in centipawns. Without a margin a draw would have probability 0 and infinite loss.
const SMALLEST_MARGIN: f64 = 1.0;

/// The training and the held-out positions.
#[derive(Debug, Default)]
pub struct TrainingData {
    /// Positions that the optimiser uses.
    pub train: Dataset,
    /// Positions not used for training, which measure progress; may be empty.
    pub held_out: Dataset,
}
