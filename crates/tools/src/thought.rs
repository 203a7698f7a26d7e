//! Scores of engines, as a runner needs them.

use bartizan_client::{Info, Score};

/// What a mate counts for in rules about centipawns.
const MATE: i32 = 100_000;

/// The moves to the mate that an engine has announced: positive when it mates.
pub(crate) fn mate(info: &Info) -> Option<i32> {
    match info.score {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    }
}

/// The score in centipawns for the side to move; a mate counts for more than any other.
pub(crate) fn centipawns(info: &Info) -> Option<i32> {
    info.score.map(|score| match score {
        Score::Cp(centipawns) => centipawns,
        Score::Mate(moves) if moves > 0 => MATE - moves.min(1_000),
        Score::Mate(moves) => -MATE - moves.max(-1_000),
    })
}
