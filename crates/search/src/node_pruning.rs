//! Pruning of whole nodes, before their first move.

use crate::fifty_moves::is_near_fifty_moves;
use crate::known;
use crate::node::{Expected, Node, NonPv};
use crate::params;
use crate::picker::{MovePicker, QuietChecks};
use crate::statistics::Counter;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::tracer::Purpose;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, PieceType, Ply, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// Hindsight (Stockfish): plies to add to the depth of a node after a reduced move. The evaluations before and
    /// after the move show whether the reduction was right.
    pub(crate) fn hindsight(&self, node: &Node) -> i32 {
        let Node { depth, ply, static_eval, .. } = *node;
        let above = &self.frames[(ply - 1).index()];
        let (Some(eval), Some(eval_above)) = (static_eval, above.static_eval) else { return 0 };
        if !self.steps.has(Step::Hindsight) || above.reduction < 1 {
            return 0;
        }
        // The loss of the opponent's move, from the evaluations of both sides.
        let lost = (eval + eval_above).0 - params::tempo_twice();
        if above.reduction >= params::hindsight_deeper() && lost <= 0 {
            1
        } else if depth.0 >= 2 && lost > params::hindsight_margin() {
            -1
        } else {
            0
        }
    }

    /// Tries to prune a node off the principal variation: its value if that succeeds.
    #[inline]
    pub(crate) fn prune_node(&mut self, position: &Position, node: &Node, raw_eval: Option<Value>) -> Option<Value> {
        self.razoring(position, node)
            .or_else(|| self.reverse_futility(node))
            .or_else(|| self.try_null_move(position, node))
            .or_else(|| self.try_probcut(position, node, raw_eval))
            .or_else(|| self.table_probcut(position, node))
    }

    /// Razoring (John Birmingham and Peter Kent 1977, in the form of Stockfish): the evaluation is so far below alpha
    /// that only captures can help.
    fn razoring(&mut self, position: &Position, node: &Node) -> Option<Value> {
        let Node { alpha, depth, ply, .. } = *node;
        let eval = node.eval?;
        let margin = params::razoring_base() + params::razoring_slope() * depth.0 * depth.0;
        if !self.steps.has(Step::Razoring) || alpha.is_decisive() || eval + margin > alpha {
            return None;
        }
        self.tracer.expect(Purpose::Razoring);
        let value = self.quiescence::<NonPv>(position, alpha, alpha + 1, ply, QuietChecks::Try);
        let is_pruned = value <= alpha && !self.stopped;
        self.count_if(is_pruned, Counter::Razored, depth);
        is_pruned.then_some(value)
    }

    /// Reverse futility (static null move): the evaluation is so far above beta that the remaining plies will not lower
    /// it below.
    fn reverse_futility(&mut self, node: &Node) -> Option<Value> {
        let Node { beta, depth, ply, improving, .. } = *node;
        let eval = node.eval?;
        let margin = params::reverse_futility_margin() * (depth.0 - i32::from(improving));
        let is_pruned = self.steps.has(Step::ReverseFutility)
            && depth.0 <= params::reverse_futility_max_depth()
            // A null move must be verified by moves, not by the evaluation that made it fail high.
            && ply >= self.no_null_move_before
            && eval - margin >= beta
            && !beta.is_decisive()
            && !eval.is_decisive()
            && !node.table_pv
            // A quiet table move suggests that there is more to gain by a search.
            && (node.table_move().is_none() || node.table_move_is_tactical);
        self.count_if(is_pruned, Counter::ReverseFutility, depth);
        is_pruned.then_some(Value((eval.0 + beta.0) / 2))
    }

    /// Null move pruning (Chrilly Donninger 1993): if passing fails high, a move will, too. There are never two null
    /// moves in a row, and none without pieces, where zugzwang is common. At high depth, the fail high is verified by a
    /// search without null moves (Omid David Tabibi and Nathan Netanyahu 2002, in the form of Stockfish).
    fn try_null_move(&mut self, position: &Position, node: &Node) -> Option<Value> {
        let Node { beta, depth, ply, .. } = *node;
        let eval = node.eval?;
        if !self.steps.has(Step::NullMove)
            || depth.0 < params::null_move_min_depth()
            || eval < beta
            || node.static_eval.is_some_and(|eval| eval + params::null_move_margin() * depth.0 < beta)
            || beta.is_decisive()
            || ply < self.no_null_move_before
            || self.frames[(ply - 1).index()].mv.is_none()
            || !has_pieces(position)
        {
            return None;
        }
        let lead = (eval - beta).0 / params::null_move_eval_divisor();
        let reduction = params::null_move_reduction()
            + depth.0 / params::null_move_depth_divisor()
            + lead.min(params::null_move_eval_cap());
        let mut next = position.clone();
        self.play_null(&mut next, ply);
        let reduced = depth - reduction;
        self.count(Counter::NullMove, depth);
        self.tracer.expect(Purpose::NullMove);
        let value = -self.alphabeta::<NonPv>(&next, -beta, -beta + 1, reduced, ply + 1, node.expected.child());
        self.undo();
        if value < beta || self.stopped {
            return None;
        }
        // A mate or tablebase win after a null move proves nothing.
        let value = if value.is_decisive() { beta } else { value };
        let needs_no_verification = self.no_null_move_before > Ply::ZERO
            || depth.0 < params::null_move_verification_depth()
            || !self.steps.has(Step::NullMoveVerification);
        if needs_no_verification {
            self.count(Counter::NullMoveCutoff, depth);
            return Some(value);
        }
        // The depth of this node includes the change of hindsight to the reduction above it.
        self.frame(ply - 1).reduction = 0;
        // At least a ply, since quiescence would stand pat. The first three quarters of the verification search have no
        // null moves, as in Stockfish, and no reverse futility, which would assume what is to be verified.
        let reduced = reduced.max(Depth(1));
        self.no_null_move_before = ply + (3 * reduced.0 / 4).max(1);
        self.tracer.expect(Purpose::NullVerification);
        let verified = self.alphabeta::<NonPv>(position, beta - 1, beta, reduced, ply, Expected::All);
        self.no_null_move_before = Ply::ZERO;
        let is_verified = verified >= beta && !self.stopped;
        self.count(if is_verified { Counter::NullMoveCutoff } else { Counter::NullMoveRefuted }, depth);
        is_verified.then_some(value)
    }

    /// ProbCut (Michael Buro 1995): a capture that beats beta by a margin at reduced depth will beat beta at full
    /// depth.
    fn try_probcut(&mut self, position: &Position, node: &Node, raw_eval: Option<Value>) -> Option<Value> {
        let Node { beta, depth, ply, .. } = *node;
        let static_eval = node.static_eval?;
        let probcut_beta = beta + params::probcut_margin();
        let probcut_depth = depth - params::probcut_reduction();
        let is_refuted_by_table = node
            .entry
            .is_some_and(|entry| entry.depth > probcut_depth && known::from_table(entry.value, ply) < probcut_beta);
        if !self.steps.has(Step::ProbCut)
            || depth.0 < params::probcut_min_depth()
            || probcut_beta.is_decisive()
            || is_refuted_by_table
        {
            return None;
        }
        let threshold = (probcut_beta - static_eval).0;
        let (alpha, beta_below) = (-probcut_beta, -probcut_beta + 1);
        let mut picker = MovePicker::captures(position, node.table_move(), node.context, threshold);
        while let Some(mv) = picker.next(position, &self.histories) {
            self.prefetch_table(position.key_after(mv));
            self.count(Counter::ProbCut, depth);
            let mut next = position.clone();
            self.play(&mut next, mv, ply);
            self.tracer.expect(Purpose::ProbCut);
            let mut value = -self.quiescence::<NonPv>(&next, alpha, beta_below, ply + 1, QuietChecks::Try);
            if value >= probcut_beta && probcut_depth > Depth::ZERO && !self.stopped {
                let expected = node.expected.child();
                self.tracer.expect(Purpose::ProbCut);
                value = -self.alphabeta::<NonPv>(&next, alpha, beta_below, probcut_depth, ply + 1, expected);
            }
            self.undo();
            if self.stopped {
                return None;
            }
            if value >= probcut_beta {
                let entry = TableEntry {
                    mv: Some(mv),
                    value: known::to_table(value, ply),
                    eval: raw_eval,
                    depth: probcut_depth + 1,
                    bound: Bound::Lower,
                    is_pv: node.table_pv,
                };
                self.store_in_table(position, entry);
                self.count(Counter::ProbCutCutoff, depth);
                return Some(if value.is_decisive() { value } else { value - params::probcut_margin() });
            }
        }
        None
    }

    /// ProbCut by the table alone (Stockfish): a search that was a little shallower found a value far above beta.
    fn table_probcut(&mut self, position: &Position, node: &Node) -> Option<Value> {
        let entry = node.entry?;
        let value = known::from_table(entry.value, node.ply);
        let probcut_beta = node.beta + params::table_probcut_margin();
        let is_pruned = self.steps.has(Step::TableProbCut)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - params::table_probcut_slack()
            && value >= probcut_beta
            && !is_near_fifty_moves(position)
            && !node.beta.is_decisive()
            && !value.is_decisive();
        self.count_if(is_pruned, Counter::TableProbCut, node.depth);
        is_pruned.then_some(probcut_beta)
    }
}

/// Whether the side to move has more than king and pawns.
pub(crate) fn has_pieces(position: &Position) -> bool {
    let pawns_and_king = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
    (position.color(position.turn()) - pawns_and_king).any()
}
