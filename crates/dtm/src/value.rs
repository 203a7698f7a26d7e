//! Distances to mate, and their one-byte codes.

use std::fmt;

/// The result of best play from the side to move's point of view, with the distance to mate in plies. The winning side
/// mates as early as possible, the losing side delays mate as long as possible. The 50-move rule is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dtm {
    /// The side to move mates with its last move in this number of plies, which is odd: mate in 1 is 1 ply.
    Win(u16),
    /// Neither side can force mate.
    Draw,
    /// The side to move is mated in this number of plies, which is even: 0 if it is mated already.
    Loss(u16),
}

impl Dtm {
    /// The moves to mate: a mate in 1 counts 1 for the winner, and 0 for the side that is mated. `None` for a draw.
    ///
    /// ```
    /// use bartizan_dtm::Dtm;
    /// assert_eq!((Dtm::Win(1).moves(), Dtm::Win(19).moves()), (Some(1), Some(10)));
    /// assert_eq!((Dtm::Loss(0).moves(), Dtm::Loss(20).moves()), (Some(0), Some(10)));
    /// ```
    pub const fn moves(self) -> Option<u16> {
        match self {
            Self::Win(plies) => Some(plies.div_ceil(2)),
            Self::Loss(plies) => Some(plies / 2),
            Self::Draw => None,
        }
    }

    /// The plies to mate, `None` for a draw.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// 1 for a win, 0 for a draw, −1 for a loss.
    pub const fn sign(self) -> i32 {
        match self {
            Self::Win(_) => 1,
            Self::Draw => 0,
            Self::Loss(_) => -1,
        }
    }

    /// The value for the side whose move leads to a position with this value.
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies + 1),
        }
    }

    /// A number that is greater the better the value is for the side to move: early wins, late wins, draws, late
    /// losses, early losses.
    pub const fn preference(self) -> i32 {
        match self {
            Self::Win(plies) => 1_000 - plies as i32,
            Self::Draw => 0,
            Self::Loss(plies) => plies as i32 - 1_000,
        }
    }

    /// The code of the value.
    pub(crate) fn code(self) -> u8 {
        self.plies().map_or(DRAW, |plies| plies as u8 + 1)
    }

    /// The value of a code below [`ILLEGAL`].
    pub(crate) const fn from_code(code: u8) -> Self {
        match code {
            DRAW => Self::Draw,
            code if is_win(code) => Self::Win(code as u16 - 1),
            code => Self::Loss(code as u16 - 1),
        }
    }
}

impl fmt::Display for Dtm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.moves()) {
            (Self::Win(_), Some(moves)) => write!(f, "win in {moves}"),
            (Self::Loss(0), _) => f.write_str("mated"),
            (Self::Loss(_), Some(moves)) => write!(f, "loss in {moves}"),
            _ => f.write_str("draw"),
        }
    }
}

/// The code of a draw. Other codes are the plies to mate plus 1: even for a win, odd for a loss.
pub(crate) const DRAW: u8 = 0;

/// The code of a checkmated side to move.
pub(crate) const MATED: u8 = 1;

/// Marks an index without its own legal position.
pub(crate) const ILLEGAL: u8 = 255;

/// Whether the code is that of a win.
#[inline]
pub(crate) const fn is_win(code: u8) -> bool {
    code != DRAW && code & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_preference() {
        assert_eq!(Dtm::from_code(DRAW), Dtm::Draw);
        assert_eq!(Dtm::from_code(MATED), Dtm::Loss(0));
        assert_eq!(Dtm::from_code(2), Dtm::Win(1));
        assert_eq!(Dtm::from_code(254), Dtm::Win(253));
        assert!((DRAW..ILLEGAL).all(|code| Dtm::from_code(code).code() == code));
        let best_first = [Dtm::Win(1), Dtm::Win(253), Dtm::Draw, Dtm::Loss(252), Dtm::Loss(0)];
        assert!(best_first.is_sorted_by_key(|value| -value.preference()));
        assert_eq!(Dtm::Loss(0).before_move(), Dtm::Win(1));
        assert_eq!(
            ["win in 10", "loss in 9", "draw", "mated"].map(str::to_owned),
            [Dtm::Win(19).to_string(), Dtm::Loss(18).to_string(), Dtm::Draw.to_string(), Dtm::Loss(0).to_string(),]
        );
    }
}
