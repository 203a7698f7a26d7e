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
mod spans;
mod tally;
mod terms;
mod trace;
mod wdl;
pub mod weights;

pub use cache::CacheStats;
pub use endgame::{KNOWN_WIN, ORDINARY_MAX, drawn_lead, known_value};
pub use evaluation::evaluate;
pub use evaluator::{Evaluator, Follower, HandCrafted};
pub use explain::{Colored, Explanation, PieceWorth, Reason, Row, WorthBoard, explain};
pub use formula::{DANGER_EG_DIVISOR, DANGER_MG_DIVISOR, FULL_SCALE, Halves};
pub use phase::Phase;
pub use trace::{Count, Trace, Tracing, trace, value_of};
pub use wdl::{Material, TABLE_WIN_SHOWN, WdlModel, internal, shown, win_draw_loss};
