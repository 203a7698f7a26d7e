//! Fits a [`WdlModel`](bartizan_eval::WdlModel) to games: the chances of win, draw and loss at a score.
//!
//! [`Outcomes`] counts the results of positions by material and score. [`fit_wdl`] finds the model with the maximum
//! likelihood. [`by_score`] and [`by_material`] compare its predictions with the observed results. [`WdlSummary::fit`]
//! does all of this for files of games.

mod calibration;
mod data;
mod fit;
mod outcomes;
mod plot;
mod point;
mod summary;
mod table;

pub use calibration::{Bucket, by_material, by_score};
pub use data::{Data, WdlDataCounts, WdlSettings};
pub use fit::{WdlFit, fit_wdl, log_likelihood};
pub use outcomes::{Cell, Outcomes};
pub use plot::chart;
pub use summary::{FitError, WdlSummary};
