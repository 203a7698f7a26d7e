//! Won, drawn or lost.

use std::fmt;

/// What a position is worth for the side to move, if both sides play best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TheoreticalResult {
    /// It loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// It wins.
    Win,
}

impl TheoreticalResult {
    /// The result for the other side.
    #[must_use]
    pub const fn flip(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// "win", "draw" or "loss".
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }

    /// 1 for a win, 0 for a draw, −1 for a loss.
    pub const fn sign(self) -> i32 {
        self as i32 - 1
    }
}

/// "won", "drawn" or "lost".
impl fmt::Display for TheoreticalResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "lost",
            Self::Draw => "drawn",
            Self::Win => "won",
        })
    }
}
