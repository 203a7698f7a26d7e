//! Position learning: what a deep search found out against the word of the shallower ones is kept for the next games.
//!
//! The idea is that of the learning in Crafty (Robert Hyatt, "Book learning and position learning", 1999) and Arasan: a
//! few positions with their scores go to a file, and from there into the hash table, so that the search that leads to them
//! sees what it did not see before.

mod file;
mod learner;
mod record;

pub use file::{Damage, LearningError, LearningFile, MOST_RECORDS, merge, prune};
pub(crate) use learner::Learner;
pub use record::{Record, RecordError};
