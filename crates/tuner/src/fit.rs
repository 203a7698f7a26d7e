//! The fit itself: epochs of mini-batches, a look at the held-out positions after each, and the best weights kept.

use crate::dataset::Dataset;
use crate::gradient::{CHUNK, Form, loss_and_gradient};
use crate::model::{Layout, Pair};
use crate::objective::{Objective, Scaling};
use crate::optimizer::{Method, Optimizer};
use crate::random::Random;
use serde::{Deserialize, Serialize};

/// How to fit. All of it decides the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitSettings {
    /// What to make small.
    pub objective: Objective,
    /// How to step.
    pub method: Method,
    /// About the largest step of a weight, in centipawns.
    pub rate: f64,
    /// The rate is multiplied by this …
    pub rate_factor: f64,
    /// … after each so many epochs (0: never).
    pub rate_epochs: usize,
    /// Positions for each step; 0 takes all of them.
    pub batch: usize,
    /// Pulls weights to their start: `pull` / 2 · (effect / 100 centipawns)² is added to the mean loss for each half. The
    /// effect is what the distance from the start is worth in the positions that use the weight, root mean square: a
    /// weight that is counted ten times is pulled harder than one that is divided by sixteen.
    pub pull: f64,
    /// Where the order of the positions comes from.
    pub seed: u64,
}

/// What an epoch came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochReport {
    /// From 1; 0 is before the first.
    pub epoch: usize,
    /// The mean loss over the epoch, while the weights were moving.
    pub train: f64,
    /// The mean loss of the held-out positions at its end; that of the training positions when none are held out.
    pub held_out: f64,
    /// The rate it was made with.
    pub rate: f64,
}

/// A fit between two epochs: all there is to know to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    settings: FitSettings,
    /// How values become probabilities; the draw margin moves with the weights.
    scaling: Scaling,
    start: Vec<Pair>,
    /// Weights that stay.
    frozen: Vec<bool>,
    /// The mean squared effect of each half, by which the pull is multiplied.
    effects: Vec<Pair>,
    weights: Vec<Pair>,
    optimizer: Optimizer,
    best: Vec<Pair>,
    best_epoch: usize,
    best_loss: f64,
    history: Vec<EpochReport>,
}

impl Fit {
    /// Begins. Weights marked in `frozen` stay where they start; so do those that no position uses.
    ///
    /// # Panics
    /// Unless `start` and `frozen` are as long as the layout.
    pub fn new(layout: &Layout, start: Vec<Pair>, frozen: Vec<bool>, scaling: Scaling, settings: FitSettings) -> Self {
        assert_eq!((start.len(), frozen.len()), (layout.len(), layout.len()), "a start for each weight");
        // The draw margin is stepped like one weight more.
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

    /// With the mean squared effects of the weights ([`Dataset::mean_effects`]) as the measure of the pull; without them
    /// all weights count alike.
    ///
    /// # Panics
    /// Unless there is one for each weight.
    #[must_use]
    pub fn with_effects(mut self, effects: Vec<Pair>) -> Self {
        assert_eq!(effects.len(), self.start.len(), "an effect for each weight");
        self.effects = effects;
        self
    }

    /// Whether a fit that was read from a file can belong to a layout.
    pub fn fits(&self, layout: &Layout) -> bool {
        let weights = layout.len();
        let lengths = [self.start.len(), self.frozen.len(), self.effects.len(), self.weights.len(), self.best.len()];
        lengths == [weights; 5] && self.optimizer.is_for(weights + 1)
    }

    /// How it fits.
    pub fn settings(&self) -> &FitSettings {
        &self.settings
    }

    /// How values become probabilities.
    pub fn scaling(&self) -> Scaling {
        self.scaling
    }

    /// The weights after the last epoch.
    pub fn weights(&self) -> &[Pair] {
        &self.weights
    }

    /// The weights with the smallest held-out loss so far, and the epoch they are from.
    pub fn best(&self) -> (&[Pair], usize) {
        (&self.best, self.best_epoch)
    }

    /// All epochs; the first entry is from before the first.
    pub fn history(&self) -> &[EpochReport] {
        &self.history
    }

    /// How many epochs were made.
    pub fn epochs(&self) -> usize {
        self.history.last().map_or(0, |report| report.epoch)
    }

    /// Epochs since the held-out loss last became smaller.
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

    /// Notes the loss before the first epoch.
    pub fn measure_start(&mut self, layout: &Layout, data: &TrainingData, threads: usize) -> EpochReport {
        let train = data.train.mean_loss(&self.weights, self.form(layout), threads);
        let held_out = self.held_out_loss(&self.weights, layout, data, threads);
        let report = EpochReport { epoch: 0, train, held_out, rate: 0.0 };
        self.history = vec![report];
        self.best_loss = held_out;
        report
    }

    /// Makes an epoch: each position once, in an order from the seed. `progress` hears after each batch how many positions
    /// it had; once it returns `false`, the epoch is given up as if it had not begun, and `None` returned.
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
        Random::new(self.settings.seed, epoch as u64).shuffle(&mut chunks);
        let mut rest = chunks.as_slice();
        while !rest.is_empty() {
            let mut size = 0;
            let enough = |chunk: &crate::dataset::Chunk| {
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

    /// The positions were made anew, and losses cannot be compared with those before: measures the best weights again.
    pub fn measure_best(&mut self, layout: &Layout, data: &TrainingData, threads: usize) {
        self.best_loss = self.held_out_loss(&self.best, layout, data, threads);
    }

    /// That of the training positions when none are held out.
    fn held_out_loss(&self, weights: &[Pair], layout: &Layout, data: &TrainingData, threads: usize) -> f64 {
        let judges = if data.held_out.is_empty() { &data.train } else { &data.held_out };
        judges.mean_loss(weights, self.form(layout), threads)
    }

    /// A step by the gradient of a sum over positions; `share` makes it a mean.
    fn step(&mut self, gradient: &[Pair], by_margin: f64, share: f64, rate: f64) {
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

/// Without any margin a draw would be impossible, and its loss infinite; centipawns.
const SMALLEST_MARGIN: f64 = 1.0;

/// The positions to learn from and those to be judged by.
#[derive(Debug, Default)]
pub struct TrainingData {
    /// Seen by the optimiser.
    pub train: Dataset,
    /// Never seen by it; may be empty.
    pub held_out: Dataset,
}
