//! The epochs of a run, and the files that it writes to its folder.

use super::log::{self, CHART, LOSSES, replace};
use super::{Checkpoint, EpochReport, HandCraftedModel, Tuning, TuningInputs, TuningSummary};
use crate::error::Error;
use std::path::Path;

/// The file in a run's folder from which it is resumed.
pub const CHECKPOINT: &str = "checkpoint.json";
const WEIGHTS: &str = "weights.json";
const SUMMARY: &str = "summary.json";

/// The files in the folder of a run.
pub const OUTPUTS: [&str; 5] = [CHECKPOINT, WEIGHTS, SUMMARY, LOSSES, CHART];

/// Progress events of a run. The positions of [`TuningEvent::Done`] may be reported from any thread.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TuningEvent<'a> {
    /// Tracing begins, with this number of positions.
    Trace(usize),
    /// An epoch begins, with this number of positions.
    Fit(usize),
    /// This number of positions is done.
    Done(usize),
    /// All of them are.
    End,
    /// The losses of an epoch, and its positions per second; `None` for the losses before the first epoch.
    Epoch(&'a EpochReport, Option<f64>),
}

impl Tuning<'_> {
    /// Runs epochs until the limit or until progress ends, and writes the files of the folder after each epoch and at
    /// the end. If stopped within an epoch, it ends with the best weights so far. `None` if stopped between two epochs
    /// while positions were traced again; the files are then those of the last epoch.
    ///
    /// # Errors
    /// If a file cannot be written; [`Error::Diverged`].
    pub fn run(
        &mut self,
        model: &HandCraftedModel,
        inputs: &TuningInputs,
        checkpoint: &mut Checkpoint,
        folder: &Path,
        event: impl Fn(TuningEvent<'_>) + Sync,
    ) -> Result<Option<TuningSummary>, Error> {
        checkpoint.inputs = Some(inputs.clone());
        if checkpoint.fit.history().is_empty() {
            event(TuningEvent::Epoch(&self.measure_start(checkpoint), None));
        }
        let mut complete = true;
        while checkpoint.fit.epochs() < inputs.epochs && checkpoint.fit.stale() < inputs.patience {
            if self.is_refresh_due(checkpoint) {
                event(TuningEvent::Trace(self.samples().train.len() + self.samples().held_out.len()));
                if self.refresh(checkpoint, |positions| event(TuningEvent::Done(positions))).is_none() {
                    return Ok(None);
                }
                event(TuningEvent::End);
            }
            let positions = self.data().train.len();
            event(TuningEvent::Fit(positions));
            let report = self.epoch(checkpoint, |positions| event(TuningEvent::Done(positions)));
            event(TuningEvent::End);
            let Some(report) = report else {
                complete = false;
                break;
            };
            let seconds = checkpoint.seconds.last().copied().unwrap_or(f64::INFINITY);
            event(TuningEvent::Epoch(&report, Some(positions as f64 / seconds)));
            if !checkpoint.fit.is_finite() {
                return Err(Error::Diverged(report.epoch));
            }
            self.save(checkpoint, folder)?;
        }
        self.save(checkpoint, folder)?;
        let (weights, loss) = self.rounded(checkpoint);
        replace(&folder.join(WEIGHTS), &weights.to_json())?;
        if let Some(file) = &inputs.source {
            replace(file, &model.source(&weights))?;
        }
        let summary = TuningSummary::new(&inputs.data, checkpoint, self, loss, complete);
        replace(&folder.join(SUMMARY), &serde_json::to_string_pretty(&summary)?)?;
        Ok(Some(summary))
    }

    fn save(&self, checkpoint: &Checkpoint, folder: &Path) -> Result<(), Error> {
        replace(&folder.join(CHECKPOINT), &serde_json::to_string(checkpoint)?)?;
        log::write(checkpoint, self.data().train.len(), folder)
    }
}
