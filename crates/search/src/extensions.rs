//! Which moves are searched deeper than the rest.

use crate::alphabeta::{Candidate, Node};
use crate::known;
use crate::node::{NodeType, NonPv};
use crate::params;
use crate::steps::Step;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, Move, PieceType, Ply, Value};

impl<E: Evaluator> Worker<E> {
    /// Plies by which a move is searched deeper (or, below zero, shallower); an error is a value that ends the node.
    pub(crate) fn extension<N: NodeType>(
        &mut self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        excluded: Option<Move>,
    ) -> Result<i32, Value> {
        // A line never grows beyond twice the depth of the iteration.
        if N::ROOT || node.ply.0 >= 2 * self.root_depth.0 {
            return Ok(0);
        }
        if let Some(value) = self.singular_candidate(node, candidate, excluded) {
            return self.singular::<N>(position, node, candidate, value);
        }
        Ok(i32::from(self.is_forced(position, node, candidate) || self.is_sharp::<N>(position, node, candidate)))
    }

    /// Check extension, and that of the only reply to a check.
    fn is_forced(&self, position: &Position, node: &Node, candidate: &Candidate) -> bool {
        candidate.gives_check && self.steps.has(Step::CheckExtension) && position.see_ge(candidate.mv, 0)
            || position.in_check()
                && candidate.number == 1
                && node.depth.0 > 0
                && self.steps.has(Step::OneReplyExtension)
                && position.count_legal_moves() == 1
    }

    /// Recapture on the principal variation, and a pawn's move to the seventh rank.
    fn is_sharp<N: NodeType>(&self, position: &Position, node: &Node, candidate: &Candidate) -> bool {
        let to = candidate.mv.to();
        let is_recapture = || {
            let above = &self.frames[(node.ply - 1).index()];
            above.took && above.mv.is_some_and(|mv| mv.to() == to) && position.is_capture(candidate.mv)
        };
        let is_pawn_push = || {
            let piece = position.piece_at(candidate.mv.from());
            piece.is_some_and(|piece| piece.piece_type() == PieceType::Pawn)
                && to.relative_to(position.turn()).rank().index() == 6
                && position.see_ge(candidate.mv, 0)
        };
        N::PV && self.steps.has(Step::RecaptureExtension) && is_recapture()
            || self.steps.has(Step::PawnPushExtension) && is_pawn_push()
    }

    /// The table value of a move that may be singular.
    fn singular_candidate(&self, node: &Node, candidate: &Candidate, excluded: Option<Move>) -> Option<Value> {
        let entry = node.entry?;
        let value = known::from_table(entry.value, node.ply);
        (self.steps.has(Step::SingularExtension)
            && entry.mv == Some(candidate.mv)
            && excluded.is_none()
            && node.depth.0 >= params::singular_min_depth()
            && entry.depth.0 >= node.depth.0 - params::singular_depth_slack()
            && entry.bound != Bound::Upper
            && !value.is_decisive())
        .then_some(value)
    }

    /// Singular extension (Anantharaman, Campbell and Hsu 1988, in the form of Stockfish): the other moves are searched at
    /// half the depth against a bar below the table value. If none reaches it, the table move stands alone.
    fn singular<N: NodeType>(
        &mut self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        table_value: Value,
    ) -> Result<i32, Value> {
        let Node { depth, ply, beta, cut_node, .. } = *node;
        let bar = table_value - params::singular_margin() * depth.0 / 16;
        self.frame(ply).excluded = Some(candidate.mv);
        let value = self.alphabeta::<NonPv>(position, bar - 1, bar, Depth((depth.0 - 1) / 2), ply, cut_node);
        self.frame(ply).excluded = None;
        if self.stopped {
            return Ok(0);
        }
        if value < bar {
            let stands_out = !N::PV
                && self.steps.has(Step::DoubleExtension)
                && value < bar - params::double_extension_margin()
                && self.double_extensions_above(ply) < params::double_extension_limit();
            return Ok(1 + i32::from(stands_out));
        }
        // Multi-cut (Björnsson and Marsland 2001): even without the table move the node fails high.
        if value >= beta && !value.is_decisive() && !N::PV && self.steps.has(Step::MultiCut) {
            return Err(value);
        }
        // It is not alone, and the others will do as well.
        if (table_value >= beta || cut_node) && self.steps.has(Step::NegativeExtension) {
            return Ok(-1 - i32::from(!N::PV));
        }
        Ok(0)
    }

    /// How often the line to a node was extended by two plies.
    pub(crate) fn double_extensions_above(&self, ply: Ply) -> i32 {
        if ply > Ply::ZERO { self.frames[(ply - 1).index()].double_extensions } else { 0 }
    }
}
