//! The state that a checkpoint keeps beside the model: settings, place in the data, and losses so far.

use super::{CheckpointError, Loss, PHASES, Trainer, TrainingPlan};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The state of a training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrainingState {
    /// The settings.
    pub plan: TrainingPlan,
    /// Where the training was resumed with a different number of epochs.
    #[serde(default)]
    pub changes: Vec<EpochChange>,
    /// The SHA-256 of the data.
    pub data: String,
    /// Batches done in the current epoch.
    pub batches: u64,
    /// The loss of these batches.
    pub loss: Loss,
    /// The epochs that are done.
    pub history: Vec<Epoch>,
}

/// A training cannot be continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The checkpoint is incomplete or damaged.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// It has no state.
    #[error(transparent)]
    State(#[from] serde_json::Error),
    /// A setting differs.
    #[error("it was trained with another --{0}")]
    Setting(&'static str),
    /// More epochs have been done than requested.
    #[error("{done} epochs are already done, more than --epochs {epochs}")]
    Done {
        /// Epochs that are done.
        done: usize,
        /// Epochs that are wanted.
        epochs: usize,
    },
}

/// Another number of epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpochChange {
    /// The epochs that were done.
    pub done: usize,
    /// The total number of epochs from then on.
    pub epochs: usize,
}

impl TrainingState {
    /// The state before the first batch.
    pub fn new(plan: TrainingPlan, data: String) -> Self {
        Self { plan, changes: Vec::new(), data, batches: 0, loss: Loss::default(), history: Vec::new() }
    }

    /// Restores the state and training of a checkpoint to continue it with `plan`, which may have another number of
    /// epochs.
    ///
    /// # Errors
    /// If the bytes are not a complete and undamaged checkpoint with such a state, if another setting differs, or if
    /// more epochs have been done than requested.
    pub fn resume(bytes: &[u8], plan: &TrainingPlan) -> Result<(Trainer, Self), ResumeError> {
        let (trainer, note) = Trainer::from_checkpoint(bytes)?;
        let mut state: Self = serde_json::from_str(&note)?;
        if let Some(setting) = plan.difference(&state.plan) {
            return Err(ResumeError::Setting(setting));
        }
        let (done, epochs) = (state.history.len(), plan.epochs);
        if epochs < done {
            return Err(ResumeError::Done { done, epochs });
        }
        if state.changes.last().map_or(state.plan.epochs, |change| change.epochs) != epochs {
            state.changes.push(EpochChange { done, epochs });
        }
        Ok((trainer, state))
    }

    /// Serialises the training with this state.
    ///
    /// # Errors
    /// If the state cannot be written as JSON.
    pub fn to_checkpoint(&self, trainer: &Trainer) -> Result<Vec<u8>, serde_json::Error> {
        Ok(trainer.to_checkpoint(&serde_json::to_string(self)?))
    }
}

/// The report of an epoch. Losses are mean squared errors of the expected result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// The number of the epoch, from 1.
    pub epoch: usize,
    /// The training loss.
    pub train: f64,
    /// The validation loss.
    pub validation: Option<f64>,
    /// The validation loss by phase, in the order of [`PHASES`]; `None` for a phase without positions.
    pub phases: Option<[Option<f64>; PHASES.len()]>,
    /// The learning rate at the end of the epoch.
    pub rate: f32,
    /// The speed.
    pub positions_per_second: f64,
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "epoch {:>3}  loss {:.6}", self.epoch, self.train)?;
        if let (Some(validation), Some(phases)) = (self.validation, self.phases) {
            write!(f, "  validation {validation:.6} (")?;
            for (number, ((name, _), loss)) in PHASES.into_iter().zip(phases).enumerate() {
                write!(f, "{}{name} ", if number > 0 { ", " } else { "" })?;
                match loss {
                    Some(loss) => write!(f, "{loss:.6}")?,
                    None => f.write_str("–")?,
                }
            }
            write!(f, ")")?;
        }
        write!(f, "  rate {:.6}  {:.0} positions/s", self.rate, self.positions_per_second)
    }
}
