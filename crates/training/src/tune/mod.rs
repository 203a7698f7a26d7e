//! Fits the weights of the evaluation to game results.
//!
//! The method is Peter Österlund's Texel tuning (2014), with the gradient in closed form as in Andrew Grant's
//! "Evaluation & Tuning in Chess Engines" (2020). Each position is traced once into counts of the weights. Its value is
//! a tapered sum over these counts, plus king safety and complexity, which are not linear. An optimiser then moves the
//! weights against the gradient of the loss between predicted and actual results.
//!
//! A fit has four steps: [`records`](bartizan_games::records) reads files, a [`Collector`] selects positions, a
//! [`Tracer`] turns them into counts, and a [`Fit`] changes the weights.
//!
//! ```
//! use bartizan_games::records::{RecordFormat, Records};
//! use bartizan_training::tune::{
//!     Collector, Fit, FitSettings, HandCraftedModel, Model, Selection, Tracer, TrainingData, WeightsFile, fit_scaling,
//! split, };
//! use std::path::Path;
//!
//! // Select positions and hold out a fifth of the games. For a file, use `Records::open`.
//! let file = "4k3/8/8/8/8/8/PP6/4K3 w - - c9 \"1-0\";\n4k3/pp6/8/8/8/8/P7/4K3 w - - c9 \"0-1\";\n";
//! let mut collector = Collector::new(Selection::default());
//! for record in Records::of(Path::new("positions.epd"), file.as_bytes(), RecordFormat::Epd)? {
//!     collector.add(&record?);
//! }
//! let (samples, report) = collector.finish();
//! assert_eq!(report.taken, 2);
//! let (train, held_out) = split(samples, 0.2, 1);
//!
//! // Turn the positions into counts of the weights of this engine's evaluation.
//! let model = HandCraftedModel::new();
//! let tracer = Tracer { model: &model, resolve: None, threads: 2 };
//! let trace = |samples: &[_]| tracer.trace(samples, |_| true).expect("the progress function never stops it").0;
//! let data = TrainingData { train: trace(&train), held_out: trace(&held_out) };
//!
//! // Fit the weights.
//! let (layout, settings) = (model.layout(), FitSettings::default());
//! let scaling = fit_scaling(data.train.values(&model.start(), layout.safety, 2), settings.objective);
//! let mut fit = Fit::new(layout, model.start(), vec![false; layout.len()], scaling, settings);
//! let report = fit.epoch(layout, &data, 2, |_| true).expect("the progress function never stops it");
//! assert_eq!(report.epoch, 1);
//! println!("{}", model.source(&WeightsFile::round(layout, fit.best().0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Any evaluation that can count its weights can be fitted the same way. Implement [`Model`], or fill a [`Shard`]:
//!
//! ```
//! use bartizan_games::records::Points;
//! use bartizan_training::tune::{
//!     WeightCounts, Dataset, Fit, FitSettings, Layout, SafetyForm, Scaling, Shard, Term, TermKind, TrainingData,
//! };
//!
//! // One linear weight: the value of a queen.
//! let queen = Term { name: "queen".to_owned(), offset: 0, len: 1, kind: TermKind::Linear };
//! let layout = Layout { terms: vec![queen], safety: SafetyForm::default() };
//! let mut shard = Shard::default();
//! let mut counts = WeightCounts::default();
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
//! All results depend only on the data and the seed, not on the number of threads.

mod dataset;
mod fit;
mod gradient;
mod hand_crafted;
mod log;
mod model;
mod objective;
mod optimizer;
mod plot;
mod resolve;
mod run;
mod samples;
mod scaling;
mod select;
mod state;
mod summary;
mod trace;
mod tuning;
mod validate;
mod weights;

pub use dataset::{Dataset, Shard};
pub use fit::{EpochReport, Fit, FitSettings, TrainingData};
pub use gradient::{Form, GradientTotals};
pub use hand_crafted::HandCraftedModel;
pub use model::{Layout, Model, SafetyForm, Term, TermKind, UnknownTerm, WeightCounts, WeightPair};
pub use objective::{Objective, Scaling, Slope, Target, sigmoid};
pub use optimizer::Method;
pub use plot::chart;
pub use run::{CHECKPOINT, OUTPUTS, TuningEvent};
pub use samples::Samples;
pub use scaling::fit_scaling;
pub use select::{Collector, Selection, SelectionReport, TuningSample, split};
pub use state::{Checkpoint, TuningInputs, TuningSettings};
pub use summary::TuningSummary;
pub use trace::{TraceReport, Tracer};
pub use tuning::{BeginError, Tuning, Validation};
pub use validate::{GradientCheck, TraceCheck, check_gradient, check_trace};
pub use weights::{Differences, TermWeights, WeightsError, WeightsFile};
