//! Which moves of a node need not be searched.

use crate::alphabeta::{Candidate, Node};
use crate::node_pruning::has_pieces;
use crate::params;
use crate::picker::MovePicker;
use crate::steps::Step;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;

impl<E: Evaluator> Worker<E> {
    /// Whether a move is skipped. A move that leads nowhere near the horizon is, if another has been searched already and
    /// the position is not lost by force; with pawns alone nothing is skipped.
    pub(crate) fn is_skipped(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        picker: &mut MovePicker,
    ) -> bool {
        if !has_pieces(position) {
            return false;
        }
        if !candidate.is_quiet {
            return self.loses_material(position, node, candidate, node.depth.0);
        }
        let reduced = (node.depth.0 - self.base_reduction(node, candidate) / 1024).max(0);
        if !position.in_check() {
            if self.is_late(node, candidate) {
                picker.skip_quiets();
                return true;
            }
            if self.is_futile(node, candidate, reduced) {
                // The quiets after it may give check.
                return true;
            }
        }
        self.has_bad_history(node, candidate, reduced) || self.loses_material(position, node, candidate, reduced)
    }

    /// Late move pruning (move count based pruning): after so many moves near the horizon no quiet one will do.
    fn is_late(&self, node: &Node, candidate: &Candidate) -> bool {
        let depth = node.depth.0;
        let limit = (params::lmp_base() + depth * depth) / (2 - i32::from(node.improving));
        self.steps.has(Step::LateMovePruning) && depth <= params::lmp_max_depth() && candidate.number as i32 > limit
    }

    /// Futility (Schaeffer 1986, Heinz 1998): the evaluation is so far below alpha that a quiet move cannot make it up.
    fn is_futile(&self, node: &Node, candidate: &Candidate, reduced: i32) -> bool {
        self.steps.has(Step::Futility)
            && reduced <= params::futility_max_depth()
            && !candidate.gives_check
            && !node.alpha.is_decisive()
            && node
                .eval
                .is_some_and(|eval| eval + params::futility_base() + params::futility_slope() * reduced <= node.alpha)
    }

    /// History pruning: it has failed too often.
    fn has_bad_history(&self, node: &Node, candidate: &Candidate, reduced: i32) -> bool {
        self.steps.has(Step::HistoryPruning)
            && node.depth.0 > 1
            && reduced <= params::history_pruning_max_depth()
            && self.histories.continuations(&node.context, candidate.this)
                < -params::history_pruning_slope() * (reduced + 1)
    }

    /// SEE pruning: it loses more by static exchange than the depth left can make up.
    fn loses_material(&self, position: &Position, node: &Node, candidate: &Candidate, reduced: i32) -> bool {
        let loss = if candidate.is_quiet {
            params::see_quiet() * reduced * reduced
        } else {
            // However bad its history, a capture need not win anything.
            let most = params::see_noisy() * reduced;
            params::see_noisy() * reduced + (candidate.history / 64).clamp(-most, most)
        };
        self.steps.has(Step::SeePruning)
            && node.depth.0 <= params::see_max_depth()
            && !position.see_ge(candidate.mv, -loss)
    }
}
