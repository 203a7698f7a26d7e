#![doc = include_str!("../README.md")]

mod advice;
mod error;
mod html;
mod json;
mod outcome;
mod plan;
mod tables;
mod text;

pub use advice::{Advice, AdvisedMove, Verdict};
pub use error::AdviceError;
pub use outcome::Outcome;
pub use plan::{Plan, plan};
pub use tables::{Tables, Value};
