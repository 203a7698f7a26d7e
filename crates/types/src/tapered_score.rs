//! Scores for middlegame and endgame, packed into one number.

use crate::operators::operators;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, Neg};

/// A middlegame and an endgame score in internal centipawns, packed into one `i32` so that one addition adds both.
///
/// Each half must stay within ±32,767. The taper of the evaluation converts a `TaperedScore` to a
/// [`Value`](crate::Value).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "(i16, i16)", into = "(i16, i16)")
)]
pub struct TaperedScore(i32);

impl TaperedScore {
    /// Zero in both phases.
    pub const ZERO: Self = Self(0);

    /// Combines a middlegame and an endgame score. −32,768 becomes −32,767, so that every score has a negative.
    #[inline]
    pub const fn new(mg: i16, eg: i16) -> Self {
        const fn symmetric(half: i16) -> i32 {
            if half == i16::MIN { -(i16::MAX as i32) } else { half as i32 }
        }
        Self((symmetric(eg) << 16) + symmetric(mg))
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

operators! { TaperedScore, |a, b|
    Add::add + AddAssign::add_assign (Self) a.0 + b.0;
    Sub::sub + SubAssign::sub_assign (Self) a.0 - b.0;
    Mul::mul (i32) a.0 * b;
}

impl Neg for TaperedScore {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for TaperedScore {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::ZERO, Add::add)
    }
}

impl From<(i16, i16)> for TaperedScore {
    fn from((mg, eg): (i16, i16)) -> Self {
        Self::new(mg, eg)
    }
}

impl From<TaperedScore> for (i16, i16) {
    fn from(score: TaperedScore) -> Self {
        (score.mg() as i16, score.eg() as i16)
    }
}

impl fmt::Debug for TaperedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TaperedScore({}, {})", self.mg(), self.eg())
    }
}
