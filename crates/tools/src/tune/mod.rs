//! Fits the weights of the evaluation to the results of games.

mod checkpoint;
mod data;
mod log;
mod plot;
mod summary;

use crate::interrupt::Interrupt;
use anyhow::{Context, bail, ensure};
use bartizan_tuner::{
    Fit, FitSettings, Form, HandCraftedModel, Layout, Method, Model, Objective, Pair, Random, Sample, Scaling,
    Selection, Target, TraceReport, Tracer, TrainingData, Weights, check_gradient, check_trace, fit_scaling,
};
use checkpoint::{Checkpoint, Decisions};
use clap::ValueEnum;
use data::Samples;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;
use summary::Summary;

/// What to make small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveName {
    /// Mean squared error of the expected points (Texel's way)
    Mse,
    /// Ordinal logistic: likelihood of win, draw and loss, with a draw margin that is fitted too
    Ordinal,
}

/// How to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OptimizerName {
    /// Adam (Kingma and Ba 2015)
    Adam,
    /// AdaGrad (Duchi, Hazan and Singer 2011)
    Adagrad,
    /// Momentum that is lost where the slope turns against it (after O'Donoghue and Candès 2015)
    Momentum,
}

/// The arguments.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Games or positions with results: files of `selfplay`, PGN, EPD (c9 "1-0", c2 "0.5", or [0.5] at the end)
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Where the weights, the checkpoint, the losses and the picture of them go
    #[arg(long, value_name = "DIR", required_unless_present = "validate")]
    out: Option<PathBuf>,
    /// Also write the Rust source of the parameters here
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Begin with these weights in place of those compiled in
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Go on from the checkpoint
    #[arg(long)]
    resume: bool,
    /// Check the gradient of so many positions against finite differences and the trace against the evaluation; fit nothing
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "500")]
    validate: Option<usize>,

    /// What to make small
    #[arg(long, value_enum, default_value = "mse")]
    objective: ObjectiveName,
    /// How to step
    #[arg(long, value_enum, default_value = "adam")]
    optimizer: OptimizerName,
    /// About the largest step of a weight, in centipawns [default: adam 1, adagrad 8, momentum 4]
    #[arg(long, value_name = "CP")]
    rate: Option<f64>,
    /// The rate is multiplied by this …
    #[arg(long, value_name = "X", default_value_t = 0.5)]
    rate_factor: f64,
    /// … after each so many epochs (0: never)
    #[arg(long, value_name = "N", default_value_t = 10)]
    rate_epochs: usize,
    /// Positions for each step (0: all)
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,
    /// At most so many epochs
    #[arg(long, value_name = "N", default_value_t = 60)]
    epochs: usize,
    /// Stop when so many epochs in a row did not lower the held-out loss
    #[arg(long, value_name = "N", default_value_t = 6)]
    patience: usize,
    /// Pulls weights to their start: X/2 · (effect of the distance/100cp)² is added to the loss for each
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pull: f64,
    /// The scale of the sigmoid: centipawns that lift the odds by a factor of e [default: fitted first]
    #[arg(long, value_name = "CP")]
    scale: Option<f64>,
    /// The share of the result in what is aimed at; the rest is what the score in the game foretells
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    lambda: f64,
    /// Terms that stay
    #[arg(long, value_name = "TERM", value_delimiter = ',')]
    freeze: Vec<String>,
    /// All other terms stay
    #[arg(long, value_name = "TERM", value_delimiter = ',', conflicts_with = "freeze")]
    only: Vec<String>,
    /// Weights that fewer training positions use stay
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_uses: u32,

    /// Passes over the first plies of each game
    #[arg(long, value_name = "N", default_value_t = 4)]
    skip_plies: usize,
    /// At most so many positions of each game, chosen by the seed (0: all)
    #[arg(long, value_name = "N", default_value_t = 0)]
    per_game: usize,
    /// At most so many positions in all, the first ones (0: all)
    #[arg(long, value_name = "N", default_value_t = 0)]
    positions: usize,
    /// Only positions whose score in the game is smaller than this, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 2_000)]
    max_score: i32,
    /// The scores in PGN are normalised, as this engine shows them
    #[arg(long)]
    shown: bool,
    /// Only positions in which neither a capture nor a promotion was played
    #[arg(long)]
    quiet: bool,
    /// The quiet end of a search of captures stands in for each position
    #[arg(long)]
    resolve: bool,
    /// … searched anew with the weights of the moment after each so many epochs (0: never)
    #[arg(long, value_name = "N", default_value_t = 0, requires = "resolve")]
    refresh: usize,
    /// The share of the games that only judge
    #[arg(long, value_name = "X", default_value_t = 0.1)]
    held_out: f64,
    /// Passes over broken games and lines
    #[arg(long)]
    skip_errors: bool,
    /// The same seed and data give the same weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write a summary as JSON to stdout
    #[arg(long)]
    json: bool,
}

