//! From sums of weights to a value: the part of the evaluation that is not linear.

use crate::{ORDINARY_MAX, Phase};
use bartizan_types::{Color, Score, Value};

/// The danger to a king counts in the middlegame by its square, divided by this.
pub const DANGER_MG_DIVISOR: i32 = 1024;

/// The danger to a king counts in the endgame as it is, divided by this.
pub const DANGER_EG_DIVISOR: i32 = 16;

/// A scale that leaves the endgame half as it is.
pub const FULL_SCALE: i32 = 64;

/// A middlegame and an endgame half, each with room for any sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halves {
    /// The middlegame half.
    pub mg: i32,
    /// The endgame half.
    pub eg: i32,
}

impl From<Score> for Halves {
    #[inline]
    fn from(score: Score) -> Self {
        Self { mg: score.mg(), eg: score.eg() }
    }
}

/// What a sum of safety weights is worth to the attacker.
#[inline]
pub(crate) fn danger_worth(danger: Halves) -> Halves {
    let (mg, eg) = (danger.mg.max(0), danger.eg.max(0));
    Halves { mg: mg * mg / DANGER_MG_DIVISOR, eg: eg / DANGER_EG_DIVISOR }
}

/// What complexity adds to an endgame half: it widens or narrows the lead, but never turns it round.
#[inline]
pub(crate) fn complexity_worth(eg: i32, complexity: i32) -> i32 {
    eg.signum() * complexity.max(-eg.abs())
}

/// The sums of all terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Of the linear terms, white minus black.
    pub(crate) linear: Halves,
    /// Of the safety terms, by the attacking side.
    pub(crate) danger: [Halves; 2],
    /// Of the complexity terms.
    pub(crate) complexity: i32,
}

impl Sums {
    /// Both halves, white minus black, not yet scaled.
    #[inline]
    pub(crate) fn halves(&self) -> Halves {
        let [white, black] = self.danger.map(danger_worth);
        let mg = self.linear.mg + white.mg - black.mg;
        let eg = self.linear.eg + white.eg - black.eg;
        Halves { mg, eg: eg + complexity_worth(eg, self.complexity) }
    }
}

/// The side whose endgame half it is; a zero is white's, which makes no difference.
#[inline]
pub(crate) fn strong_side(eg: i32) -> Color {
    if eg >= 0 { Color::White } else { Color::Black }
}

/// The taper, for white.
#[inline]
pub(crate) fn blend(halves: Halves, phase: Phase, scale: i32) -> Value {
    let mg = phase.get().clamp(0, Phase::FULL);
    let sum = halves.mg * mg * FULL_SCALE + halves.eg * (Phase::FULL - mg) * scale;
    Value(sum / (Phase::FULL * FULL_SCALE)).at_most(ORDINARY_MAX).at_least(-ORDINARY_MAX)
}
