//! Fits the weights of the evaluation to the results of games.

mod args;
mod checkpoint;
mod data;
mod log;
mod model;
mod plan;
mod plot;
mod summary;
mod validate;

pub(crate) use args::Args;

use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{note, say};
use crate::progress;
use anyhow::{Context, ensure};
use bartizan_training::tune::{
    Fit, Form, HandCraftedModel, Layout, Model, Pair, Scaling, Target, TraceReport, Tracer, TrainingData, Weights,
    fit_scaling,
};
use checkpoint::{Checkpoint, Decisions};
use data::Samples;
use indicatif::ProgressBar;
use model::TunedModel;
use plan::Plan;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use summary::Summary;

/// Runs the command.
///
/// # Errors
/// Names what is wrong. The last checkpoint is kept.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let layout = HandCraftedModel::new().layout().clone();
    let layout = &layout;
    let (out, resumes) = plan::directory(&args)?;
    let checkpoint_file = out.join(CHECKPOINT);
    let cannot_resume = || format!("cannot resume from '{}'", checkpoint_file.display());
    let kept = if resumes { Some(Checkpoint::read(&checkpoint_file, layout)?) } else { None };
    let plan = Plan::new(&args, out, kept.as_ref());
    let plan = if resumes { plan.with_context(cannot_resume)? } else { plan? };
    if let Some(source) = &plan.inputs.source {
        let inputs = plan.inputs.data.iter().chain(&plan.inputs.start).chain(&plan.inputs.network);
        crate::files::refuse_input(source, inputs)?;
        let outputs = OUTPUTS.iter().map(|name| plan.out.join(name)).chain([source.clone()]);
        crate::files::refuse_same(&outputs.collect::<Vec<_>>())?;
    }
    let model = TunedModel::new(&plan)?;
    let mut start = model.start();
    if let (Some(file), false) = (&plan.inputs.start, resumes) {
        apply_file(file, layout, &mut start)?;
    }
    if args.validate.is_none() {
        plan.inputs.check_names()?;
    }
    if kept.is_none() && args.validate.is_none() {
        std::fs::create_dir_all(&plan.out).with_context(|| format!("cannot create '{}'", plan.out.display()))?;
        ensure!(
            !checkpoint_file.exists(),
            "'{}' exists from another run: continue it with --resume, or remove it",
            checkpoint_file.display()
        );
    }

    let Some(samples) = data::load(&plan, interrupt)? else { return Ok(interrupted()) };
    if let Some(kept) = &kept {
        kept.check(&samples, model.checksum()).with_context(cannot_resume)?;
    }
    let mut tuning = Tuning { plan: &plan, model: &model, samples, interrupt, data: TrainingData::default() };
    if let Some(limit) = args.validate {
        return tuning.validate(&start, limit);
    }
    let resolve_weights = kept.as_ref().map_or_else(|| start.clone(), |kept| kept.resolve_weights.clone());
    let Some(traced) = tuning.trace(&resolve_weights)? else { return Ok(interrupted()) };
    ensure!(!tuning.data.train.is_empty(), "no position is left to fit to");
    let checkpoint = match kept {
        Some(mut kept) => {
            tuning.blend(&kept);
            kept.traced = traced;
            kept.inputs = Some(plan.inputs.clone());
            kept
        }
        None => tuning.begin(start, traced)?,
    };
    tuning.fit(checkpoint)
}

const CHECKPOINT: &str = "checkpoint.json";
const WEIGHTS: &str = "weights.json";
const SUMMARY: &str = "summary.json";

/// The files in the output directory.
const OUTPUTS: [&str; 5] = [CHECKPOINT, WEIGHTS, SUMMARY, log::LOSSES, log::CHART];

fn interrupted() -> ExitCode {
    note!("interrupted before the first epoch: nothing was written");
    ExitCode::from(INTERRUPTED)
}

fn apply_file(file: &Path, layout: &Layout, weights: &mut [Pair]) -> anyhow::Result<()> {
    let context = || format!("cannot use the weights of '{}'", file.display());
    bartizan_files::check_regular(file).with_context(context)?;
    let text = std::fs::read_to_string(file).with_context(context)?;
    let differences = Weights::parse(&text).and_then(|found| found.apply(layout, weights)).with_context(context)?;
    if !differences.missing.is_empty() {
        note!("warning: '{}' lacks {}: using the compiled-in weights", file.display(), differences.missing.join(", "));
    }
    if !differences.unknown.is_empty() {
        note!("warning: '{}' has unknown terms, which are ignored: {}", file.display(), differences.unknown.join(", "));
    }
    Ok(())
}

