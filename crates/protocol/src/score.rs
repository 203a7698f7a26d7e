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

/// As in UCI: `cp 13`, `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(centipawns) => write!(f, "cp {centipawns}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
