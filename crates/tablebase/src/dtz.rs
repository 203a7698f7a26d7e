//! How far it is to the next capture or pawn move.

use crate::Wdl;
use std::fmt;

/// The plies to the next capture or pawn move (or mate) under best play, for the side to move: positive when it wins,
/// negative when it loses, 0 for a draw. This is the "DTZ50″" of Ronald de Man's tables.
///
/// | value | meaning |
/// |---|---|
/// | 1 to 100 | a win, if the count of the 50-move rule begins at zero |
/// | above 100 | a cursed win: 100 more than the plies when a later phase is to blame, else just the plies |
/// | −1 to −100 | a loss |
/// | below −100 | a blessed loss |
///
/// The tables round where it does no harm: the true distance may be one ply more. It is exact where the 50-move rule
/// would otherwise turn a win into a draw, which is to say where the count begins at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dtz(pub i32);

impl Dtz {
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// The plies, without the sign.
    pub const fn plies(self) -> u32 {
        self.0.unsigned_abs()
    }

    /// Who wins when the count of the 50-move rule is zero.
    pub const fn wdl(self) -> Wdl {
        match self.0 {
            ..-100 => Wdl::BlessedLoss,
            -100..0 => Wdl::Loss,
            0 => Wdl::Draw,
            1..=100 => Wdl::Win,
            101.. => Wdl::CursedWin,
        }
    }

    /// The distance for whoever made a quiet move to a position with this distance.
    pub(crate) const fn before_quiet_move(self) -> Self {
        Self(-self.0 - self.0.signum())
    }
}

impl fmt::Display for Dtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
