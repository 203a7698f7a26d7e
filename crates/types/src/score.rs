//! Scores for middlegame and endgame, packed into one number.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame score in internal centipawns, packed into one `i32` so that one addition adds both.
///
/// Each half must stay within ±32,767. The taper of the evaluation converts a `Score` to a [`Value`](crate::Value).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "(i16, i16)", into = "(i16, i16)")
)]
pub struct Score(i32);

impl Score {
    /// Zero in both phases.
    pub const ZERO: Self = Self(0);

    /// Combines a middlegame and an endgame score.
    #[inline]
    pub const fn new(mg: i16, eg: i16) -> Self {
        Self(((eg as i32) << 16) + mg as i32)
    }

    /// The middlegame score.
    #[inline]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score.
    #[inline]
    pub const fn eg(self) -> i32 {
        // A negative middlegame half borrows one from the upper half: rounding gives it back.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }
}

impl Add for Score {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Self;
    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor)
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Score {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::ZERO, Add::add)
    }
}

impl From<(i16, i16)> for Score {
    fn from((mg, eg): (i16, i16)) -> Self {
        Self::new(mg, eg)
    }
}

impl From<Score> for (i16, i16) {
    fn from(score: Score) -> Self {
        (score.mg() as i16, score.eg() as i16)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({}, {})", self.mg(), self.eg())
    }
}
