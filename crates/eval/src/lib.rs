//! What a position is worth, without searching.
//!
//! ```
//! use bartizan_eval::{Evaluator, HandCrafted, evaluate};
//! use bartizan_position::Position;
//!
//! let position = Position::from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").unwrap();
//! assert!(evaluate(&position).0 > 500);
//! // The same from the other side.
//! assert_eq!(evaluate(&position), evaluate(&position.flipped()));
//!
//! // In a search the evaluator is told of each move, so that it has less to do at the leaves.
//! let mut evaluator = HandCrafted::new();
//! evaluator.reset(&position);
//! let mv = position.parse_uci("a1a8").unwrap();
//! let after = evaluator.play(&position, mv);
//! assert_eq!(evaluator.evaluate(&after), evaluate(&after));
//! evaluator.undo();
//! assert_eq!(evaluator.evaluate(&position), evaluate(&position));
//! ```
//!
//! The evaluation is a sum of white-minus-black terms, each a middlegame/endgame pair of [`weights`], tapered by the
//! material that is left; only king danger and complexity are not linear. [`trace()`] takes it apart for the tuner,
//! [`explain()`] for people.

mod cache;
mod context;
mod endgame;
mod evaluation;
mod evaluator;
mod explain;
mod formula;
mod phase;
mod side;
mod spans;
mod tally;
mod terms;
mod trace;
mod wdl;
pub mod weights;

pub use cache::CacheStats;
pub use endgame::{KNOWN_WIN, ORDINARY_MAX};
pub use evaluation::evaluate;
pub use evaluator::{Evaluator, HandCrafted};
pub use explain::{Colored, Explanation, PieceWorth, Reason, Row, explain};
pub use formula::{DANGER_EG_DIVISOR, DANGER_MG_DIVISOR, FULL_SCALE, Halves};
pub use phase::Phase;
pub use trace::{Count, Trace, Tracing, trace, value_of};
pub use wdl::{Material, WdlModel, internal, shown, win_draw_loss};
