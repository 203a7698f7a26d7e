//! Trains the networks of [`bartizan_network`] on positions from games: AdamW on all cores, reproducible to the byte
//! for the same data, settings and number of threads.

mod checkpoint;
mod example;
mod factors;
mod grow;
mod model;
mod pass;
mod plan;
mod plot;
mod state;
mod trainer;
mod training;

pub use checkpoint::CheckpointError;
pub use example::Example;
pub use model::FloatNetwork;
pub use plan::TrainingPlan;
pub use plot::chart;
pub use state::{Epoch, EpochChange, ResumeError, TrainingState};
pub use trainer::{Loss, PHASES, Trainer, TrainerSettings};
pub use training::{Training, TrainingProgress};
