#![doc = include_str!("../README.md")]

mod checkpoint;
mod example;
mod factors;
mod grow;
mod model;
mod parts;
mod trainer;

pub use checkpoint::CheckpointError;
pub use example::Example;
pub use model::Model;
pub use trainer::{Loss, PHASES, Settings, Trainer};
