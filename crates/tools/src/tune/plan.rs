//! What a run does: the settings of the command line, or those of a checkpoint that it continues.

use super::args::{Args, ObjectiveName, OptimizerName};
use super::checkpoint::{Checkpoint, Decisions, Inputs};
use crate::resume::{Comparison, choice, path};
use anyhow::{Context, ensure};
use bartizan_training::tune::{FitSettings, Selection};
use clap::ValueEnum;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

/// The settings of a run.
pub(super) struct Plan {
    /// The output directory; the current one for `--validate`, which writes nothing.
    pub(super) out: PathBuf,
    pub(super) json: bool,
    pub(super) inputs: Inputs,
    pub(super) decisions: Decisions,
}

/// The output directory, and whether its checkpoint is continued.
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

/// The directory of a run, which its checkpoint stands for too.
fn folder(resume: &Path) -> &Path {
    let is_checkpoint = resume.file_name().is_some_and(|name| name == super::CHECKPOINT) && !resume.is_dir();
    if is_checkpoint { bartizan_files::folder_of(resume) } else { resume }
}

/// Settings that the command line gives, and those of a checkpoint if there is one.
struct Settings(Comparison);

impl Settings {
    fn of<T: PartialEq + Display>(&mut self, option: &str, given: Option<T>, stored: Option<T>, default: T) -> T {
        self.of_as(option, given, stored, default, T::to_string)
    }

    fn of_as<T: PartialEq>(
        &mut self,
        option: &str,
        given: Option<T>,
        stored: Option<T>,
        default: T,
        show: impl Fn(&T) -> String,
    ) -> T {
        match stored {
            Some(stored) => self.0.stored_as(option, given, stored, show),
            None => given.unwrap_or(default),
        }
    }

    fn optional<T: PartialEq + Display>(
        &mut self,
        option: &str,
        given: Option<T>,
        stored: Option<Option<T>>,
    ) -> Option<T> {
        match stored {
            Some(stored) => self.0.optional(option, given, stored),
            None => given,
        }
    }

    fn flag(&mut self, option: &str, given: bool, stored: Option<bool>) -> bool {
        stored.map_or(given, |stored| self.0.flag(option, given, stored))
    }

    fn list(&mut self, option: &str, given: &[String], stored: Option<&[String]>) -> Vec<String> {
        let given = (!given.is_empty()).then(|| given.to_vec());
        self.of_as(option, given, stored.map(<[String]>::to_vec), Vec::new(), |list| match &list[..] {
            [] => "none".to_owned(),
            list => list.join(","),
        })
    }
}

impl Plan {
    /// The plan of a command line, for a new run or one that is resumed.
    ///
    /// # Errors
    /// When a value is out of range, or differs from that of the checkpoint.
    pub(super) fn new(args: &Args, out: PathBuf, kept: Option<&Checkpoint>) -> anyhow::Result<Self> {
        let mut settings = Settings(Comparison::with("file"));
        let stored = kept.map(|kept| &kept.decisions);
        let decisions = Decisions {
            fit: fit(args, stored.map(|stored| &stored.fit), &mut settings),
            selection: selection(args, stored.map(|stored| &stored.selection), &mut settings),
            positions: settings.of("--positions", args.positions.positions, stored.map(|stored| stored.positions), 0),
            held_out: settings.of("--held-out", args.positions.held_out, stored.map(|stored| stored.held_out), 0.1),
            lambda: settings.of("--lambda", args.fit.lambda, stored.map(|stored| stored.lambda), 1.0),
            scale: settings.optional("--scale", args.fit.scale, stored.map(|stored| stored.scale)),
            with_network: settings.flag("--with-network", args.with_network, stored.map(|stored| stored.with_network)),
            resolve: settings.flag("--resolve", args.positions.resolve, stored.map(|stored| stored.resolve)),
            refresh: settings.of("--refresh", args.positions.refresh, stored.map(|stored| stored.refresh), 0),
            freeze: settings.list("--freeze", &args.fit.freeze, stored.map(|stored| &*stored.freeze)),
            only: settings.list("--only", &args.fit.only, stored.map(|stored| &*stored.only)),
            min_uses: settings.of("--min-uses", args.fit.min_uses, stored.map(|stored| stored.min_uses), 1),
        };
        let inputs = inputs(args, kept, &mut settings)?;
        settings.0.finish()?;
        let plan = Self { out, json: args.json, inputs, decisions };
        plan.check()?;
        Ok(plan)
    }

