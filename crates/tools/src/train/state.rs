//! What a checkpoint keeps beside the model: the settings, the place in the data, and the losses so far.

use super::args::Plan;
use bartizan_training::train::PHASES;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The state of a training.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) plan: Plan,
    /// Where `--resume` came with another number of epochs.
    #[serde(default)]
    pub(super) changes: Vec<EpochChange>,
    /// The SHA-256 of the data.
    pub(super) data: String,
    /// Batches of the epoch that is under way.
    pub(super) batches: u64,
    /// The loss of these batches.
    pub(super) loss: Sum,
    /// The epochs that are done.
    pub(super) history: Vec<Epoch>,
}

/// Another number of epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EpochChange {
    /// The epochs that were done.
    pub(super) done: usize,
    /// The number of all epochs from then on.
    pub(super) epochs: usize,
}

impl State {
    /// The state before the first batch.
    pub(super) fn new(plan: Plan, data: String) -> Self {
        Self { plan, changes: Vec::new(), data, batches: 0, loss: Sum::default(), history: Vec::new() }
    }

    /// Notes the number of epochs of a command line.
    pub(super) fn plan_epochs(&mut self, epochs: usize) {
        if self.changes.last().map_or(self.plan.epochs, |change| change.epochs) != epochs {
            self.changes.push(EpochChange { done: self.history.len(), epochs });
        }
    }
}

/// A sum of losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sum {
    pub(super) sum: f64,
    pub(super) count: u64,
}

impl Sum {
    pub(super) fn mean(self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

impl std::ops::Add for Sum {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { sum: self.sum + other.sum, count: self.count + other.count }
    }
}

/// The report of an epoch. Losses are mean squared errors of the expected result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Epoch {
    pub(super) epoch: usize,
    pub(super) train: f64,
    pub(super) validation: Option<f64>,
    /// The validation loss by phase, in the order of [`PHASES`]; `None` for a phase without positions.
    pub(super) phases: Option<[Option<f64>; PHASES.len()]>,
    /// The learning rate at the end.
    pub(super) rate: f32,
    pub(super) positions_per_second: f64,
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
