//! What ends the search of a node before its first move.

use crate::alphabeta::{Node, is_near_move_50};
use crate::known;
use crate::node::NonPv;
use crate::params;
use crate::picker::MovePicker;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, PieceType, Ply, Value};

impl<E: Evaluator> Worker<E> {
    /// Hindsight (Stockfish): the evaluations before and after a reduced move show whether the reduction was right. Plies
    /// to add to the depth.
    pub(crate) fn hindsight(&self, node: &Node) -> i32 {
        let Node { depth, ply, static_eval, .. } = *node;
        let above = &self.frames[(ply - 1).index()];
        let (Some(eval), Some(before)) = (static_eval, above.static_eval) else { return 0 };
        if !self.steps.has(Step::Hindsight) || above.reduction < 1 {
            return 0;
        }
        // What the side that moved gave away, by the evaluations of both sides.
        let lost = (eval + before).0 - params::tempo_twice();
        if above.reduction >= params::hindsight_deeper() && lost <= 0 {
            1
        } else if depth.0 >= 2 && lost > params::hindsight_margin() {
            -1
        } else {
            0
        }
    }

    /// Razoring (Birmingham and Kent 1977, in the form of Stockfish): so far below alpha that only captures can help.
    pub(crate) fn razoring(&mut self, position: &Position, node: &Node) -> Option<Value> {
        let Node { alpha, depth, ply, .. } = *node;
        let eval = node.eval?;
        let margin = params::razoring_base() + params::razoring_slope() * depth.0 * depth.0;
        if !self.steps.has(Step::Razoring) || alpha.is_decisive() || eval + margin > alpha {
            return None;
        }
        let value = self.quiescence::<NonPv>(position, alpha, alpha + 1, ply, true);
        (value <= alpha && !self.stopped).then_some(value)
    }

    /// Reverse futility (static null move): so far above beta that the few plies left will not change it.
    pub(crate) fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let Node { beta, depth, improving, .. } = *node;
        let eval = node.eval?;
        let margin = params::reverse_futility_margin() * (depth.0 - i32::from(improving));
        (self.steps.has(Step::ReverseFutility)
            && depth.0 <= params::reverse_futility_max_depth()
            && eval - margin >= beta
            && !beta.is_decisive()
            && !eval.is_decisive()
            && !node.table_pv
            // A quiet table move is a promise that is worth a search.
            && (node.table_move().is_none() || node.table_move_is_tactical))
            .then_some(Value((eval.0 + beta.0) / 2))
    }

    /// Null move (Donninger 1993): if even passing fails high, a move will. Not twice in a row, and not with pawns alone,
    /// where having to move may be what loses. At high depth the fail high is verified without null moves (Tabibi and
    /// Netanyahu 2002, in the form of Stockfish).
    pub(crate) fn try_null_move(&mut self, position: &Position, node: &Node) -> Option<Value> {
        let Node { beta, depth, ply, .. } = *node;
        let eval = node.eval?;
        if !self.steps.has(Step::NullMove)
            || depth.0 < params::null_move_min_depth()
            || eval < beta
            || node.static_eval.is_some_and(|eval| eval + 20 * depth.0 < beta)
            || beta.is_decisive()
            || ply < self.no_null_move_before
            || self.frames[(ply - 1).index()].mv.is_none()
            || !has_pieces(position)
        {
            return None;
        }
        let lead = ((eval - beta).0 / params::null_move_eval_divisor()).min(3);
        let reduction = params::null_move_reduction() + depth.0 / params::null_move_depth_divisor() + lead;
        let next = self.play_null(position, ply);
        let value = -self.alphabeta::<NonPv>(&next, -beta, -beta + 1, depth - reduction, ply + 1, !node.cut_node);
        self.undo();
        if value < beta || self.stopped {
            return None;
        }
        // A mate found after passing is no mate.
        let value = if value.is_decisive() { beta } else { value };
        let is_sure = self.no_null_move_before > Ply::ZERO
            || depth.0 < params::null_move_verification_depth()
            || !self.steps.has(Step::NullMoveVerification);
        if is_sure {
            return Some(value);
        }
        self.no_null_move_before = ply + 3 * (depth.0 - reduction).max(1) / 4;
        let verified = self.alphabeta::<NonPv>(position, beta - 1, beta, depth - reduction, ply, false);
        self.no_null_move_before = Ply::ZERO;
        (verified >= beta && !self.stopped).then_some(value)
    }

    /// ProbCut (Buro 1995): a capture that beats beta by a margin at reduced depth will beat beta at full depth.
    pub(crate) fn try_probcut(&mut self, position: &Position, node: &Node, raw_eval: Option<Value>) -> Option<Value> {
        let Node { beta, depth, ply, .. } = *node;
        let static_eval = node.static_eval?;
        let bar = beta + params::probcut_margin();
        let depth_left = depth - params::probcut_reduction();
        // The table says that the bar will not be reached.
        let hopeless =
            node.entry.is_some_and(|entry| entry.depth > depth_left && known::from_table(entry.value, ply) < bar);
        if !self.steps.has(Step::ProbCut) || depth.0 < params::probcut_min_depth() || bar.is_decisive() || hopeless {
            return None;
        }
        let mut picker = MovePicker::captures(position, node.table_move(), node.context, (bar - static_eval).0);
        while let Some(mv) = picker.next(position, &self.histories) {
            self.prefetch(position, mv);
            let next = self.play(position, mv, ply);
            let mut value = -self.quiescence::<NonPv>(&next, -bar, -bar + 1, ply + 1, true);
            if value >= bar && depth_left > Depth::ZERO && !self.stopped {
                value = -self.alphabeta::<NonPv>(&next, -bar, -bar + 1, depth_left, ply + 1, !node.cut_node);
            }
            self.undo();
            if self.stopped {
                return None;
            }
            if value >= bar {
                let entry = TableEntry {
                    mv: Some(mv),
                    value: known::to_table(value, ply),
                    eval: raw_eval,
                    depth: depth_left + 1,
                    bound: Bound::Lower,
                    is_pv: node.table_pv,
                };
                self.store_in_table(position, entry);
                return Some(if value.is_decisive() { value } else { value - (bar - beta).0 });
            }
        }
        None
    }

    /// ProbCut by what the table knows: a search that was a little shallower found far more than beta (Stockfish).
    pub(crate) fn table_probcut(&self, position: &Position, node: &Node) -> Option<Value> {
        let entry = node.entry?;
        let value = known::from_table(entry.value, node.ply);
        let bar = node.beta + params::table_probcut_margin();
        (self.steps.has(Step::TableProbCut)
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - params::table_probcut_slack()
            && value >= bar
            && !is_near_move_50(position)
            && !node.beta.is_decisive()
            && !value.is_decisive())
        .then_some(bar)
    }
}

/// Whether the side to move has more than king and pawns.
pub(crate) fn has_pieces(position: &Position) -> bool {
    let pawns_and_king = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
    (position.color(position.turn()) - pawns_and_king).any()
}
