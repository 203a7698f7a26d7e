//! The plan of a run: the settings of the command line, or those of a checkpoint that it continues.

use super::args::{Args, ObjectiveName, OptimizerName};
use crate::resume::{SettingsComparison, choice, path};
use anyhow::{Context, ensure};
use bartizan_parallel::cores;
use bartizan_training::tune::{CHECKPOINT, Checkpoint, TuningInputs, TuningSettings};
use bartizan_types::Escaped;
use clap::ValueEnum;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The settings of a run.
pub(super) struct Plan {
    /// The output directory; the current one for `--validate`, which writes nothing.
    pub(super) out: PathBuf,
    pub(super) json: bool,
    pub(super) inputs: TuningInputs,
    pub(super) decisions: TuningSettings,
}

/// The output directory, and whether to continue its checkpoint.
pub(super) fn directory(args: &Args) -> anyhow::Result<(PathBuf, bool)> {
    match (&args.resume, &args.out) {
        (Some(Some(resume)), out) => {
            let folder = folder(resume);
            ensure!(out.as_deref().is_none_or(|out| out == folder), "--resume and --out name different directories");
            Ok((folder.to_owned(), true))
        }
        (Some(None), out) => Ok((out.clone().context("--resume needs a directory")?, true)),
        (None, out) => Ok((out.clone().unwrap_or_else(|| PathBuf::from(".")), false)),
    }
}

/// The directory of a run, which can also be named by its checkpoint.
fn folder(resume: &Path) -> &Path {
    let is_checkpoint = resume.file_name().is_some_and(|name| name == CHECKPOINT) && !resume.is_dir();
    if is_checkpoint { bartizan_files::folder_of(resume) } else { resume }
}

impl Plan {
    /// The plan of a command line, for a new or resumed run.
    ///
    /// # Errors
    /// When a value is out of range, or differs from that of the checkpoint.
    pub(super) fn new(args: &Args, out: PathBuf, kept: Option<&Checkpoint>) -> anyhow::Result<Self> {
        let mut compared = SettingsComparison::with("file");
        let stored = kept.map(|kept| &kept.decisions);
        let decisions = decisions(args, stored);
        if let Some(stored) = stored {
            compare(&decisions, stored, &mut compared)?;
        }
        let inputs = inputs(args, kept, &mut compared)?;
        compared.finish()?;
        let plan = Self { out, json: args.json, inputs, decisions };
        plan.check()?;
        Ok(plan)
    }

    /// Checks the ranges that clap does not check.
    fn check(&self) -> anyhow::Result<()> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let TuningSettings { fit, selection, held_out, lambda, scale, resolve, refresh, .. } = &self.decisions;
        ensure!(share(*held_out) && *held_out < 1.0, "invalid --held-out '{held_out}': must be at least 0 and below 1");
        ensure!(share(*lambda), "invalid --lambda '{lambda}': must be from 0 to 1");
        ensure!(positive(fit.rate), "--rate must be positive");
        ensure!(positive(fit.rate_factor), "--rate-factor must be positive");
        ensure!(fit.pull >= 0.0 && fit.pull.is_finite(), "--pull must not be negative");
        ensure!(scale.is_none_or(|scale| (10.0..=10_000.0).contains(&scale)), "--scale must be from 10 to 10000");
        ensure!(selection.max_score > 0, "--max-score must be positive");
        ensure!(*resolve || *refresh == 0, "--refresh needs --resolve");
        ensure!(self.inputs.patience > 0, "--patience must be at least 1");
        ensure!(self.inputs.threads.is_none_or(|n| (1..=1_024).contains(&n)), "--threads must be from 1 to 1024");
        Ok(())
    }

    pub(super) fn threads(&self) -> usize {
        self.inputs.threads.unwrap_or_else(|| cores().get())
    }

    /// Fails if a checkpoint cannot name a file.
    pub(super) fn check_names(&self) -> anyhow::Result<()> {
        let TuningInputs { data, start, network, source, .. } = &self.inputs;
        let data = data.iter().map(|file| ("--data", file));
        let others = [("--start", start), ("--network", network), ("--source", source)];
        let others = others.into_iter().filter_map(|(option, file)| Some((option, file.as_ref()?)));
        for (option, file) in data.chain(others) {
            let is_text = file.to_str().is_some();
            ensure!(
                is_text,
                "{option} '{}': its name is not UTF-8, and the checkpoint must name it",
                Escaped(file.display())
            );
        }
        Ok(())
    }
}

