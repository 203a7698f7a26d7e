//! Fits the weights of an evaluation to the results of games.
//!
//! Peter Österlund's method for Texel (2014), with the gradient in closed form (as Andrew Grant describes it in
//! "Evaluation & Tuning in Chess Engines", 2020): each position is traced once into counts of the weights that its value
//! comes from; the value is a sum over those counts, tapered, plus king safety and complexity, which are not linear; the
//! weights go down the slope of the loss between foretold and real results.
//!
//! ```
//! use bartizan_position::Position;
//! use bartizan_tuner::{
//!     Counts, Dataset, Fit, FitSettings, Layout, Method, Model, Objective, Pair, SafetyForm, Shard, Term, TermKind,
//!     TrainingData, fit_scaling, Scaling,
//! };
//!
//! // One weight: a queen more.
//! let queen = Term { name: "queen".to_owned(), offset: 0, len: 1, kind: TermKind::Linear };
//! let layout = Layout { terms: vec![queen], safety: SafetyForm::default() };
//! let mut shard = Shard::default();
//! let mut counts = Counts::default();
//! for (queens, result) in [(1, 2), (1, 2), (1, 0), (0, 1), (-1, 0), (-1, 1)] {
//!     counts.clear();
//!     counts.mg_share = 1.0;
//!     counts.add(0, queens);
//!     shard.push(&counts, result, None);
//! }
//! let data = TrainingData { train: Dataset::new(vec![shard]), held_out: Dataset::default() };
//! let settings = FitSettings {
//!     objective: Objective::SquaredError,
//!     method: Method::Adam,
//!     rate: 10.0,
//!     rate_factor: 0.5,
//!     rate_epochs: 50,
//!     batch: 0,
//!     pull: 0.0,
//!     seed: 1,
//! };
//! let scaling = Scaling { per_cp: 0.005, draw_margin: 0.0 };
//! let mut fit = Fit::new(&layout, vec![[0.0, 0.0]], vec![false], scaling, settings);
//! for _ in 0..200 {
//!     fit.epoch(&layout, &data, 1, |_| true).unwrap();
//! }
//! // White scored 2 of 3 with it, black 1.5 of 2: about 0.7, which is 170 centipawns by that scale.
//! assert!((fit.best().0[0][0] - 169.5).abs() < 10.0, "{:?}", fit.best());
//! ```
//!
//! Files of games are read by [`games`], positions chosen by [`Collector`], [`split`] by games and counted by [`Tracer`].
//! [`wdl`] fits how scores turn into results.
//! Nothing here prints. All results depend on the data and the seed alone, not on the number of threads.
#![deny(missing_docs)]

mod dataset;
mod fit;
pub mod games;
mod gradient;
mod hand_crafted;
mod model;
mod objective;
mod optimizer;
mod resolve;
mod safety;
mod scaling;
mod select;
mod trace;
mod validate;
pub mod wdl;
mod weights;

pub use dataset::{Dataset, Shard};
pub use fit::{EpochReport, Fit, FitSettings, TrainingData};
pub use gradient::{Form, Totals};
pub use hand_crafted::HandCraftedModel;
pub use model::{Counts, Layout, Model, Pair, Term, TermKind, UnknownTerm};
pub use objective::{Objective, Scaling, Slope, Target, sigmoid};
pub use optimizer::{Method, Optimizer};
pub use safety::SafetyForm;
pub use scaling::fit_scaling;
pub use select::{Collector, Sample, Selection, SelectionReport, split};
pub use trace::{TraceReport, Tracer};
pub use validate::{GradientCheck, TraceCheck, check_gradient, check_trace};
pub use weights::{Differences, TermWeights, Weights, WeightsError};
