//! Scores of engines, as the referee uses them.

use bartizan_client::{Info, Score};

/// Centipawns that stand for a mate, less one for each move to it.
const MATE: i32 = 100_000;

/// Moves to the announced mate: positive if the engine mates, negative if it is mated.
pub(super) fn mate(info: &Info) -> Option<i32> {
    match info.score {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    }
}

/// The score in centipawns for the side to move. A mate counts more than any other score.
pub(super) fn centipawns(info: &Info) -> Option<i32> {
    info.score.map(|score| match score {
        Score::Cp(centipawns) => centipawns,
        Score::Mate(moves) if moves > 0 => MATE - moves.min(1_000),
        Score::Mate(moves) => -MATE - moves.max(-1_000),
    })
}
