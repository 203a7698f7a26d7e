//! Values of searches and evaluations.

use crate::Ply;
use crate::operators::operators;
use core::fmt;
use core::ops::Neg;

/// The value of a position for the side to move, in internal centipawns.
///
/// A mate is worth [`Value::MATE`] minus its distance from the root in plies; see [`Value::mate_in`]. Tablebase wins
/// rank below mates and above every static evaluation.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[repr(transparent)]
pub struct Value(
    /// Internal centipawns.
    pub i32,
);

impl Value {
    /// Zero: neither side is better.
    pub const ZERO: Self = Self(0);
    /// The value of a draw by rule.
    pub const DRAW: Self = Self(0);
    /// Mate at the root: the greatest value of a position.
    pub const MATE: Self = Self(32_000);
    /// Greater than the value of every position. The full window is −`INFINITE` to `INFINITE`.
    pub const INFINITE: Self = Self(32_001);
    /// The least value that means a mate for the side to move.
    pub const MATE_BOUND: Self = Self(Self::MATE.0 - 256);
    /// A tablebase win at the root.
    pub const TABLE_WIN: Self = Self(Self::MATE_BOUND.0 - 1);
    /// The least value that means a tablebase win.
    pub const TABLE_BOUND: Self = Self(Self::TABLE_WIN.0 - 256);
    /// The greatest value that a static evaluation may return.
    pub const EVAL_MAX: Self = Self(Self::TABLE_BOUND.0 - 1);

    /// The value of a mate by the side to move, `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: Ply) -> Self {
        Self(Self::MATE.0 - ply.0)
    }

    /// The value of the side to move being mated, `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: Ply) -> Self {
        Self(ply.0 - Self::MATE.0)
    }

    /// Whether the value is a forced mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.unsigned_abs() >= Self::MATE_BOUND.0.unsigned_abs()
    }

    /// Whether the value is proven: a mate or a tablebase win, for either side.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.unsigned_abs() >= Self::TABLE_BOUND.0.unsigned_abs()
    }

    /// Whether the value is a proven loss for the side to move.
    #[inline]
    pub const fn is_lost(self) -> bool {
        self.0 <= -Self::TABLE_BOUND.0
    }

    /// The value of a tablebase win for the side to move, in a position `ply` plies from the root.
    #[inline]
    pub const fn table_win_in(ply: Ply) -> Self {
        Self(Self::TABLE_WIN.0 - ply.0)
    }

    /// The value of a tablebase loss for the side to move, in a position `ply` plies from the root.
    #[inline]
    pub const fn table_loss_in(ply: Ply) -> Self {
        Self(ply.0 - Self::TABLE_WIN.0)
    }

    /// The number of plies from the root to the position that the tablebases score as a win or loss; `None` for any
    /// other value.
    #[inline]
    pub const fn plies_to_table(self) -> Option<i32> {
        if self.is_decisive() && !self.is_mate() { Some(Self::TABLE_WIN.0 - self.0.abs()) } else { None }
    }

    /// The number of plies from the root to the mate; `None` if the value is not a mate.
    #[inline]
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.is_mate() { Some(Self::MATE.0 - self.0.saturating_abs()) } else { None }
    }

    /// The number of moves to mate as UCI counts them; `None` if the value is not a mate. It is positive if the side to
    /// move mates, negative if it gets mated, and 0 if it is checkmated on the board.
    #[inline]
    pub const fn mate_in_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((Self::MATE.0 - self.0 + 1) / 2)
        } else {
            Some(-(Self::MATE.0 + self.0) / 2)
        }
    }

    /// Converts to the form stored in the transposition table, where mates and tablebase wins count from the node
    /// instead of from the root.
    #[inline]
    #[must_use]
    pub const fn to_table(self, ply: Ply) -> Self {
        if self.0 >= Self::TABLE_BOUND.0 {
            Self(self.0 + ply.0)
        } else if self.0 <= -Self::TABLE_BOUND.0 {
            Self(self.0 - ply.0)
        } else {
            self
        }
    }

    /// Converts a stored value back, at a node `ply` plies from the root: the inverse of [`Self::to_table`]. The result
    /// is in range even if the stored value is corrupt.
    #[inline]
    #[must_use]
    pub const fn from_table(stored: Self, ply: Ply) -> Self {
        if stored.0 >= Self::TABLE_BOUND.0 {
            Self(stored.0 - ply.0).at_most(Self::MATE)
        } else if stored.0 <= -Self::TABLE_BOUND.0 {
            Self(stored.0 + ply.0).at_least(Self(-Self::MATE.0))
        } else {
            stored
        }
    }

    /// Like `min`, which is not a constant function.
    #[inline]
    const fn at_most(self, other: Self) -> Self {
        if self.0 < other.0 { self } else { other }
    }

    /// Like `max`, which is not a constant function.
    #[inline]
    const fn at_least(self, other: Self) -> Self {
        if self.0 > other.0 { self } else { other }
    }
}

impl Neg for Value {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

operators! { Value, |a, b|
    Add::add + AddAssign::add_assign (Self) a.0 + b.0;
    Sub::sub + SubAssign::sub_assign (Self) a.0 - b.0;
    Add::add (i32) a.0 + b;
    Sub::sub (i32) a.0 - b;
    Mul::mul (i32) a.0 * b;
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in_moves() {
            Some(moves) => write!(f, "Value(mate {moves})"),
            None => write!(f, "Value({})", self.0),
        }
    }
}

/// How a search result relates to the true value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Bound {
    /// The true value is at most the result: the search failed low.
    Upper,
    /// The true value is at least the result: the search failed high.
    Lower,
    /// The result is the true value.
    #[default]
    Exact,
}

impl Bound {
    /// The bound of a fail-soft value that a search with the open window (`alpha`, `beta`) returned.
    ///
    /// ```
    /// use bartizan_types::{Bound, Value};
    ///
    /// let [alpha, beta] = [Value(10), Value(20)];
    /// assert_eq!(Bound::of(Value(10), alpha, beta), Bound::Upper);
    /// assert_eq!(Bound::of(Value(15), alpha, beta), Bound::Exact);
    /// assert_eq!(Bound::of(Value(20), alpha, beta), Bound::Lower);
    /// ```
    #[inline]
    pub const fn of(value: Value, alpha: Value, beta: Value) -> Self {
        if value.0 >= beta.0 {
            Self::Lower
        } else if value.0 > alpha.0 {
            Self::Exact
        } else {
            Self::Upper
        }
    }

    /// Whether a value with this bound shows that an estimate of the true value is too low or too high.
    ///
    /// ```
    /// use bartizan_types::{Bound, Value};
    ///
    /// assert!(Bound::Lower.contradicts(Value(30), Value(20)));
    /// assert!(!Bound::Lower.contradicts(Value(10), Value(20)));
    /// ```
    #[inline]
    pub const fn contradicts(self, value: Value, estimate: Value) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => value.0 > estimate.0,
            Self::Upper => value.0 < estimate.0,
        }
    }
}