    /// Checks the ranges that clap does not know.
    fn check(&self) -> anyhow::Result<()> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let Decisions { fit, selection, held_out, lambda, scale, resolve, refresh, .. } = &self.decisions;
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
        self.inputs.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get))
    }
}

/// What the command line calls the choice that `is_it` tells.
fn name<T: ValueEnum>(is_it: impl Fn(&T) -> bool) -> String {
    T::value_variants().iter().find(|choice| is_it(choice)).map_or_else(String::new, choice)
}

fn fit(args: &Args, stored: Option<&FitSettings>, settings: &mut Settings) -> FitSettings {
    let given = &args.fit;
    let optimizer = given.optimizer.unwrap_or(OptimizerName::Adam);
    let usual = FitSettings::default();
    let mut fit = usual.clone();
    fit.objective = settings.of_as(
        "--objective",
        given.objective.map(ObjectiveName::objective),
        stored.map(|stored| stored.objective),
        usual.objective,
        |objective| name(|name: &ObjectiveName| name.objective() == *objective),
    );
    fit.method = settings.of_as(
        "--optimizer",
        given.optimizer.map(OptimizerName::method),
        stored.map(|stored| stored.method),
        optimizer.method(),
        |method| name(|name: &OptimizerName| name.method() == *method),
    );
    fit.rate = settings.of("--rate", given.rate, stored.map(|stored| stored.rate), optimizer.usual_rate());
    let factor = stored.map(|stored| stored.rate_factor);
    fit.rate_factor = settings.of("--rate-factor", given.rate_factor, factor, usual.rate_factor);
    let epochs = stored.map(|stored| stored.rate_epochs);
    fit.rate_epochs = settings.of("--rate-epochs", given.rate_epochs, epochs, usual.rate_epochs);
    fit.batch = settings.of("--batch", given.batch, stored.map(|stored| stored.batch), usual.batch);
    fit.pull = settings.of("--pull", given.pull, stored.map(|stored| stored.pull), usual.pull);
    fit.seed = settings.of("--seed", args.positions.seed, stored.map(|stored| stored.seed), usual.seed);
    fit
}

fn selection(args: &Args, stored: Option<&Selection>, settings: &mut Settings) -> Selection {
    let given = &args.positions;
    let usual = Selection::default();
    let mut selection = usual.clone();
    let skip = stored.map(|stored| stored.skip_plies);
    selection.skip_plies = settings.of("--skip-plies", given.skip_plies, skip, usual.skip_plies);
    selection.per_game =
        settings.of("--per-game", given.per_game, stored.map(|stored| stored.per_game), usual.per_game);
    let score = stored.map(|stored| stored.max_score);
    selection.max_score = settings.of("--max-score", given.max_score, score, usual.max_score);
    selection.quiet = settings.flag("--quiet", given.quiet, stored.map(|stored| stored.quiet));
    selection.shown = settings.flag("--shown", given.shown, stored.map(|stored| stored.shown));
    // The fit compares the seed, which is the same.
    selection.seed = stored.map_or(given.seed.unwrap_or(usual.seed), |stored| stored.seed);
    selection
}

fn inputs(args: &Args, kept: Option<&Checkpoint>, settings: &mut Settings) -> anyhow::Result<Inputs> {
    let stored = kept.and_then(|kept| kept.inputs.as_ref());
    if kept.is_some() && stored.is_none() {
        ensure!(
            !args.data.is_empty(),
            "it does not name its data, as those of older versions; give --data, and --epochs and --patience if the \
             run was begun with other ones than usual"
        );
    }
    let data = match stored {
        Some(stored) if args.data.is_empty() => stored.data.clone(),
        _ => args.data.clone(),
    };
    if let Some(stored) = stored {
        settings.0.optional("--start", path(args.start.as_ref()), path(stored.start.as_ref()));
    }
    Ok(Inputs {
        data,
        // The fingerprint of the data tells whether broken games were skipped.
        skip_errors: args.positions.skip_errors || stored.is_some_and(|stored| stored.skip_errors),
        start: args.start.clone().or_else(|| stored?.start.clone()),
        // Its checksum tells whether it is the same one.
        network: args.network.clone().or_else(|| stored?.network.clone()),
        source: args.source.clone().or_else(|| stored?.source.clone()),
        epochs: args.fit.epochs.or_else(|| Some(stored?.epochs)).unwrap_or(60),
        patience: args.fit.patience.or_else(|| Some(stored?.patience)).unwrap_or(6),
        threads: args.threads.map(NonZeroUsize::get).or_else(|| stored?.threads),
    })
}