/// A progress bar; hidden with `--json`.
fn progress(plan: &Plan, length: usize, what: &str) -> anyhow::Result<ProgressBar> {
    let style = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}  {{msg}}  {{elapsed}} elapsed, {{eta}} left");
    progress::bar(length as u64, &style, plan.json)
}

/// A run and its data.
struct Tuning<'a> {
    plan: &'a Plan,
    model: &'a TunedModel,
    samples: Samples,
    interrupt: &'a Interrupt,
    data: TrainingData,
}

impl Tuning<'_> {
    /// Traces all positions; `None` if interrupted. The old counts are dropped first: there may be memory for one set
    /// only.
    fn trace(&mut self, resolve: &[Pair]) -> anyhow::Result<Option<TraceReport>> {
        self.data = TrainingData::default();
        let (train, held_out) = (&self.samples.train, &self.samples.held_out);
        let bar = progress(self.plan, train.len() + held_out.len(), "positions traced")?;
        let step = |positions: usize| {
            bar.inc(positions as u64);
            !self.interrupt.is_set()
        };
        let resolve = self.plan.decisions.resolve.then_some(resolve);
        let tracer = Tracer { model: self.model, resolve, threads: self.plan.threads() };
        let Some((train, mut report)) = tracer.trace(train, step) else { return Ok(None) };
        let Some((held_out, more)) = tracer.trace(held_out, step) else { return Ok(None) };
        bar.finish_and_clear();
        report += more;
        self.data = TrainingData { train, held_out };
        Ok(Some(report))
    }

    /// Sets the targets to the mixture of result and score that `--lambda` asks for.
    fn blend(&mut self, checkpoint: &Checkpoint) {
        if let Some(scaling) = checkpoint.score_scaling {
            let objective = checkpoint.decisions.fit.objective;
            let predicted = |score: i16| objective.expected(scaling, f64::from(score));
            self.data.train.blend(self.plan.decisions.lambda, predicted);
            self.data.held_out.blend(self.plan.decisions.lambda, predicted);
        }
    }

    /// The state before the first epoch.
    fn begin(&mut self, start: Vec<Pair>, traced: TraceReport) -> anyhow::Result<Checkpoint> {
        let decisions = &self.plan.decisions;
        let (layout, settings) = (self.model.layout(), decisions.fit.clone());
        let frozen = frozen(decisions, layout, &self.data.train.usage(layout.len()))?;
        let values = self.data.train.values(&start, layout.safety, self.plan.threads());
        let mut scaling = fit_scaling(values, settings.objective);
        if let Some(scale) = self.plan.decisions.scale {
            scaling = Scaling { per_cp: 1.0 / scale, ..scaling };
        }
        let score_scaling = (self.plan.decisions.lambda < 1.0).then(|| {
            let outcomes = self.data.train.outcomes();
            let scores = outcomes.filter_map(|(result, score)| Some((f64::from(score?), Target::of_points(result))));
            fit_scaling(scores, settings.objective)
        });
        let fit = Fit::new(layout, start.clone(), frozen, scaling, settings)
            .with_effects(self.data.train.mean_effects(&start, layout.safety));
        let checkpoint = Checkpoint {
            inputs: Some(self.plan.inputs.clone()),
            decisions: decisions.clone(),
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

    fn print(&self, text: &str) {
        if !self.plan.json {
            // The result is what must arrive; a fit is not ended by a line about its progress.
            let _ = say!("{text}");
        }
    }

    /// Runs epochs until the limit, the end of progress or an interruption.
    fn fit(&mut self, mut checkpoint: Checkpoint) -> anyhow::Result<ExitCode> {
        let (plan, layout, threads) = (self.plan, self.model.layout(), self.plan.threads());
        let scaling = checkpoint.fit.scaling();
        self.print(&format!(
            "{} training and {} held-out positions of {} games, {} counts in {} MB; scale {:.0} cp (Texel's K {:.3})",
            self.data.train.len(),
            self.data.held_out.len(),
            self.samples.report.games,
            self.data.train.entries() + self.data.held_out.entries(),
            (self.data.train.bytes() + self.data.held_out.bytes()) >> 20,
            1.0 / scaling.per_cp,
            400.0 * scaling.per_cp / std::f64::consts::LN_10,
        ));
        if checkpoint.fit.history().is_empty() {
            let report = checkpoint.fit.measure_start(layout, &self.data, threads);
            self.print(&log::line(&report, None));
        }
        let mut stopped = false;
        while checkpoint.fit.epochs() < plan.inputs.epochs && checkpoint.fit.stale() < plan.inputs.patience {
            if !self.refresh(&mut checkpoint)? {
                // The positions are gone; what the last epoch has written is complete.
                note!("interrupted before epoch {}: continue with --resume", checkpoint.fit.epochs() + 1);
                return Ok(ExitCode::from(INTERRUPTED));
            }
            let bar = progress(plan, self.data.train.len(), "positions")?;
            let begin = Instant::now();
            let report = checkpoint.fit.epoch(layout, &self.data, threads, |positions| {
                bar.inc(positions as u64);
                !self.interrupt.is_set()
            });
            bar.finish_and_clear();
            let Some(report) = report else {
                stopped = true;
                break;
            };
            let seconds = begin.elapsed().as_secs_f64();
            checkpoint.seconds.push(seconds);
            self.print(&log::line(&report, Some(self.data.train.len() as f64 / seconds)));
            ensure!(
                checkpoint.fit.is_finite(),
                "the fit diverged; the files are those from before epoch {}: begin again with a smaller --rate",
                report.epoch
            );
            checkpoint.write(&plan.out.join(CHECKPOINT))?;
            log::write(&checkpoint, self.data.train.len(), &plan.out)?;
        }
        self.finish(&checkpoint, !stopped)
    }

    /// Repeats the capture searches with the current weights when they are due; `false` if interrupted.
    fn refresh(&mut self, checkpoint: &mut Checkpoint) -> anyhow::Result<bool> {
        let epoch = checkpoint.fit.epochs();
        let every = self.plan.decisions.refresh;
        let is_due = epoch > 0 && every > 0 && epoch.is_multiple_of(every);
        if !is_due || checkpoint.refreshed_at == epoch {
            return Ok(true);
        }
        let weights = checkpoint.fit.weights().to_vec();
        let Some(traced) = self.trace(&weights)? else { return Ok(false) };
        self.blend(checkpoint);
        checkpoint.fit.measure_best(self.model.layout(), &self.data, self.plan.threads());
        (checkpoint.traced, checkpoint.refreshed_at, checkpoint.resolve_weights) = (traced, epoch, weights);
        Ok(true)
    }

    /// Writes the results.
    fn finish(&self, checkpoint: &Checkpoint, complete: bool) -> anyhow::Result<ExitCode> {
        let (plan, layout) = (self.plan, self.model.layout());
        let (best, _) = checkpoint.fit.best();
        checkpoint.write(&plan.out.join(CHECKPOINT))?;
        log::write(checkpoint, self.data.train.len(), &plan.out)?;
        let weights = Weights::round(layout, best);
        crate::files::replace(&plan.out.join(WEIGHTS), weights.to_json().as_bytes())?;
        if let Some(file) = &plan.inputs.source {
            crate::files::replace(file, self.model.source(&weights).as_bytes())?;
        }
        let mut rounded = vec![[0.0; 2]; layout.len()];
        weights.apply(layout, &mut rounded)?;
        let measured = if self.data.held_out.is_empty() { &self.data.train } else { &self.data.held_out };
        let form = Form {
            safety: layout.safety,
            objective: checkpoint.decisions.fit.objective,
            scaling: checkpoint.fit.scaling(),
        };
        let rounded_loss = measured.mean_loss(&rounded, form, plan.threads());
        let summary = Summary::new(plan, checkpoint, layout, self, rounded_loss, complete);
        crate::files::replace(&plan.out.join(SUMMARY), serde_json::to_string_pretty(&summary)?.as_bytes())?;
        if plan.json {
            say!("{}", serde_json::to_string(&summary)?)?;
        } else {
            say!("{summary}")?;
        }
        Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
    }
}

/// The weights that do not change: those of frozen terms, and those that too few positions use.
fn frozen(decisions: &Decisions, layout: &Layout, usage: &[u32]) -> anyhow::Result<Vec<bool>> {
    let Decisions { freeze, only, min_uses, .. } = decisions;
    let mut frozen = layout.frozen(freeze, only)?;
    frozen.iter_mut().zip(usage).for_each(|(frozen, uses)| *frozen |= uses < min_uses);
    ensure!(frozen.contains(&false), "no weight is left to fit");
    Ok(frozen)
}
