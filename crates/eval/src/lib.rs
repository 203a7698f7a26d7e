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
//! The evaluation is a sum of white-minus-black terms, each a middlegame/endgame pair, tapered by the material that is
//! left. For now the terms are material and piece-square tables.

mod evaluator;
pub mod params;
mod phase;
mod psqt;
mod wdl;

pub use evaluator::{Evaluator, HandCrafted, evaluate};
pub use phase::Phase;
pub use wdl::win_draw_loss;
