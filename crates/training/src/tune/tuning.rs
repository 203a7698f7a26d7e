//! A run, step by step.

use super::{
    Checkpoint, EpochReport, Fit, Form, GradientCheck, HandCraftedModel, Layout, Model, Objective, Samples, Scaling,
    Target, TraceCheck, TraceReport, Tracer, TrainingData, TuningSettings, UnknownTerm, WeightPair, WeightsFile,
    check_gradient, check_trace, fit_scaling,
};
use bartizan_parallel::StopFlag;
use bartizan_types::SplitMix64;
use std::time::Instant;

/// A run and its data.
pub struct Tuning<'a> {
    model: &'a HandCraftedModel,
    decisions: &'a TuningSettings,
    samples: Samples,
    threads: usize,
    stop: &'a StopFlag,
    data: TrainingData,
}

/// A fit cannot begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BeginError {
    /// A term to freeze or to fit does not exist.
    #[error(transparent)]
    Term(#[from] UnknownTerm),
    /// All weights are frozen or too rare.
    #[error("no weights left to fit")]
    NoWeight,
}

/// The checks of gradient and trace.
#[derive(Clone, Debug)]
pub struct Validation {
    /// Gradients against finite differences, with the names of their objectives.
    pub gradients: [(&'static str, GradientCheck); 2],
    /// Counts against the evaluation.
    pub trace: TraceCheck,
}

/// Largest accepted relative error of a derivative against finite differences.
const LARGEST_ERROR: f64 = 1e-3;

/// Largest accepted difference of a value, in centipawns. The evaluation divides integers in several places, the trace
/// only at the end.
const LARGEST_DIFFERENCE: f64 = 4.0;

impl Validation {
    /// Whether all errors are within the limits.
    pub fn is_ok(&self) -> bool {
        let is_right = |check: &GradientCheck| check.worst <= LARGEST_ERROR && check.derivatives > 0;
        self.gradients.iter().all(|(_, check)| is_right(check)) && self.trace.worst <= LARGEST_DIFFERENCE
    }
}

impl<'a> Tuning<'a> {
    /// A run without counts.
    pub fn new(
        model: &'a HandCraftedModel,
        decisions: &'a TuningSettings,
        samples: Samples,
        threads: usize,
        stop: &'a StopFlag,
    ) -> Self {
        Self { model, decisions, samples, threads, stop, data: TrainingData::default() }
    }

    /// The samples.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The counts.
    pub fn data(&self) -> &TrainingData {
        &self.data
    }

    /// The layout of the weights.
    pub fn layout(&self) -> &'a Layout {
        self.model.layout()
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Traces all positions; `None` if stopped. The old counts are dropped first, because there may be memory for only
    /// one set. `progress` is called on any thread with the number of positions just traced.
    pub fn trace(&mut self, resolve: &[WeightPair], progress: impl Fn(usize) + Sync) -> Option<TraceReport> {
        self.data = TrainingData::default();
        let step = |positions: usize| {
            progress(positions);
            !self.stop.is_stopped()
        };
        let resolve = self.decisions.resolve.then_some(resolve);
        let tracer = Tracer { model: self.model, resolve, threads: self.threads };
        let (train, mut report) = tracer.trace(&self.samples.train, step)?;
        let (held_out, more) = tracer.trace(&self.samples.held_out, step)?;
        report += more;
        self.data = TrainingData { train, held_out };
        Some(report)
    }

    /// Sets the targets to the requested mixture of result and score.
    pub fn blend(&mut self, checkpoint: &Checkpoint) {
        if let Some(scaling) = checkpoint.score_scaling {
            let objective = checkpoint.decisions.fit.objective;
            let predicted = |score: i16| objective.expected(scaling, f64::from(score));
            self.data.train.blend(self.decisions.lambda, predicted);
            self.data.held_out.blend(self.decisions.lambda, predicted);
        }
    }

    /// The state before the first epoch.
    ///
    /// # Errors
    /// If there is no weight to fit.
    pub fn begin(&mut self, start: Vec<WeightPair>, traced: TraceReport) -> Result<Checkpoint, BeginError> {
        let (layout, settings) = (self.layout(), self.decisions.fit.clone());
        let frozen = self.frozen()?;
        let values = self.data.train.values(&start, layout.safety, self.threads);
        let mut scaling = fit_scaling(values, settings.objective);
        if let Some(scale) = self.decisions.scale {
            scaling = Scaling { per_cp: 1.0 / scale, ..scaling };
        }
        let score_scaling = (self.decisions.lambda < 1.0).then(|| {
            let outcomes = self.data.train.outcomes();
            let scores = outcomes.filter_map(|(result, score)| Some((f64::from(score?), Target::of_points(result))));
            fit_scaling(scores, settings.objective)
        });
        let fit = Fit::new(layout, start.clone(), frozen, scaling, settings)
            .with_effects(self.data.train.mean_effects(&start, layout.safety));
        let checkpoint = Checkpoint {
            inputs: None,
            decisions: self.decisions.clone(),
            fingerprint: self.samples.fingerprint,
            network: self.model.checksum(),
            resolve_weights: start,
            refreshed_at: 0,
            score_scaling,
            traced,
            fit,
            seconds: Vec::new(),
        };
        self.blend(&checkpoint);
        Ok(checkpoint)
    }

    /// The fixed weights: those of frozen terms, and those that too few positions use.
    fn frozen(&self) -> Result<Vec<bool>, BeginError> {
        let TuningSettings { freeze, only, min_uses, .. } = self.decisions;
        let usage = self.data.train.usage(self.layout().len());
        let mut frozen = self.layout().frozen(freeze, only)?;
        frozen.iter_mut().zip(&usage).for_each(|(frozen, uses)| *frozen |= uses < min_uses);
        if frozen.contains(&false) { Ok(frozen) } else { Err(BeginError::NoWeight) }
    }

    /// The losses before the first epoch.
    pub fn measure_start(&self, checkpoint: &mut Checkpoint) -> EpochReport {
        checkpoint.fit.measure_start(self.layout(), &self.data, self.threads)
    }

    /// Whether the capture searches are due for repetition with the current weights before the next epoch.
    pub fn is_refresh_due(&self, checkpoint: &Checkpoint) -> bool {
        let (epoch, every) = (checkpoint.fit.epochs(), self.decisions.refresh);
        epoch > 0 && every > 0 && epoch.is_multiple_of(every) && checkpoint.refreshed_at != epoch
    }

    /// Repeats the capture searches with the current weights; `None` if stopped. `progress` is as for
    /// [`trace`](Self::trace).
    pub fn refresh(&mut self, checkpoint: &mut Checkpoint, progress: impl Fn(usize) + Sync) -> Option<()> {
        let weights = checkpoint.fit.weights().to_vec();
        checkpoint.traced = self.trace(&weights, progress)?;
        self.blend(checkpoint);
        checkpoint.fit.measure_best(self.layout(), &self.data, self.threads);
        (checkpoint.refreshed_at, checkpoint.resolve_weights) = (checkpoint.fit.epochs(), weights);
        Some(())
    }

    /// Runs an epoch; `None` if stopped, which leaves the checkpoint unchanged.
    pub fn epoch(&self, checkpoint: &mut Checkpoint, mut progress: impl FnMut(usize)) -> Option<EpochReport> {
        let begin = Instant::now();
        let report = checkpoint.fit.epoch(self.layout(), &self.data, self.threads, |positions| {
            progress(positions);
            !self.stop.is_stopped()
        })?;
        checkpoint.seconds.push(begin.elapsed().as_secs_f64());
        Some(report)
    }

    /// The best weights in whole centipawns, and their loss.
    pub fn rounded(&self, checkpoint: &Checkpoint) -> (WeightsFile, f64) {
        let layout = self.layout();
        let weights = WeightsFile::round(layout, checkpoint.fit.best().0);
        let rounded: Vec<WeightPair> =
            weights.flat().into_iter().map(|(mg, eg)| [f64::from(mg), f64::from(eg)]).collect();
        let measured = if self.data.held_out.is_empty() { &self.data.train } else { &self.data.held_out };
        let objective = checkpoint.decisions.fit.objective;
        let form = Form { safety: layout.safety, objective, scaling: checkpoint.fit.scaling() };
        let loss = measured.mean_loss(&rounded, form, self.threads);
        (weights, loss)
    }

    /// Checks the first `limit` training positions without fitting; `None` if stopped. `progress` is as for
    /// [`trace`](Self::trace).
    pub fn validate(
        &mut self,
        start: &[WeightPair],
        limit: usize,
        progress: impl Fn(usize) + Sync,
    ) -> Option<Validation> {
        self.samples.train.truncate(limit);
        self.samples.held_out.clear();
        let trace = check_trace(self.model, &self.samples.train, limit);
        self.trace(start, progress)?;
        // Not at the initial weights, many of which may be zero.
        let mut random = SplitMix64::new(self.decisions.fit.seed);
        let mut moved = |half: f64| half + 20.0 * (random.unit_f64() - 0.5);
        let moved: Vec<WeightPair> = start.iter().map(|pair| pair.map(&mut moved)).collect();
        // The sum with a network's value is about twice as large.
        let per_cp = if self.decisions.with_network { 0.0025 } else { 0.005 };
        let check = |objective| {
            let form = Form { safety: self.layout().safety, objective, scaling: Scaling { per_cp, draw_margin: 60.0 } };
            check_gradient(&self.data.train, &moved, form, limit)
        };
        let gradients = [("mse", check(Objective::SquaredError)), ("ordinal", check(Objective::OrdinalLogistic))];
        Some(Validation { gradients, trace })
    }
}
