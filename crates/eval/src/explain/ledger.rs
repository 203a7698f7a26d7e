//! Every weight that an evaluation uses, with the side and the piece that it concerns.

use crate::formula::MgEg;
use crate::side_score::Tracer;
use crate::trace::weight_at;
use crate::weights::{Term, TermGroup, WeightKind, term_of};
use bartizan_types::{Color, Square};

/// One use of a weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The side whose score it enters.
    pub(super) side: Color,
    /// The piece that it concerns; a threat concerns the attacked piece.
    pub(super) square: Option<Square>,
    /// The term.
    pub(super) term: Term,
    /// The index in the term's table.
    pub(super) place: usize,
    /// The weight times its count, for `side`.
    pub(super) score: MgEg,
}

/// The tracer behind [`explain`](super::explain()).
#[derive(Default)]
pub(super) struct Ledger {
    entries: Vec<Entry>,
    subject: Option<Square>,
}

impl Ledger {
    /// The weights that enter the score linearly, with their groups.
    pub(super) fn linear(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.term.kind == WeightKind::Linear)
    }

    /// The sum of a group's linear terms, white's and black's.
    pub(super) fn group(&self, group: TermGroup) -> [MgEg; 2] {
        let mut sums = [MgEg::default(); 2];
        for entry in self.linear().filter(|entry| entry.term.group == group) {
            let sum = &mut sums[entry.side.index()];
            sum.mg += entry.score.mg;
            sum.eg += entry.score.eg;
        }
        sums
    }
}

impl Tracer for Ledger {
    fn count(&mut self, side: Color, index: usize, times: i32) {
        if times == 0 {
            return;
        }
        let (term, weight) = (*term_of(index), weight_at(index));
        let score = MgEg { mg: weight.mg() * times, eg: weight.eg() * times };
        self.entries.push(Entry { side, square: self.subject, term, place: index - term.offset, score });
    }

    fn discard_danger(&mut self, side: Color) {
        self.entries.retain(|entry| entry.term.kind != WeightKind::Safety || entry.side != side);
    }

    fn set_subject(&mut self, square: Option<Square>) {
        self.subject = square;
    }
}
