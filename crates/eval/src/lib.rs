#![doc = include_str!("../README.md")]
//!
//! The evaluation is a sum of terms, white minus black. Each term is a middlegame/endgame pair of [`weights`], and the
//! sum is tapered by the game phase. All terms are linear in their weights except king danger and complexity.
//! [`trace()`] counts the weights for the tuner, [`explain()`] breaks down the evaluation for users.

mod cache;
mod context;
mod endgame;
mod evaluation;
mod evaluator;
mod explain;
mod formula;
pub mod kpk;
mod pawn_part;
mod phase;
mod side;
mod side_score;
mod spans;
mod terms;
mod trace;
mod wdl;
pub mod weights;

pub use cache::CacheStats;
pub use endgame::{KNOWN_WIN, ORDINARY_MAX, drawn_lead, known_value};
pub use evaluation::evaluate;
pub use evaluator::{Evaluator, HandCrafted, ScoreUpdater};
pub use explain::{Colored, ContributionBoard, Explanation, GroupRow, PieceContribution, Reason, Table, explain};
pub use formula::{DANGER_EG_DIVISOR, DANGER_MG_DIVISOR, FULL_SCALE, MgEg};
pub use phase::Phase;
pub use trace::{EvalTracer, Trace, WeightCount, trace, value_of};
pub use wdl::{MaterialCount, TABLE_WIN_SHOWN, WdlModel, internal, shown, win_draw_loss};
