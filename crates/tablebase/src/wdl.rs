//! Win, draw or loss.

use crate::Dtz;
use std::fmt;
use std::ops::Neg;

/// The result of a position for the side to move, if the halfmove clock is zero.
///
/// Results are ordered from the worst to the best: `Loss < BlessedLoss < Draw < CursedWin < Win`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the 50-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the 50-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    /// All results, worst first.
    pub const ALL: [Self; 5] = [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// Converts to the number that other programs use: −2 for a loss to 2 for a win.
    pub const fn to_int(self) -> i8 {
        self as i8 - 2
    }

    /// Converts from the values in the files: 0 to 4.
    pub(crate) fn from_stored(value: u16) -> Option<Self> {
        Self::ALL.get(usize::from(value)).copied()
    }

    /// The result under the 50-move rule: cursed wins and blessed losses become draws.
    ///
    /// ```
    /// use bartizan_tablebase::Wdl;
    ///
    /// assert_eq!(Wdl::CursedWin.with_50_moves(), Wdl::Draw);
    /// assert_eq!(Wdl::CursedWin.without_50_moves(), Wdl::Win);
    /// ```
    #[must_use]
    pub const fn with_50_moves(self) -> Self {
        match self {
            Self::CursedWin | Self::BlessedLoss => Self::Draw,
            other => other,
        }
    }

    /// The result without the 50-move rule: cursed wins become wins, blessed losses losses.
    #[must_use]
    pub const fn without_50_moves(self) -> Self {
        match self {
            Self::CursedWin => Self::Win,
            Self::BlessedLoss => Self::Loss,
            other => other,
        }
    }

    /// The distance if the best move is a capture or a pawn move.
    pub(crate) const fn before_zeroing(self) -> Dtz {
        Dtz(match self {
            Self::Loss => -1,
            Self::BlessedLoss => -101,
            Self::Draw => 0,
            Self::CursedWin => 101,
            Self::Win => 1,
        })
    }
}

/// The result for the other side.
impl Neg for Wdl {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "serde")]
    fn results_are_words_and_distances_numbers() {
        let json = serde_json::to_string(&(Wdl::ALL, Dtz(-101))).unwrap();
        assert_eq!(json, r#"[["loss","blessed_loss","draw","cursed_win","win"],-101]"#);
        assert_eq!(serde_json::from_str::<([Wdl; 5], Dtz)>(&json).unwrap(), (Wdl::ALL, Dtz(-101)));
    }

    #[test]
    fn numbers_round_trip() {
        for wdl in Wdl::ALL {
            assert_eq!(Wdl::from_stored((wdl.to_int() + 2) as u16), Some(wdl));
            assert_eq!((-wdl).to_int(), -wdl.to_int());
            assert_eq!(wdl.before_zeroing().wdl(), wdl);
        }
        assert_eq!((Wdl::ALL.map(Wdl::to_int), Wdl::from_stored(5)), ([-2, -1, 0, 1, 2], None));
    }
}
