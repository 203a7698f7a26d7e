//! Sums of weights, with an optional count of every weight used.

use crate::side::Side;
use crate::weights::{Term, WeightKind, weight};
use bartizan_types::{Color, Square, TaperedScore};
use std::marker::PhantomData;

/// Observes every weight that the evaluation uses.
pub(crate) trait Tracer {
    /// Called when `side` uses the weight at `index` of the flat array `times` times.
    fn count(&mut self, side: Color, index: usize, times: i32);
    /// Called before counts that concern the piece on `square`, or no single piece.
    #[inline(always)]
    fn set_subject(&mut self, _square: Option<Square>) {}
    /// Called when the safety terms of `side` counted so far do not enter the score.
    fn discard_danger(&mut self, side: Color);
}

/// The tracer outside tuning: counts nothing and compiles to nothing.
pub(crate) struct NoTrace;

impl Tracer for NoTrace {
    #[inline(always)]
    fn count(&mut self, _: Color, _: usize, _: i32) {}
    #[inline(always)]
    fn discard_danger(&mut self, _: Color) {}
}

/// The sums of one side's weights, from its own point of view. One call updates sum and trace, so that they cannot
/// disagree.
pub(crate) struct SideScore<'t, S, T> {
    /// The sum of the linear terms.
    pub(crate) score: TaperedScore,
    /// The sum of the safety terms: the danger to the other side's king.
    pub(crate) danger: TaperedScore,
    /// The sum of the complexity terms.
    pub(crate) complexity: TaperedScore,
    tracer: &'t mut T,
    side: PhantomData<S>,
}

impl<'t, S: Side, T: Tracer> SideScore<'t, S, T> {
    #[inline(always)]
    pub(crate) fn new(tracer: &'t mut T) -> Self {
        tracer.set_subject(None);
        Self {
            score: TaperedScore::ZERO,
            danger: TaperedScore::ZERO,
            complexity: TaperedScore::ZERO,
            tracer,
            side: PhantomData,
        }
    }

    /// Attributes the weights added from now on to the piece on `square`, or to no single piece.
    #[inline(always)]
    pub(crate) fn set_subject(&mut self, square: impl Into<Option<Square>>) {
        self.tracer.set_subject(square.into());
    }

    /// Adds the weight of a one-weight term.
    #[inline(always)]
    pub(crate) fn add(&mut self, term: Term) {
        self.add_at(term, 0);
    }

    /// Adds the weight of a one-weight term `times` times.
    #[inline(always)]
    pub(crate) fn add_n(&mut self, term: Term, times: u32) {
        self.add_at_n(term, 0, times);
    }

    /// Adds the weight at `index` of a term's table.
    #[inline(always)]
    pub(crate) fn add_at(&mut self, term: Term, index: usize) {
        self.sum(term.kind, weight(term, index));
        self.tracer.count(S::US, term.offset + index, 1);
    }

    /// Adds the weight at `index` of a term's table `times` times.
    #[inline(always)]
    pub(crate) fn add_at_n(&mut self, term: Term, index: usize, times: u32) {
        self.sum(term.kind, weight(term, index) * times as i32);
        self.tracer.count(S::US, term.offset + index, times as i32);
    }

    #[inline(always)]
    fn sum(&mut self, kind: WeightKind, score: TaperedScore) {
        match kind {
            WeightKind::Linear => self.score += score,
            WeightKind::Safety => self.danger += score,
            WeightKind::Complexity => self.complexity += score,
        }
    }

    /// Resets the danger to zero, in the sum and in the trace.
    #[inline(always)]
    pub(crate) fn discard_danger(&mut self) {
        self.danger = TaperedScore::ZERO;
        self.tracer.discard_danger(S::US);
    }
}

/// The value of the pawns around a king; see [`king::shelter`](crate::terms::king::shelter).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shelter {
    /// The king's own score.
    pub(crate) score: TaperedScore,
    /// The contribution to the other side's attack on this king.
    pub(crate) danger: TaperedScore,
}