impl Args {
    fn check(&self) -> anyhow::Result<()> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let positive = |value: f64| value > 0.0 && value.is_finite();
        ensure!(share(self.held_out) && self.held_out < 1.0, "--held-out {} must be from 0 to below 1", self.held_out);
        ensure!(share(self.lambda), "--lambda {} must be from 0 to 1", self.lambda);
        ensure!(self.rate.is_none_or(positive), "--rate must be positive");
        ensure!(positive(self.rate_factor), "--rate-factor must be positive");
        ensure!(self.pull >= 0.0 && self.pull.is_finite(), "--pull must not be negative");
        ensure!(self.scale.is_none_or(|scale| (10.0..=10_000.0).contains(&scale)), "--scale must be from 10 to 10000");
        ensure!(self.max_score > 0, "--max-score must be positive");
        ensure!(self.patience > 0, "--patience must be at least 1");
        ensure!(self.threads.is_none_or(|n| (1..=1_024).contains(&n)), "--threads is out of range (1 to 1024)");
        Ok(())
    }

    /// Where files go; only a check goes without.
    fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("."))
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get))
    }

    fn decisions(&self) -> Decisions {
        let method = match self.optimizer {
            OptimizerName::Adam => Method::Adam,
            OptimizerName::Adagrad => Method::AdaGrad,
            OptimizerName::Momentum => Method::Momentum,
        };
        let usual_rate = match method {
            Method::Adam => 1.0,
            Method::AdaGrad => 8.0,
            Method::Momentum => 4.0,
        };
        let objective = match self.objective {
            ObjectiveName::Mse => Objective::SquaredError,
            ObjectiveName::Ordinal => Objective::OrdinalLogistic,
        };
        Decisions {
            fit: FitSettings {
                objective,
                method,
                rate: self.rate.unwrap_or(usual_rate),
                rate_factor: self.rate_factor,
                rate_epochs: self.rate_epochs,
                batch: self.batch,
                pull: self.pull,
                seed: self.seed,
            },
            selection: Selection {
                skip_plies: self.skip_plies,
                per_game: self.per_game,
                max_score: self.max_score,
                quiet: self.quiet,
                shown: self.shown,
                seed: self.seed,
            },
            positions: self.positions,
            held_out: self.held_out,
            lambda: self.lambda,
            scale: self.scale,
            resolve: self.resolve,
            refresh: self.refresh,
            freeze: self.freeze.clone(),
            only: self.only.clone(),
            min_uses: self.min_uses,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// With a message that names what is wrong; the last checkpoint stays.
pub fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    args.check()?;
    let model = HandCraftedModel::new();
    let layout = model.layout();
    let mut start = model.start();
    if let Some(file) = &args.start {
        apply_file(file, layout, &mut start)?;
    }
    std::fs::create_dir_all(args.out()).with_context(|| format!("cannot make {}", args.out().display()))?;
    let checkpoint_file = args.out().join(CHECKPOINT);
    let kept = if args.resume { Some(Checkpoint::read(&checkpoint_file, layout)?) } else { None };
    if kept.is_none() && args.validate.is_none() {
        ensure!(
            !checkpoint_file.exists(),
            "{} is there from another run: go on with --resume, or take it away",
            checkpoint_file.display()
        );
    }

    let decisions = args.decisions();
    let Some(samples) = data::load(&args, interrupt)? else { return Ok(interrupted()) };
    if let Some(kept) = &kept {
        kept.check(&decisions, &samples).with_context(|| format!("cannot go on with {}", checkpoint_file.display()))?;
    }
    let mut tuning = Tuning { args: &args, model: &model, samples, interrupt, data: TrainingData::default() };
    if let Some(limit) = args.validate {
        return tuning.validate(&start, limit);
    }
    let resolve_weights = kept.as_ref().map_or_else(|| start.clone(), |kept| kept.resolve_weights.clone());
    let Some(traced) = tuning.trace(&resolve_weights)? else { return Ok(interrupted()) };
    ensure!(!tuning.data.train.is_empty(), "no position is left to learn from");
    let checkpoint = match kept {
        Some(mut kept) => {
            tuning.blend(&kept);
            kept.traced = traced;
            kept
        }
        None => tuning.begin(decisions, start, traced)?,
    };
    tuning.fit(checkpoint)
}

const CHECKPOINT: &str = "checkpoint.json";
const WEIGHTS: &str = "weights.json";

fn interrupted() -> ExitCode {
    eprintln!("interrupted before the first epoch: nothing was kept");
    ExitCode::from(130)
}

fn apply_file(file: &Path, layout: &Layout, weights: &mut [Pair]) -> anyhow::Result<()> {
    let context = || format!("cannot begin with {}", file.display());
    let text = std::fs::read_to_string(file).with_context(context)?;
    let differences = Weights::parse(&text).and_then(|found| found.apply(layout, weights)).with_context(context)?;
    if !differences.missing.is_empty() {
        eprintln!("{}: lacks {}, which begin as compiled in", file.display(), differences.missing.join(", "));
    }
    if !differences.unknown.is_empty() {
        eprintln!("{}: {} ignored, no such terms", file.display(), differences.unknown.join(", "));
    }
    Ok(())
}

/// A bar for so many steps, or none.
fn progress(args: &Args, length: usize, what: &str) -> anyhow::Result<ProgressBar> {
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(length as u64) };
    let style = format!("{{bar:30}} {{human_pos}}/{{human_len}} {what}  {{msg}}  {{elapsed}} elapsed, {{eta}} left");
    bar.set_style(ProgressStyle::with_template(&style).context("progress style")?);
    Ok(bar)
}

