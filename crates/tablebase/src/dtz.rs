//! Distance to zeroing: the next capture or pawn move.

use crate::Wdl;
use std::fmt;

/// The number of plies to the next capture, pawn move or mate under best play: positive if the side to move wins,
/// negative if it loses, 0 for a draw. This is the "DTZ50″" of Ronald de Man's tables.
///
/// | value | meaning |
/// |---|---|
/// | 1 to 100 | a win, if the halfmove clock is zero |
/// | above 100 | a cursed win: the plies, plus 100 if only a later phase exceeds the 50-move rule |
/// | −1 to −100 | a loss |
/// | below −100 | a blessed loss |
///
/// The tables may round: the true distance may be one ply more. They are exact where rounding would turn a win into a
/// draw by the 50-move rule with a halfmove clock of zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Dtz(pub i32);

impl Dtz {
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// The number of plies, without the sign.
    pub const fn plies(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// The result if the halfmove clock is zero.
    ///
    /// ```
    /// use bartizan_tablebase::{Dtz, Wdl};
    ///
    /// assert_eq!(Dtz(-53).wdl(), Wdl::Loss);
    /// assert_eq!(Dtz(120).wdl(), Wdl::CursedWin);
    /// ```
    pub const fn wdl(self) -> Wdl {
        match self.0 {
            ..-100 => Wdl::BlessedLoss,
            -100..0 => Wdl::Loss,
            0 => Wdl::Draw,
            1..=100 => Wdl::Win,
            101.. => Wdl::CursedWin,
        }
    }

    /// The distance before a quiet move that leads to a position with this distance.
    pub(crate) const fn before_quiet_move(self) -> Self {
        Self(-self.0 - self.0.signum())
    }
}

impl fmt::Display for Dtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
