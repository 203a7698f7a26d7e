//! Engine scores in the form that the referee uses.

use bartizan_client::{Info, Score};

/// Moves to the announced mate: positive if the engine mates, negative if it is mated.
pub(super) fn mate(info: &Info) -> Option<i32> {
    match info.score {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    }
}

/// The score in centipawns for the side to move. A mate counts more than any other score.
pub(super) fn centipawns(info: &Info) -> Option<i32> {
    info.score.map(Score::centipawns)
}
