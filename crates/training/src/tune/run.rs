//! The epochs of a run, and the files that it leaves in its folder.

use super::log::{self, CHART, LOSSES, replace};
use super::{Checkpoint, EpochReport, HandCraftedModel, Tuning, TuningInputs, TuningSummary};
use crate::error::Error;
use std::path::Path;

/// The file in the folder of a run from which it is continued.
pub const CHECKPOINT: &str = "checkpoint.json";
const WEIGHTS: &str = "weights.json";
const SUMMARY: &str = "summary.json";

/// The files in the folder of a run.
pub const OUTPUTS: [&str; 5] = [CHECKPOINT, WEIGHTS, SUMMARY, LOSSES, CHART];

/// What happens in a run. The positions of [`TuningEvent::Done`] are reported on any thread.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TuningEvent<'a> {
    /// So many positions are traced next.
    Trace(usize),
    /// So many positions are fitted to next.
    Fit(usize),
    /// Some of these positions are done.
    Done(usize),
    /// All of them are.
    End,
    /// The losses of an epoch, and the positions of each second; `None` for the losses before the first epoch.
    Epoch(&'a EpochReport, Option<f64>),
}

impl Tuning<'_> {
    /// Runs epochs until the limit or the end of progress, and writes the files of the folder after each of them and at
    /// the end. Stopped in an epoch, it ends with the best weights so far. `None` if it was stopped between two epochs,
    /// while positions were traced again: then the files of the last epoch are left.
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