/// The command-line name of the choice for which `is_it` returns true.
fn name<T: ValueEnum>(is_it: impl Fn(&T) -> bool) -> String {
    T::value_variants().iter().find(|choice| is_it(choice)).map_or_else(String::new, choice)
}

/// The decisions of the command line. Those not given are taken from the checkpoint, or are the defaults.
fn decisions(args: &Args, stored: Option<&TuningSettings>) -> TuningSettings {
    fn set<T>(setting: &mut T, given: Option<T>) {
        if let Some(given) = given {
            *setting = given;
        }
    }
    let mut all = stored.cloned().unwrap_or_default();
    let (given, fit) = (&args.fit, &mut all.fit);
    set(&mut fit.objective, given.objective.map(ObjectiveName::objective));
    set(&mut fit.method, given.optimizer.map(OptimizerName::method));
    set(&mut fit.rate, given.rate.or(stored.is_none().then(|| fit.method.usual_rate())));
    set(&mut fit.rate_factor, given.rate_factor);
    set(&mut fit.rate_epochs, given.rate_epochs);
    set(&mut fit.batch, given.batch);
    set(&mut fit.pull, given.pull);
    set(&mut fit.seed, args.positions.seed);
    set(&mut all.lambda, given.lambda);
    set(&mut all.scale, given.scale.map(Some));
    set(&mut all.freeze, Some(given.freeze.clone()).filter(|terms| !terms.is_empty()));
    set(&mut all.only, Some(given.only.clone()).filter(|terms| !terms.is_empty()));
    set(&mut all.min_uses, given.min_uses);
    let (given, selection) = (&args.positions, &mut all.selection);
    set(&mut selection.skip_plies, given.skip_plies);
    set(&mut selection.per_game, given.per_game);
    set(&mut selection.max_score, given.max_score);
    set(&mut selection.seed, given.seed);
    selection.quiet |= given.quiet;
    selection.shown |= given.shown;
    set(&mut all.positions, given.positions);
    set(&mut all.held_out, given.held_out);
    set(&mut all.refresh, given.refresh);
    all.resolve |= given.resolve;
    all.with_network |= args.with_network;
    all
}

fn compare(given: &TuningSettings, stored: &TuningSettings, compared: &mut SettingsComparison) -> anyhow::Result<()> {
    let objective = |all: &TuningSettings| name(|name: &ObjectiveName| name.objective() == all.fit.objective);
    compared.stored("--objective", Some(objective(given)), objective(stored));
    let optimizer = |all: &TuningSettings| name(|name: &OptimizerName| name.method() == all.fit.method);
    compared.stored("--optimizer", Some(optimizer(given)), optimizer(stored));
    compared.fields(
        given,
        stored,
        "fit/rate fit/rate_factor fit/rate_epochs fit/batch fit/pull fit/seed selection/skip_plies selection/per_game \
         selection/max_score selection/quiet selection/shown positions held_out lambda scale with_network resolve \
         refresh freeze only min_uses",
    )
}

fn inputs(args: &Args, kept: Option<&Checkpoint>, compared: &mut SettingsComparison) -> anyhow::Result<TuningInputs> {
    let stored = kept.and_then(|kept| kept.inputs.as_ref());
    if kept.is_some() && stored.is_none() {
        ensure!(
            !args.data.is_empty(),
            "it comes from an older version and does not name its data; give --data, and --epochs and --patience \
             if the run was begun with other values than the defaults"
        );
    }
    let data = match stored {
        Some(stored) if args.data.is_empty() => stored.data.clone(),
        _ => args.data.clone(),
    };
    if let Some(stored) = stored {
        compared.optional("--start", path(args.start.as_ref()), path(stored.start.as_ref()));
    }
    Ok(TuningInputs {
        data,
        // The fingerprint of the data reveals whether broken games were skipped.
        skip_errors: args.positions.skip_errors || stored.is_some_and(|stored| stored.skip_errors),
        partial: args.positions.partial || stored.is_some_and(|stored| stored.partial),
        start: args.start.clone().or_else(|| stored?.start.clone()),
        // Its checksum reveals whether it is the same one.
        network: args.network.clone().or_else(|| stored?.network.clone()),
        source: args.source.clone().or_else(|| stored?.source.clone()),
        epochs: args.fit.epochs.or_else(|| Some(stored?.epochs)).unwrap_or(60),
        patience: args.fit.patience.or_else(|| Some(stored?.patience)).unwrap_or(6),
        threads: args.threads.map(NonZeroUsize::get).or_else(|| stored?.threads),
    })
}
