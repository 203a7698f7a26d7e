#![doc = include_str!("../README.md")]
//!
//! The method is that of Peter Österlund's Texel (2014), with the gradient in closed form as in Andrew Grant's
//! "Evaluation & Tuning in Chess Engines" (2020). Each position is traced once into counts of the weights. Its value is
//! a tapered sum over these counts, plus king safety and complexity, which are not linear. An optimiser then moves the
//! weights against the gradient of the loss between predicted and real results.
//!
//! A fit in four steps: [`records`](bartizan_games::records) reads files, a [`Collector`] selects positions, a [`Tracer`] turns them into counts,
//! and a [`Fit`] changes the weights.
//!
//! Any evaluation that can count its weights is fitted in the same way. Implement [`Model`], or fill a [`Shard`]:
//!
//! ```
//! use bartizan_games::records::Points;
//! use bartizan_tuner::{
//!     Counts, Dataset, Fit, FitSettings, Layout, SafetyForm, Scaling, Shard, Term, TermKind, TrainingData,
//! };
//!
//! // One linear weight: the value of a queen.
//! let queen = Term { name: "queen".to_owned(), offset: 0, len: 1, kind: TermKind::Linear };
//! let layout = Layout { terms: vec![queen], safety: SafetyForm::default() };
//! let mut shard = Shard::default();
//! let mut counts = Counts::default();
//! let (win, draw, loss) = (Points::WIN, Points::DRAW, Points::LOSS);
//! for (queens, result) in [(1, win), (1, win), (1, loss), (0, draw), (-1, loss), (-1, draw)] {
//!     counts.clear();
//!     counts.mg_share = 1.0;
//!     counts.add(0, queens);
//!     shard.push(&counts, result, None);
//! }
//! let data = TrainingData { train: Dataset::new(vec![shard]), held_out: Dataset::default() };
//! let mut settings = FitSettings::default();
//! (settings.rate, settings.rate_epochs, settings.batch) = (10.0, 50, 0);
//! let scaling = Scaling { per_cp: 0.005, draw_margin: 0.0 };
//! let mut fit = Fit::new(&layout, vec![[0.0, 0.0]], vec![false], scaling, settings);
//! for _ in 0..200 {
//!     fit.epoch(&layout, &data, 1, |_| true);
//! }
//! // The side with the queen scored 3.5 of 5 points, 0.7: that is 169.5 centipawns on this scale.
//! assert!((fit.best().0[0][0] - 169.5).abs() < 10.0, "{:?}", fit.best());
//! ```
//!
//! [`wdl`] fits the chances of win, draw and loss at a score.
//!
//! All results depend on the data and the seed alone, not on the number of threads.

mod dataset;
mod fit;
mod gradient;
mod hand_crafted;
mod model;
mod objective;
mod optimizer;
mod parallel;
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
pub use optimizer::Method;
pub use safety::SafetyForm;
pub use scaling::fit_scaling;
pub use select::{Collector, Sample, Selection, SelectionReport, split};
pub use trace::{TraceReport, Tracer};
pub use validate::{GradientCheck, TraceCheck, check_gradient, check_trace};
pub use weights::{Differences, TermWeights, Weights, WeightsError};
