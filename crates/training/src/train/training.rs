//! Training on a file of positions.

use super::{Epoch, Loss, PHASES, Trainer, TrainingPlan, TrainingState};
use crate::error::{Error, FileAction};
use crate::positions::{POSITIONS_MAGIC, PositionSample, SAMPLE_SIZE, SampleReader};
use bartizan_parallel::StopFlag;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Instant;

/// Positions per validation step.
const VALIDATION_CHUNK: usize = 65_536;

/// What all epochs share.
pub struct Training<'a> {
    plan: &'a TrainingPlan,
    data: &'a Path,
    validation: Option<&'a Path>,
    positions: u64,
    stop: &'a StopFlag,
}

/// Progress of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress {
    /// Positions since the last report.
    pub positions: usize,
    /// The mean loss so far.
    pub loss: f64,
    /// Positions per second; 0 for those trained before the training was resumed.
    pub speed: f64,
}

impl<'a> Training<'a> {
    /// Training on a file of positions, with another one for validation.
    ///
    /// # Errors
    /// If a file is not a file of positions, or is empty.
    pub fn new(
        plan: &'a TrainingPlan,
        data: &'a Path,
        validation: Option<&'a Path>,
        stop: &'a StopFlag,
    ) -> Result<Self, Error> {
        validation.map(count).transpose()?;
        Ok(Self { plan, data, validation, positions: count(data)?, stop })
    }

    /// The number of training positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Trains with all positions, or the rest of them, and validates. `after` is called after each step. Returns false
    /// if the training was stopped.
    ///
    /// # Errors
    /// If a file cannot be read; those of `after`.
    pub fn epoch<E: From<Error>>(
        &self,
        trainer: &mut Trainer,
        state: &mut TrainingState,
        mut after: impl FnMut(&Trainer, &TrainingState, TrainingProgress) -> Result<(), E>,
    ) -> Result<bool, E> {
        let (plan, number) = (self.plan, state.history.len() + 1);
        let mut reader = open(self.data)?;
        let mut samples = Vec::new();
        for _ in 0..state.batches {
            read(&mut reader, &mut samples, plan.batch, self.data)?;
            after(trainer, state, TrainingProgress { positions: samples.len(), loss: state.loss.mean(), speed: 0.0 })?;
        }
        let steps = self.positions.div_ceil(plan.batch as u64) * plan.epochs as u64;
        let (begin, trained_before) = (Instant::now(), state.loss.count);
        let speed = |state: &TrainingState| (state.loss.count - trained_before) as f64 / begin.elapsed().as_secs_f64();
        loop {
            read(&mut reader, &mut samples, plan.batch, self.data)?;
            if samples.is_empty() {
                break;
            }
            let loss = trainer.step(&samples, plan.rate(trainer.steps(), steps));
            if loss.invalid > 0 {
                let (batch, invalid) = (state.batches + 1, loss.invalid);
                let error = format!("batch {batch} has {invalid} records that are no positions");
                return Err(FileAction::Read.failed(self.data)(error).into());
            }
            state.loss += loss;
            state.batches += 1;
            let progress = TrainingProgress { positions: samples.len(), loss: state.loss.mean(), speed: speed(state) };
            after(trainer, state, progress)?;
            if self.stop.is_stopped() {
                return Ok(false);
            }
        }
        let validation = self.validate(trainer)?;
        let total = |losses: [Loss; PHASES.len()]| {
            let mut total = Loss::default();
            losses.into_iter().for_each(|loss| total += loss);
            total.mean()
        };
        state.history.push(Epoch {
            epoch: number,
            train: state.loss.mean(),
            validation: validation.map(total),
            phases: validation.map(|losses| losses.map(|loss| (loss.count > 0).then(|| loss.mean()))),
            rate: plan.rate(trainer.steps().saturating_sub(1), steps),
            positions_per_second: speed(state),
        });
        state.loss = Loss::default();
        state.batches = 0;
        Ok(true)
    }

    /// The validation loss by phase.
    fn validate(&self, trainer: &Trainer) -> Result<Option<[Loss; PHASES.len()]>, Error> {
        let Some(path) = self.validation else { return Ok(None) };
        let mut reader = open(path)?;
        let mut samples: Vec<PositionSample> = Vec::new();
        let mut total = [Loss::default(); PHASES.len()];
        loop {
            read(&mut reader, &mut samples, VALIDATION_CHUNK, path)?;
            if samples.is_empty() {
                return Ok(Some(total));
            }
            total.iter_mut().zip(trainer.loss(&samples)).for_each(|(total, loss)| *total += loss);
            let invalid: u64 = total.iter().map(|loss| loss.invalid).sum();
            if invalid > 0 {
                return Err(FileAction::Read.failed(path)(format!("{invalid} records are no positions")));
            }
        }
    }
}

fn open(path: &Path) -> Result<SampleReader<BufReader<File>>, Error> {
    let file = bartizan_files::open_regular(path).map_err(FileAction::Read.failed(path))?;
    SampleReader::new(BufReader::new(file)).map_err(FileAction::Read.failed(path))
}

fn read(
    reader: &mut SampleReader<BufReader<File>>,
    samples: &mut Vec<PositionSample>,
    count: usize,
    path: &Path,
) -> Result<(), Error> {
    reader.read(samples, count).map_err(FileAction::Read.failed(path))
}

/// The number of positions in a file, which must not be 0.
fn count(path: &Path) -> Result<u64, Error> {
    open(path)?;
    let metadata = std::fs::metadata(path).map_err(FileAction::Read.failed(path))?;
    if has_holes(&metadata) {
        return Err(FileAction::Read.failed(path)("most of it was never written"));
    }
    let length = metadata.len().saturating_sub(POSITIONS_MAGIC.len() as u64);
    if !length.is_multiple_of(SAMPLE_SIZE as u64) {
        return Err(FileAction::Read.failed(path)("its last record is cut off"));
    }
    if length == 0 { Err(Error::NoPositions(path.to_owned())) } else { Ok(length / SAMPLE_SIZE as u64) }
}

/// Whether most of a file takes up no space. Real positions always do, even on compressing file systems.
#[cfg(unix)]
fn has_holes(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    /// Space that a file system keeps beside a file's blocks.
    const SMALL: u64 = 1 << 20;
    metadata.len() > SMALL && metadata.blocks() * 512 < metadata.len() / 8
}

#[cfg(not(unix))]
fn has_holes(_: &std::fs::Metadata) -> bool {
    false
}
