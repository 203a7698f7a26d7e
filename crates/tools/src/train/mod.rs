//! `train`: trains a network on positions.

mod args;

pub(crate) use args::Args;

use crate::files::{self, cannot_read, cannot_write};
use crate::input;
use crate::interrupt::{INTERRUPTED, Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use anyhow::{Context, ensure};
use bartizan_files::Replacement;
use bartizan_network::Network;
use bartizan_training::train::{FloatNetwork, Trainer, Training, TrainingPlan, TrainingState, chart};
use bartizan_types::Escaped;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The time between two checkpoints within an epoch.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(300);

/// The maximum size of a checkpoint: more than the largest network needs.
const MOST_CHECKPOINT: u64 = 1 << 31;

/// The most bytes of a network.
const MOST_NETWORK: u64 = 1 << 28;

/// Runs the command.
///
/// # Errors
/// Names the problem. The last checkpoint is kept.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let checkpoint = args.checkpoint_file();
    let outputs: Vec<&PathBuf> = [&args.out, &checkpoint].into_iter().chain(&args.plot).collect();
    files::refuse_same(&outputs)?;
    args.plot.as_deref().map_or(Ok(()), files::refuse_other_picture)?;
    for output in outputs {
        files::refuse_input(output, [&args.data].into_iter().chain(&args.validation).chain(&args.start))?;
    }
    for input in [&args.data].into_iter().chain(&args.validation) {
        input::refuse_stream(input)?;
    }
    let mut plan = args.plan.plan(None);
    let start = begin_with(&args, &mut plan)?;
    let stop = interrupt.stop();
    // Problems are reported before the first step.
    let training = Training::new(&plan, &args.data, args.validation.as_deref(), &stop)?;
    let data_hash = hash(&args.data, args.json, interrupt)?;
    for path in [&args.out, &checkpoint] {
        Replacement::new(path).with_context(|| cannot_write(path))?;
    }
    let (mut trainer, mut state) = if args.resume {
        resume(&args, &plan, &checkpoint, &files::hex(&data_hash))?
    } else {
        ensure!(
            !checkpoint.exists(),
            "'{}' exists from another training; continue it with --resume or remove it",
            Escaped(checkpoint.display())
        );
        let model = match start {
            Some(model) => model,
            None => FloatNetwork::random(plan.architecture()?, plan.seed),
        };
        (Trainer::new(model, plan.settings()), TrainingState::new(plan.clone(), files::hex(&data_hash)))
    };
    while state.history.len() < plan.epochs {
        let template = "epoch {prefix}  {bar:30} {human_pos}/{human_len}  {msg}  {elapsed} elapsed, {eta} left";
        let bar = progress::bar(training.positions(), template, args.json)?;
        bar.set_prefix(format!("{}/{}", state.history.len() + 1, plan.epochs));
        let mut saved = Instant::now();
        let is_complete = training.epoch(&mut trainer, &mut state, |trainer, state, progress| {
            bar.inc(progress.positions as u64);
            bar.set_message(format!("loss {:.6}, {:.0} positions/s", progress.loss, progress.speed));
            if saved.elapsed() > CHECKPOINT_INTERVAL {
                save(&checkpoint, trainer, state)?;
                saved = Instant::now();
            }
            anyhow::Ok(())
        })?;
        bar.finish_and_clear();
        save(&checkpoint, &trainer, &state)?;
        if !is_complete {
            note!("interrupted; run again with --resume to continue");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if let Some(epoch) = state.history.last() {
            if args.json { say!("{}", serde_json::to_string(epoch)?) } else { say!("{epoch}") }?;
        }
    }
    let network = state.plan.network(trainer.model(), data_hash, &state.changes).context("the training has failed")?;
    files::replace(&args.out, &network.to_bytes())?;
    if let Some(file) = &args.plot {
        files::replace(file, chart(&state.history).to_string().as_bytes())?;
    }
    if !args.json {
        say!(
            "{}: {} inputs, {} hidden neurons",
            Escaped(args.out.display()),
            network.architecture().inputs(),
            plan.hidden
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the network of `--start`, grows it to the shape of the options, and records its digest.
fn begin_with(args: &Args, plan: &mut TrainingPlan) -> anyhow::Result<Option<FloatNetwork>> {
    let Some(path) = &args.start else { return Ok(None) };
    let cannot_use = || format!("cannot start from '{}'", Escaped(path.display()));
    let bytes = bartizan_files::read(path, MOST_NETWORK).with_context(cannot_use)?;
    let network = Network::from_bytes(&bytes).with_context(cannot_use)?;
    let scale = network.quantisation().scale;
    ensure!(
        scale == plan.scale,
        "cannot start from '{}': its --scale is {scale}, not {}",
        Escaped(path.display()),
        plan.scale
    );
    let model = FloatNetwork::from_network(&network).grown(&plan.architecture()?, plan.seed).with_context(|| {
        let shape = network.architecture();
        format!(
            "cannot start from '{}': its shape, {} neurons, {} king buckets and {} output buckets, cannot grow to that \
             of the options",
            Escaped(path.display()),
            shape.hidden(),
            shape.king_bucket_count(),
            shape.outputs()
        )
    })?;
    plan.start_digest = Some(files::hex(&<[u8; 32]>::from(Sha256::digest(&bytes))));
    Ok(Some(model))
}

fn resume(args: &Args, plan: &TrainingPlan, checkpoint: &Path, data: &str) -> anyhow::Result<(Trainer, TrainingState)> {
    let cannot_resume = || format!("cannot resume from '{}'", Escaped(checkpoint.display()));
    let bytes = bartizan_files::read_regular(checkpoint, MOST_CHECKPOINT).with_context(cannot_resume)?;
    let (trainer, state) = TrainingState::resume(&bytes, plan).with_context(cannot_resume)?;
    ensure!(
        state.data == data,
        "{}: '{}' is not the data of that training",
        cannot_resume(),
        Escaped(args.data.display())
    );
    Ok((trainer, state))
}

fn save(checkpoint: &Path, trainer: &Trainer, state: &TrainingState) -> anyhow::Result<()> {
    files::replace(checkpoint, &state.to_checkpoint(trainer)?)
}

/// The SHA-256 of a file.
fn hash(path: &Path, is_hidden: bool, interrupt: &Interrupt) -> anyhow::Result<[u8; 32]> {
    let length = std::fs::metadata(path).with_context(|| cannot_read(path))?.len();
    let bar = progress::bar(length, "{bar:30} {bytes}/{total_bytes} hashed", is_hidden)?;
    let hash = files::sha256(path, |count| {
        bar.inc(count as u64);
        !interrupt.is_set()
    })?;
    bar.finish_and_clear();
    hash.ok_or_else(|| Interrupted("before the first step; nothing was written".to_owned()).into())
}
