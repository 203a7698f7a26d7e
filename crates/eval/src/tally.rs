//! Adding up terms, and counting them while at it.

use crate::side::Side;
use crate::weights::{Kind, Term, weight};
use bartizan_types::{Color, Score, Square};
use std::marker::PhantomData;

/// Is told of every weight that the evaluation uses.
pub(crate) trait Tracer {
    /// `side` has the weight at `index` of the flat array `times` times.
    fn count(&mut self, side: Color, index: usize, times: i32);
    /// The counts that follow concern the piece on `square`, or no single piece.
    #[inline(always)]
    fn set_subject(&mut self, _square: Option<Square>) {}
    /// The safety terms of `side` counted so far do not enter the score.
    fn forget_danger(&mut self, side: Color);
}

/// Counts nothing and costs nothing: for play.
pub(crate) struct NoTrace;

impl Tracer for NoTrace {
    #[inline(always)]
    fn count(&mut self, _: Color, _: usize, _: i32) {}
    #[inline(always)]
    fn forget_danger(&mut self, _: Color) {}
}

/// What one side has, from its own view. Sum and trace come from the same call, so that they cannot disagree.
pub(crate) struct Tally<'t, S, T> {
    /// The sum of the linear terms.
    pub(crate) score: Score,
    /// The sum of the safety terms: the danger to the other side's king.
    pub(crate) danger: Score,
    /// The sum of the complexity terms.
    pub(crate) complexity: Score,
    tracer: &'t mut T,
    side: PhantomData<S>,
}

impl<'t, S: Side, T: Tracer> Tally<'t, S, T> {
    #[inline(always)]
    pub(crate) fn new(tracer: &'t mut T) -> Self {
        tracer.set_subject(None);
        Self { score: Score::ZERO, danger: Score::ZERO, complexity: Score::ZERO, tracer, side: PhantomData }
    }

    /// The terms that follow concern the piece on `square`, or no single piece.
    #[inline(always)]
    pub(crate) fn set_subject(&mut self, square: impl Into<Option<Square>>) {
        self.tracer.set_subject(square.into());
    }

    /// A term that has one weight, once.
    #[inline(always)]
    pub(crate) fn add(&mut self, term: Term) {
        self.add_at(term, 0);
    }

    /// A term that has one weight, some times.
    #[inline(always)]
    pub(crate) fn add_n(&mut self, term: Term, times: u32) {
        self.add_at_n(term, 0, times);
    }

    /// One place of a term's table.
    #[inline(always)]
    pub(crate) fn add_at(&mut self, term: Term, index: usize) {
        self.sum(term.kind, weight(term, index));
        self.tracer.count(S::US, term.offset + index, 1);
    }

    /// One place of a term's table, some times.
    #[inline(always)]
    pub(crate) fn add_at_n(&mut self, term: Term, index: usize, times: u32) {
        self.sum(term.kind, weight(term, index) * times as i32);
        self.tracer.count(S::US, term.offset + index, times as i32);
    }

    #[inline(always)]
    fn sum(&mut self, kind: Kind, score: Score) {
        match kind {
            Kind::Linear => self.score += score,
            Kind::Safety => self.danger += score,
            Kind::Complexity => self.complexity += score,
        }
    }

    /// There is no danger after all.
    #[inline(always)]
    pub(crate) fn forget_danger(&mut self) {
        self.danger = Score::ZERO;
        self.tracer.forget_danger(S::US);
    }
}

/// A score of one side and the danger that goes with it, to be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) score: Score,
    pub(crate) danger: Score,
}
