//! The judgement of a game: the loss and class of each move, accuracy, opening, phases, times, turning points.
//!
//! Every number follows from the evaluations of the positions by a public formula; see the pages of the functions.

mod accuracy;
mod class;
mod clock;
mod counts;
mod game;
mod phase;
mod refutation;
mod win;

pub use accuracy::{START, game_accuracy, move_accuracy};
pub use class::{Judgement, MoveClass};
pub use clock::{MoveTime, TimeControl};
pub use counts::JudgementCounts;
pub(crate) use game::main_line;
pub use game::{JudgedGame, JudgedMove, SideAccuracy, moves_of};
pub use phase::Phase;
pub use win::{DECIDED, centipawns, of_side, win_percent};
