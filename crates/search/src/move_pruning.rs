//! Pruning of single moves.

use crate::node::{Candidate, Node};
use crate::node_pruning::has_pieces;
use crate::params;
use crate::reductions::ONE_PLY;
use crate::statistics::Counter;
use crate::steps::Step;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;

/// Which moves of a node to prune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pruning {
    /// None: the move is searched.
    Nothing,
    /// Only this move: later ones may, for example, give check.
    ThisMove,
    /// This move and all remaining quiet moves.
    RemainingQuiets,
}

impl Pruning {
    fn this_move_if(is_pruned: bool) -> Self {
        if is_pruned { Self::ThisMove } else { Self::Nothing }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Decides near the horizon whether to prune a move. The caller ensures that a move or the endgame tables have
    /// shown that the position is not lost. Without pieces nothing is pruned.
    pub(crate) fn prune_move(&mut self, position: &Position, node: &Node, candidate: &Candidate) -> Pruning {
        if !has_pieces(position) {
            return Pruning::Nothing;
        }
        if !candidate.is_quiet {
            let is_pruned = self.loses_material(position, node, candidate, node.depth.0);
            self.count_if(is_pruned, Counter::SeePruned, node.depth);
            return Pruning::this_move_if(is_pruned);
        }
        let reduced = (node.depth.0 - self.reductions.base(node, candidate) / ONE_PLY).max(0);
        if !position.in_check() {
            if self.is_late(node, candidate) {
                self.count(Counter::LateMovesPruned, node.depth);
                return Pruning::RemainingQuiets;
            }
            if self.is_futile(node, candidate, reduced) {
                self.count(Counter::FutilityPruned, node.depth);
                return Pruning::ThisMove;
            }
        }
        if self.has_bad_history(node, candidate, reduced) {
            self.count(Counter::HistoryPruned, node.depth);
            return Pruning::ThisMove;
        }
        let is_pruned = self.loses_material(position, node, candidate, reduced);
        self.count_if(is_pruned, Counter::SeePruned, node.depth);
        Pruning::this_move_if(is_pruned)
    }

    /// Late move pruning (move count based pruning).
    fn is_late(&self, node: &Node, candidate: &Candidate) -> bool {
        let depth = node.depth.0;
        let limit = (params::lmp_base() + depth * depth) / (2 - i32::from(node.improving));
        self.steps.has(Step::LateMovePruning) && depth <= params::lmp_max_depth() && candidate.number as i32 > limit
    }

    /// Futility pruning (Jonathan Schaeffer 1986, Ernst Heinz 1998): the evaluation is so far below alpha that a quiet
    /// move cannot raise it to alpha.
    fn is_futile(&self, node: &Node, candidate: &Candidate, reduced: i32) -> bool {
        self.steps.has(Step::Futility)
            && reduced <= params::futility_max_depth()
            && !candidate.gives_check
            && !node.alpha.is_decisive()
            && node
                .eval
                .is_some_and(|eval| eval + params::futility_base() + params::futility_slope() * reduced <= node.alpha)
    }

    /// History pruning: as a continuation of the previous moves, the move has often failed.
    fn has_bad_history(&self, node: &Node, candidate: &Candidate, reduced: i32) -> bool {
        self.steps.has(Step::HistoryPruning)
            && node.depth.0 > 1
            && reduced <= params::history_pruning_max_depth()
            && self.histories.continuations(&node.context, candidate.this)
                < -params::history_pruning_slope() * (reduced + 1)
    }

    /// SEE pruning: the move loses more by static exchange than the remaining depth can recover.
    fn loses_material(&self, position: &Position, node: &Node, candidate: &Candidate, reduced: i32) -> bool {
        let loss = if candidate.is_quiet {
            params::see_quiet() * reduced * reduced
        } else {
            // The history changes the limit by at most its own size, so a capture never has to win material.
            let limit = params::see_noisy() * reduced;
            limit + (candidate.history / params::see_noisy_history_divisor()).clamp(-limit, limit)
        };
        self.steps.has(Step::SeePruning)
            && node.depth.0 <= params::see_max_depth()
            && !position.see_ge(candidate.mv, -loss)
    }
}
