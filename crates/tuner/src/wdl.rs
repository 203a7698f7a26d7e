//! How scores turn into results: the fit of [`WdlModel`](bartizan_eval::WdlModel) to games.
//!
//! [`Outcomes`] counts what became of positions by material and score, [`fit_wdl`] finds the model under which those results
//! are most likely.

mod calibration;
mod fit;
mod outcomes;
mod point;

pub use calibration::{Bucket, by_material, by_score};
pub use fit::{WdlFit, fit_wdl, log_likelihood};
pub use outcomes::{Cell, Outcomes};