/// A run with its data.
struct Tuning<'a> {
    args: &'a Args,
    model: &'a HandCraftedModel,
    samples: Samples,
    interrupt: &'a Interrupt,
    data: TrainingData,
}

impl Tuning<'_> {
    /// Counts all positions; `None` if interrupted. The old counts are given back first: there may be room for one set only.
    fn trace(&mut self, resolve: &[Pair]) -> anyhow::Result<Option<TraceReport>> {
        self.data = TrainingData::default();
        let (train, held_out) = (&self.samples.train, &self.samples.held_out);
        let bar = progress(self.args, train.len() + held_out.len(), "positions traced")?;
        let step = |positions: usize| {
            bar.inc(positions as u64);
            !self.interrupt.is_set()
        };
        let resolve = self.args.resolve.then_some(resolve);
        let tracer = Tracer { model: self.model, resolve, threads: self.args.threads() };
        let Some((train, mut report)) = tracer.trace(train, step) else { return Ok(None) };
        let Some((held_out, more)) = tracer.trace(held_out, step) else { return Ok(None) };
        bar.finish_and_clear();
        report += more;
        self.data = TrainingData { train, held_out };
        Ok(Some(report))
    }

    /// Aims at a mixture of result and score where that is asked for.
    fn blend(&mut self, checkpoint: &Checkpoint) {
        if let Some(scaling) = checkpoint.score_scaling {
            let objective = checkpoint.decisions.fit.objective;
            let foretold = |score: i16| objective.expected(scaling, f64::from(score));
            self.data.train.blend(self.args.lambda, foretold);
            self.data.held_out.blend(self.args.lambda, foretold);
        }
    }

    /// All that is decided before the first epoch.
    fn begin(&mut self, decisions: Decisions, start: Vec<Pair>, traced: TraceReport) -> anyhow::Result<Checkpoint> {
        let (layout, settings) = (self.model.layout(), decisions.fit.clone());
        let frozen = frozen(self.args, layout, &self.data.train.usage(layout.len()))?;
        let values = self.data.train.values(&start, layout.safety, self.args.threads());
        let mut scaling = fit_scaling(values, settings.objective);
        if let Some(scale) = self.args.scale {
            scaling = Scaling { per_cp: 1.0 / scale, ..scaling };
        }
        let score_scaling = (self.args.lambda < 1.0).then(|| {
            let outcomes = self.data.train.outcomes();
            let scores = outcomes.filter_map(|(result, score)| Some((f64::from(score?), Target::of_result(result))));
            fit_scaling(scores, settings.objective)
        });
        let fit = Fit::new(layout, start.clone(), frozen, scaling, settings)
            .with_effects(self.data.train.mean_effects(&start, layout.safety));
        let checkpoint = Checkpoint {
            decisions,
            fingerprint: self.samples.fingerprint,
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

    fn say(&self, text: &str) {
        if !self.args.json {
            println!("{text}");
        }
    }

    /// Epoch after epoch, until it is enough.
    fn fit(&mut self, mut checkpoint: Checkpoint) -> anyhow::Result<ExitCode> {
        let (args, layout, threads) = (self.args, self.model.layout(), self.args.threads());
        let scaling = checkpoint.fit.scaling();
        self.say(&format!(
            "{} training and {} held-out positions of {} games, {} counts in {} MB; 1 in {:.0} cp (Texel's K {:.3})",
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
            self.say(&log::line(&report, None));
        }
        let mut stopped = false;
        while checkpoint.fit.epochs() < args.epochs && checkpoint.fit.stale() < args.patience {
            if !self.refresh(&mut checkpoint)? {
                stopped = true;
                break;
            }
            let bar = progress(args, self.data.train.len(), "positions")?;
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
            self.say(&log::line(&report, Some(self.data.train.len() as f64 / seconds)));
            checkpoint.write(&args.out().join(CHECKPOINT))?;
            log::write(&checkpoint, self.data.train.len(), args.out())?;
        }
        self.finish(&checkpoint, !stopped)
    }

    /// Makes the positions quiet anew when it is time; `false` if interrupted.
    fn refresh(&mut self, checkpoint: &mut Checkpoint) -> anyhow::Result<bool> {
        let epoch = checkpoint.fit.epochs();
        let is_due = epoch > 0 && self.args.refresh > 0 && epoch.is_multiple_of(self.args.refresh);
        if !is_due || checkpoint.refreshed_at == epoch {
            return Ok(true);
        }
        let weights = checkpoint.fit.weights().to_vec();
        let Some(traced) = self.trace(&weights)? else { return Ok(false) };
        self.blend(checkpoint);
        checkpoint.fit.measure_best(self.model.layout(), &self.data, self.args.threads());
        (checkpoint.traced, checkpoint.refreshed_at, checkpoint.resolve_weights) = (traced, epoch, weights);
        Ok(true)
    }

    /// Writes what the run came to.
    fn finish(&self, checkpoint: &Checkpoint, complete: bool) -> anyhow::Result<ExitCode> {
        let (args, layout) = (self.args, self.model.layout());
        let (best, _) = checkpoint.fit.best();
        checkpoint.write(&args.out().join(CHECKPOINT))?;
        log::write(checkpoint, self.data.train.len(), args.out())?;
        let weights = Weights::round(layout, best);
        crate::files::replace(&args.out().join(WEIGHTS), weights.to_json().as_bytes())?;
        if let Some(file) = &args.source {
            crate::files::replace(file, self.model.source(&weights).as_bytes())?;
        }
        let mut rounded = vec![[0.0; 2]; layout.len()];
        weights.apply(layout, &mut rounded)?;
        let judges = if self.data.held_out.is_empty() { &self.data.train } else { &self.data.held_out };
        let form = Form {
            safety: layout.safety,
            objective: checkpoint.decisions.fit.objective,
            scaling: checkpoint.fit.scaling(),
        };
        let rounded_loss = judges.mean_loss(&rounded, form, args.threads());
        let summary = Summary::new(args, checkpoint, layout, self, rounded_loss, complete);
        crate::files::replace(&args.out().join("summary.json"), serde_json::to_string_pretty(&summary)?.as_bytes())?;
        if args.json {
            println!("{}", serde_json::to_string(&summary)?);
        } else {
            println!("{summary}");
        }
        Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(130) })
    }

    /// Checks gradient and trace, and fits nothing.
    fn validate(&mut self, start: &[Pair], limit: usize) -> anyhow::Result<ExitCode> {
        let (layout, seed) = (self.model.layout(), self.args.seed);
        let limit = limit.min(self.samples.train.len());
        let few: Vec<Sample> = self.samples.train[..limit].to_vec();
        let traced = check_trace(self.model, &few, limit);
        self.samples.train = few;
        self.samples.held_out.clear();
        let Some(_) = self.trace(start)? else { return Ok(interrupted()) };
        ensure!(!self.data.train.is_empty(), "no position is left to check");
        // Off the start, where many weights may be zero.
        let mut random = Random::new(seed, 0);
        let moved: Vec<Pair> = start.iter().map(|pair| pair.map(|half| half + 20.0 * (random.unit() - 0.5))).collect();
        let mut failed = false;
        let mut checks = serde_json::Map::new();
        for (name, objective) in [("mse", Objective::SquaredError), ("ordinal", Objective::OrdinalLogistic)] {
            let scaling = Scaling { per_cp: 0.005, draw_margin: 60.0 };
            let form = Form { safety: layout.safety, objective, scaling };
            let check = check_gradient(&self.data.train, &moved, form, limit);
            let worst = check.weight.map_or_else(String::new, |(weight, half)| {
                format!(" at {} {}", layout.weight_name(weight), ["mg", "eg"][half])
            });
            self.say(&format!(
                "{name}: {} derivatives of {} positions, largest relative error {:.2e}{worst} ({} bends left out)",
                check.derivatives, check.positions, check.worst, check.bends
            ));
            failed |= check.worst > LARGEST_ERROR || check.derivatives == 0;
            checks.insert(name.to_owned(), serde_json::to_value(&check)?);
        }
        let position = traced.position.as_deref().unwrap_or("-");
        self.say(&format!(
            "trace: {} positions, largest difference to the evaluation {:.2} cp in {position} ({} untraced)",
            traced.positions, traced.worst, traced.untraced
        ));
        failed |= traced.worst > LARGEST_DIFFERENCE;
        checks.insert("trace".to_owned(), serde_json::to_value(&traced)?);
        checks.insert("ok".to_owned(), (!failed).into());
        if self.args.json {
            println!("{}", serde_json::Value::Object(checks));
        }
        if failed {
            bail!("gradient or trace is wrong");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Of a derivative, against finite differences.
const LARGEST_ERROR: f64 = 1e-3;
/// Centipawns: the evaluation divides whole numbers at several places, the trace only at the end.
const LARGEST_DIFFERENCE: f64 = 4.0;

/// Which weights stay: those of the terms asked for, and those that too few positions use.
fn frozen(args: &Args, layout: &Layout, usage: &[u32]) -> anyhow::Result<Vec<bool>> {
    if let Some(name) = args.freeze.iter().chain(&args.only).find(|name| layout.term(name).is_none()) {
        let names: Vec<&str> = layout.terms.iter().map(|term| term.name.as_str()).collect();
        bail!("there is no term '{name}'; there are {}", names.join(", "));
    }
    let mut frozen: Vec<bool> = usage.iter().map(|&uses| uses < args.min_uses).collect();
    for term in &layout.terms {
        if args.freeze.contains(&term.name) || !args.only.is_empty() && !args.only.contains(&term.name) {
            frozen[term.offset..term.offset + term.len].fill(true);
        }
    }
    ensure!(frozen.contains(&false), "no weight is left to fit");
    Ok(frozen)
}
