//! Scores of engines, as a runner needs them.

use bartizan_client::{Info, Score};

/// The moves to the mate that an engine has announced: positive when it mates.
pub(crate) fn mate(info: &Info) -> Option<i32> {
    match info.score {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    }
}
