//! Easy moves: choices so clear, or of so little consequence, that a part of the time for the move suffices.

use crate::node::{Expected, NonPv};
use crate::time_manager::{Progress, TimeRule};
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Depth, Move, Ply, Value};

/// The least depth of an iteration that can show that a move is easy.
const LEAST_DEPTH: Depth = Depth(8);

/// Consecutive iterations that must agree that the move is easy.
pub(crate) const EASY_ITERATIONS: u32 = 4;

/// An easy move is better than every other move by this many centipawns.
const MARGIN: i32 = 200;

/// The value of an easy move has not fallen by more than this many centipawns: see [`Progress::fall`].
const MOST_FALL: i32 = 30;

impl<E: Evaluator> Worker<'_, E> {
    /// Whether the last iteration shows that the move is easy. This may search some nodes.
    pub(crate) fn finds_move_easy(&mut self, progress: &Progress) -> bool {
        self.may_be_easy()
            && self.completed_depth >= LEAST_DEPTH
            && progress.fall <= MOST_FALL
            && (self.must_recapture() || progress.stability > 0 && self.others_are_worse())
    }

    /// Whether the search is one for a move in a game on a clock. With a limit of nodes, none are to spare for the
    /// verification; a fixed time is used in full, and so are all lines of several.
    fn may_be_easy(&self) -> bool {
        let limits = &self.job.limits;
        let is_free = limits.move_time.is_none() && limits.mate.is_none() && limits.depth.is_none();
        let counts_nodes = limits.nodes.or(limits.node_budget).or(limits.soft_nodes).is_some();
        let considers_all = self.job.multipv == 1 && self.learnt_root.is_none();
        self.job.time_rules.has(TimeRule::EasyMove) && considers_all && is_free && !counts_nodes
    }

    /// Whether every move takes on the same square. Then the choice is rarely worth more than its price in time.
    fn must_recapture(&self) -> bool {
        let root = &self.job.root;
        let moves = &self.roots[..self.rank_end];
        moves.iter().all(|root_move| root_move.mv.to() == moves[0].mv.to() && root.is_capture(root_move.mv))
    }

    /// Verifies at half the depth, with a null window, that every other move is worse by the margin.
    fn others_are_worse(&mut self) -> bool {
        let Some(best) = self.roots.first().map(|best| best.value).filter(|value| !value.is_lost()) else {
            return false;
        };
        let others: Vec<Move> = self.roots[1..self.rank_end].iter().map(|other| other.mv).collect();
        let bound = best - MARGIN;
        let depth = Depth((self.completed_depth.0 - 1) / 2);
        others.into_iter().all(|mv| self.is_below(mv, bound, depth))
    }

    /// Whether a root move is worth less than a bound; `false` if the search is stopped.
    fn is_below(&mut self, mv: Move, bound: Value, depth: Depth) -> bool {
        let job = self.job.clone();
        let mut next = (*job.root).clone();
        self.play(&mut next, mv, Ply::ZERO);
        let value = -self.alphabeta::<NonPv>(&next, -bound, -bound + 1, depth, Ply::ZERO + 1, Expected::Cut);
        self.undo();
        value < bound && !self.stopped
    }
}
