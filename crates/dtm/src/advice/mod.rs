//! Explains chess endings: the value of a position with and without the 50-move rule, the effect of each move, the plan
//! in words, and a line of best play.

mod error;
mod html;
mod json;
mod plan;
mod position;
mod tables;
mod text;
mod theoretical_result;

pub use error::AdviceError;
pub use plan::{Plan, plan};
pub use position::{Advice, AdvisedMove, Verdict};
pub use tables::{AdviceTables, PositionValue};
pub use theoretical_result::TheoreticalResult;
