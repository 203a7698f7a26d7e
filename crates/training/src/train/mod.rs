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
pub use model::Model;
pub use plan::Plan;
pub use plot::chart;
pub use state::{Epoch, EpochChange, ResumeError, State};
pub use trainer::{Loss, PHASES, Settings, Trainer};
pub use training::{Progress, Training};
