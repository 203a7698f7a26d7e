//! Scores in the unit that the protocols use.

use std::fmt;

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves (not plies) to mate: negative if the side to move is mated, 0 if it is mated already.
    Mate(i32),
}

impl Score {
    /// Centipawns that stand for a mate, less one for each move to it.
    pub const MATE: i32 = 100_000;

    /// The score as one number of centipawns, by which scores can be compared. Distances beyond 1,000 moves are 1,000.
    ///
    /// ```
    /// use bartizan_protocol::Score;
    /// assert_eq!(Score::Cp(-30).centipawns(), -30);
    /// assert_eq!(Score::Mate(3).centipawns(), 99_997);
    /// assert_eq!(Score::Mate(-2).centipawns(), -99_998);
    /// ```
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Cp(centipawns) => centipawns,
            Self::Mate(moves) if moves > 0 => Self::MATE - moves.min(1_000),
            Self::Mate(moves) => -Self::MATE - moves.max(-1_000),
        }
    }
}

/// As in UCI: `cp 13`, `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
