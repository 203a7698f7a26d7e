//! Combines the sums of weights into a value: king danger, complexity, scaling and taper.

use crate::{ORDINARY_MAX, Phase};
use bartizan_types::{Color, TaperedScore, Value};

/// Divides the squared king danger in the middlegame half.
pub const DANGER_MG_DIVISOR: i32 = 1024;

/// Divides the king danger, not squared, in the endgame half.
pub const DANGER_EG_DIVISOR: i32 = 16;

/// The scale factor that leaves the endgame half unchanged.
pub const FULL_SCALE: i32 = 64;

/// A middlegame and an endgame half in `i32`: unlike a packed [`TaperedScore`], the halves cannot overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MgEg {
    /// The middlegame half.
    pub mg: i32,
    /// The endgame half.
    pub eg: i32,
}

impl From<TaperedScore> for MgEg {
    #[inline]
    fn from(score: TaperedScore) -> Self {
        Self { mg: score.mg(), eg: score.eg() }
    }
}

/// The score that the attacker gets for a sum of safety weights.
#[inline]
pub(crate) fn danger_score(danger: MgEg) -> MgEg {
    let (mg, eg) = (danger.mg.max(0), danger.eg.max(0));
    MgEg { mg: mg * mg / DANGER_MG_DIVISOR, eg: eg / DANGER_EG_DIVISOR }
}

/// The change that complexity makes to an endgame half. It can widen or narrow the lead but never reverses it.
#[inline]
pub(crate) fn complexity_score(eg: i32, complexity: i32) -> i32 {
    eg.signum() * complexity.max(-eg.abs())
}

/// The sums of all terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Sum of the linear terms, white minus black.
    pub(crate) linear: MgEg,
    /// Sums of the safety terms, by attacking side.
    pub(crate) danger: [MgEg; 2],
    /// Sum of the complexity terms (endgame half).
    pub(crate) complexity: i32,
}

impl Sums {
    /// Both halves, white minus black, before scaling.
    #[inline]
    pub(crate) fn halves(&self) -> MgEg {
        let [white, black] = self.danger.map(danger_score);
        let mg = self.linear.mg + white.mg - black.mg;
        let eg = self.linear.eg + white.eg - black.eg;
        MgEg { mg, eg: eg + complexity_score(eg, self.complexity) }
    }
}

/// The side that leads in the endgame half. Zero counts as white's, which makes no difference: it is multiplied by the
/// scale.
#[inline]
pub(crate) fn strong_side(eg: i32) -> Color {
    if eg >= 0 { Color::White } else { Color::Black }
}

/// Interpolates between the halves by phase; returns the value for white.
#[inline]
pub(crate) fn taper(halves: MgEg, phase: Phase, scale: i32) -> Value {
    let mg = phase.get().clamp(0, Phase::FULL);
    let sum = halves.mg * mg * FULL_SCALE + halves.eg * (Phase::FULL - mg) * scale;
    Value(sum / (Phase::FULL * FULL_SCALE))
}

/// The value that [`taper`] gives, limited to ±[`ORDINARY_MAX`].
#[inline]
pub(crate) fn blend(halves: MgEg, phase: Phase, scale: i32) -> Value {
    taper(halves, phase, scale).clamp(-ORDINARY_MAX, ORDINARY_MAX)
}
