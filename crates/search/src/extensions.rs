//! Extensions: moves that are searched deeper than others.

use crate::known;
use crate::node::{Candidate, Node, NodeType, NonPv};
use crate::params;
use crate::statistics::Counter;
use crate::steps::Step;
use crate::tracer::Purpose;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, PieceType, Ply, Rank, Value};

/// No move is extended beyond this multiple of the iteration's depth. A starting value; screening 4 tried 3
/// (`docs/lab/screening.md`).
const MAX_PLY_FACTOR: i32 = 2;

/// The unit of the singular margin: 1/16 of a centipawn for each ply.
const SINGULAR_MARGIN_UNIT: i32 = 16;

/// What the extensions decide about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extension {
    /// Search the move this many plies deeper, or shallower if negative.
    Plies(i32),
    /// End the node with this value: an alternative to the move fails high as well.
    MultiCut(Value),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Decides whether a move is searched deeper or shallower, or whether it makes the node fail high.
    pub(crate) fn extension<N: NodeType>(
        &mut self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
    ) -> Extension {
        if N::ROOT || node.ply.0 >= MAX_PLY_FACTOR * self.root_depth.0 {
            return Extension::Plies(0);
        }
        if let Some(value) = self.singular_candidate(node, candidate) {
            return self.singular::<N>(position, node, candidate, value);
        }
        let is_extended = self.is_forced(position, node, candidate) || self.is_sharp::<N>(position, node, candidate);
        Extension::Plies(i32::from(is_extended))
    }

    /// Whether a move gives check, or is the only reply to a check.
    fn is_forced(&self, position: &Position, node: &Node, candidate: &Candidate) -> bool {
        candidate.gives_check && self.steps.has(Step::CheckExtension) && position.see_ge(candidate.mv, 0)
            || position.in_check()
                && candidate.number == 1
                && node.depth.0 > 0
                && self.steps.has(Step::OneReplyExtension)
                && position.count_legal_moves() == 1
    }

    /// Whether a move is a recapture on the principal variation, or a pawn move to the seventh rank.
    fn is_sharp<N: NodeType>(&self, position: &Position, node: &Node, candidate: &Candidate) -> bool {
        let to = candidate.mv.to();
        let is_recapture = || {
            let above = &self.frames[(node.ply - 1).index()];
            above.took && above.mv.is_some_and(|mv| mv.to() == to) && position.is_capture(candidate.mv)
        };
        let is_pawn_push = || {
            position.piece_type_at(candidate.mv.from()) == Some(PieceType::Pawn)
                && to.relative_to(position.turn()).rank() == Rank::Seventh
                && position.see_ge(candidate.mv, 0)
        };
        N::PV && self.steps.has(Step::RecaptureExtension) && is_recapture()
            || self.steps.has(Step::PawnPushExtension) && is_pawn_push()
    }

    /// The table value of a move that may be singular.
    fn singular_candidate(&self, node: &Node, candidate: &Candidate) -> Option<Value> {
        let entry = node.entry?;
        let value = known::from_table(entry.value, node.ply);
        (self.steps.has(Step::SingularExtension)
            && entry.mv == Some(candidate.mv)
            && node.excluded.is_none()
            && node.depth.0 >= params::singular_min_depth()
            && entry.depth.0 >= node.depth.0 - params::singular_depth_slack()
            && entry.bound != Bound::Upper
            && !value.is_decisive())
        .then_some(value)
    }

    /// Singular extension (Thomas Anantharaman, Murray Campbell and Feng-hsiung Hsu 1988, in the form of Stockfish):
    /// the alternatives are searched at half the depth with a null window below the table value. If all of them fail
    /// low, the table move is singular.
    fn singular<N: NodeType>(
        &mut self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        table_value: Value,
    ) -> Extension {
        let Node { depth, ply, beta, expected, .. } = *node;
        let singular_beta = table_value - params::singular_margin() * depth.0 / SINGULAR_MARGIN_UNIT;
        let singular_depth = Depth((depth.0 - 1) / 2);
        self.count(Counter::Singular, depth);
        self.frame(ply).excluded = Some(candidate.mv);
        self.tracer.expect(Purpose::Singular);
        let value = self.alphabeta::<NonPv>(position, singular_beta - 1, singular_beta, singular_depth, ply, expected);
        self.frame(ply).excluded = None;
        if self.stopped {
            return Extension::Plies(0);
        }
        if value < singular_beta {
            let is_double = !N::PV
                && self.steps.has(Step::DoubleExtension)
                && value < singular_beta - params::double_extension_margin()
                && self.double_extensions_above(ply) < params::double_extension_limit();
            let is_triple = is_double
                && candidate.is_quiet
                && self.steps.has(Step::TripleExtension)
                && value < singular_beta - params::triple_extension_margin();
            self.count(if is_double { Counter::DoubleExtension } else { Counter::SingleExtension }, depth);
            return Extension::Plies(1 + i32::from(is_double) + i32::from(is_triple));
        }
        // Multi-cut (Yngvi Björnsson and Tony Marsland 2001): even without the table move the node fails high.
        if value >= beta && !value.is_decisive() && !N::PV && self.steps.has(Step::MultiCut) {
            return Extension::MultiCut(value);
        }
        // There are good alternatives.
        if (table_value >= beta || expected.is_cut()) && self.steps.has(Step::NegativeExtension) {
            return Extension::Plies(-1 - i32::from(!N::PV));
        }
        Extension::Plies(0)
    }

    /// The number of double extensions on the line to a node.
    pub(crate) fn double_extensions_above(&self, ply: Ply) -> i32 {
        if ply > Ply::ZERO { self.frames[(ply - 1).index()].double_extensions } else { 0 }
    }
}
