//! `train`: trains a network on positions.

mod args;
mod plot;
mod state;

pub(crate) use args::Args;

use crate::files::{self, cannot_read, cannot_write};
use crate::input;
use crate::interrupt::{INTERRUPTED, Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use anyhow::{Context, bail, ensure};
use bartizan_files::Replacement;
use bartizan_network::{Architecture, KING_SQUARES, Network, Origin, Quantisation};
use bartizan_training::positions::{SAMPLE_SIZE, Sample, SampleReader};
use bartizan_training::train::{Loss, Model, PHASES, Settings, Trainer};
use sha2::{Digest, Sha256};
use state::{Epoch, State};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The time between two checkpoints in an epoch.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(300);

/// Positions of a step of validation.
const VALIDATION_CHUNK: usize = 65_536;

/// Runs the command.
///
/// # Errors
/// Names what is wrong. The last checkpoint is kept.
pub(crate) fn run(mut args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
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
    let start = begin_with(&mut args)?;
    let data_hash = hash(&args.data, args.json, interrupt)?;
    let positions = positions(&args.data)?;
    // What is wrong is said before the first step.
    if let Some(file) = &args.validation {
        ensure!(self::positions(file)? > 0, "'{}' has no positions", file.display());
    }
    for path in [&args.out, &checkpoint] {
        Replacement::new(path).with_context(|| cannot_write(path))?;
    }
    ensure!(positions > 0, "'{}' has no positions", args.data.display());
    let (mut trainer, mut state) = if args.resume {
        let (trainer, mut state) = resume(&args, &checkpoint)?;
        let done = state.history.len();
        ensure!(
            args.plan.epochs >= done,
            "cannot resume from '{}': {done} epochs are done, more than --epochs {}",
            checkpoint.display(),
            args.plan.epochs
        );
        state.plan_epochs(args.plan.epochs);
        ensure!(
            state.data == files::hex(&data_hash),
            "cannot resume from '{}': '{}' is not the data of that training",
            checkpoint.display(),
            args.data.display()
        );
        (trainer, state)
    } else {
        ensure!(
            !checkpoint.exists(),
            "'{}' exists from another training: continue it with --resume, or remove it",
            checkpoint.display()
        );
        let model = match start {
            Some(model) => model,
            None => Model::random(architecture(&args)?, args.plan.seed),
        };
        let state = State::new(args.plan.clone(), files::hex(&data_hash));
        (Trainer::new(model, settings(&args)), state)
    };
    let training = Training { args: &args, positions, interrupt };
    while state.history.len() < args.plan.epochs {
        if !training.epoch(&mut trainer, &mut state)? {
            save(&checkpoint, &trainer, &state)?;
            note!("interrupted: continue with --resume");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        save(&checkpoint, &trainer, &state)?;
        if let Some(epoch) = state.history.last() {
            if args.json { say!("{}", serde_json::to_string(epoch)?) } else { say!("{epoch}") }?;
        }
    }
    let quantisation = Quantisation { scale: args.plan.scale, ..Quantisation::USUAL };
    let origin = Origin { data: data_hash, command: state.plan.command(&state.changes) };
    let network = trainer.model().quantised(quantisation, origin).context("the training has failed")?;
    files::replace(&args.out, &network.to_bytes())?;
    if let Some(file) = &args.plot {
        files::replace(file, plot::chart(&state.history).to_string().as_bytes())?;
    }
    if !args.json {
        say!(
            "{}: {} inputs, {} hidden neurons",
            args.out.display(),
            network.architecture().inputs(),
            args.plan.hidden
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the network of `--start`, grows it to the shape of the options, and notes its digest.
fn begin_with(args: &mut Args) -> anyhow::Result<Option<Model>> {
    let Some(path) = &args.start else { return Ok(None) };
    let cannot_use = || format!("cannot begin with '{}'", path.display());
    bartizan_files::check_regular(path).with_context(cannot_use)?;
    let bytes = std::fs::read(path).with_context(cannot_use)?;
    let network = Network::from_bytes(&bytes).with_context(cannot_use)?;
    let scale = network.quantisation().scale;
    ensure!(
        scale == args.plan.scale,
        "cannot begin with '{}': its --scale is {scale}, not {}",
        path.display(),
        args.plan.scale
    );
    let model = Model::from_network(&network).grown(&architecture(args)?, args.plan.seed).with_context(|| {
        let shape = network.architecture();
        format!(
            "cannot begin with '{}': its shape, {} neurons, {} king buckets and {} output buckets, cannot grow to that \
             of the options",
            path.display(),
            shape.hidden(),
            shape.king_bucket_count(),
            shape.outputs()
        )
    })?;
    args.plan.start_digest = Some(files::hex(&<[u8; 32]>::from(Sha256::digest(&bytes))));
    Ok(Some(model))
}

fn architecture(args: &Args) -> anyhow::Result<Architecture> {
    let bucket = |square: usize| -> u8 {
        let (rank, file) = (square / 4, square % 4);
        match args.plan.king_buckets {
            1 => 0,
            // The corner, the middle of the first rank, the second rank, the rest.
            4 => [file as u8 / 2, 2, 3, 3, 3, 3, 3, 3][rank],
            // Each file of the first rank, the two halves of the second, the rest of the own half, the other half.
            _ => [file as u8, 4 + file as u8 / 2, 6, 6, 7, 7, 7, 7][rank],
        }
    };
    let king_buckets: [u8; KING_SQUARES] = std::array::from_fn(bucket);
    Ok(Architecture::new(args.plan.hidden, king_buckets, args.plan.output_buckets)?)
}

fn settings(args: &Args) -> Settings {
    let plan = &args.plan;
    let scale = f32::from(plan.scale);
    Settings {
        lambda: plan.lambda,
        scale,
        weight_decay: plan.weight_decay,
        with_terms: plan.with_terms,
        dropout: plan.dropout,
        factorised: plan.factorised,
        threads: plan.threads,
    }
}

fn resume(args: &Args, checkpoint: &Path) -> anyhow::Result<(Trainer, State)> {
    let cannot_resume = || format!("cannot resume from '{}'", checkpoint.display());
    let bytes = std::fs::read(checkpoint).with_context(cannot_resume)?;
    let (trainer, note) = Trainer::from_checkpoint(&bytes).with_context(cannot_resume)?;
    let state: State = serde_json::from_str(&note).with_context(cannot_resume)?;
    if let Some(option) = args.plan.difference(&state.plan) {
        bail!("cannot resume from '{}': it was trained with another {option}", checkpoint.display());
    }
    Ok((trainer, state))
}

fn save(checkpoint: &Path, trainer: &Trainer, state: &State) -> anyhow::Result<()> {
    files::replace(checkpoint, &trainer.to_checkpoint(&serde_json::to_string(state)?))
}

/// The SHA-256 of a file.
fn hash(path: &Path, is_hidden: bool, interrupt: &Interrupt) -> anyhow::Result<[u8; 32]> {
    let mut file = File::open(path).with_context(|| cannot_read(path))?;
    let length = file.metadata().with_context(|| cannot_read(path))?.len();
    let bar = progress::bar(length, "{bar:30} {bytes}/{total_bytes} hashed", is_hidden)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut buffer).with_context(|| cannot_read(path))?;
        if count == 0 {
            bar.finish_and_clear();
            return Ok(hasher.finalize().into());
        }
        hasher.update(&buffer[..count]);
        bar.inc(count as u64);
        if interrupt.is_set() {
            return Err(Interrupted("before the first step: nothing was written".to_owned()).into());
        }
    }
}

fn open(path: &Path) -> anyhow::Result<SampleReader<BufReader<File>>> {
    let file = File::open(path).with_context(|| cannot_read(path))?;
    SampleReader::new(BufReader::new(file)).with_context(|| cannot_read(path))
}

/// The number of positions in a file.
fn positions(path: &Path) -> anyhow::Result<u64> {
    open(path)?;
    let length = std::fs::metadata(path).with_context(|| cannot_read(path))?.len();
    let length = length.saturating_sub(8);
    ensure!(length.is_multiple_of(SAMPLE_SIZE as u64), "cannot read '{}': its last record is cut off", path.display());
    Ok(length / SAMPLE_SIZE as u64)
}

/// What stays the same in all epochs.
struct Training<'a> {
    args: &'a Args,
    positions: u64,
    interrupt: &'a Interrupt,
}

impl Training<'_> {
    /// Trains with all positions, or the rest of them, and validates. Returns whether it was not interrupted.
    fn epoch(&self, trainer: &mut Trainer, state: &mut State) -> anyhow::Result<bool> {
        let plan = &self.args.plan;
        let path = &self.args.data;
        let number = state.history.len() + 1;
        let template = "epoch {prefix}  {bar:30} {human_pos}/{human_len}  {msg}  {elapsed} elapsed, {eta} left";
        let bar = progress::bar(self.positions, template, self.args.json)?;
        bar.set_prefix(format!("{number}/{}", plan.epochs));
        let mut reader = open(path)?;
        let mut samples = Vec::new();
        for _ in 0..state.batches {
            reader.read(&mut samples, plan.batch).with_context(|| cannot_read(path))?;
            bar.inc(samples.len() as u64);
        }
        let steps = self.positions.div_ceil(plan.batch as u64) * plan.epochs as u64;
        let (begin, trained_before) = (Instant::now(), state.loss.count);
        let mut saved = begin;
        loop {
            reader.read(&mut samples, plan.batch).with_context(|| cannot_read(path))?;
            if samples.is_empty() {
                break;
            }
            let loss = trainer.step(&samples, plan.rate(trainer.steps(), steps));
            ensure!(
                loss.invalid == 0,
                "cannot read '{}': batch {} has {} records that are no positions",
                path.display(),
                state.batches + 1,
                loss.invalid
            );
            state.loss.sum += loss.sum;
            state.loss.count += loss.count;
            state.batches += 1;
            let speed = (state.loss.count - trained_before) as f64 / begin.elapsed().as_secs_f64();
            bar.inc(samples.len() as u64);
            bar.set_message(format!("loss {:.6}, {speed:.0} positions/s", state.loss.mean()));
            if self.interrupt.is_set() {
                bar.finish_and_clear();
                return Ok(false);
            }
            if saved.elapsed() > CHECKPOINT_INTERVAL {
                save(&self.args.checkpoint_file(), trainer, state)?;
                saved = Instant::now();
            }
        }
        let validation = self.validate(trainer)?;
        bar.finish_and_clear();
        let seconds = begin.elapsed().as_secs_f64();
        state.history.push(Epoch {
            epoch: number,
            train: state.loss.mean(),
            validation: validation
                .map(|losses| losses.iter().fold(state::Sum::default(), |all, &loss| all + loss).mean()),
            phases: validation.map(|losses| losses.map(|loss| (loss.count > 0).then(|| loss.mean()))),
            rate: plan.rate(trainer.steps().saturating_sub(1), steps),
            positions_per_second: (state.loss.count - trained_before) as f64 / seconds,
        });
        state.loss = state::Sum::default();
        state.batches = 0;
        Ok(true)
    }

    /// The loss by phase of the positions to validate with.
    fn validate(&self, trainer: &Trainer) -> anyhow::Result<Option<[state::Sum; PHASES.len()]>> {
        let Some(path) = &self.args.validation else { return Ok(None) };
        let mut reader = open(path)?;
        let mut samples: Vec<Sample> = Vec::new();
        let mut total = [state::Sum::default(); PHASES.len()];
        loop {
            reader.read(&mut samples, VALIDATION_CHUNK).with_context(|| cannot_read(path))?;
            if samples.is_empty() {
                return Ok(Some(total));
            }
            let losses: [Loss; PHASES.len()] = trainer.loss(&samples);
            let invalid: u64 = losses.iter().map(|loss| loss.invalid).sum();
            ensure!(invalid == 0, "cannot read '{}': {invalid} records are no positions", path.display());
            for (total, loss) in total.iter_mut().zip(losses) {
                *total = *total + state::Sum { sum: loss.sum, count: loss.count };
            }
        }
    }
}
