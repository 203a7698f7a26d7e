//! Late move reductions: late moves are searched shallower, and again deeper if they fail high.

use crate::known;
use crate::node::{Candidate, Node, NodeType};
use crate::params;
use crate::reductions::ONE_PLY;
use crate::steps::Step;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Bound, Depth, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// The reduction of a late move in 1/1024 of a ply; `None` for a move that is searched at full depth.
    pub(crate) fn late_move_reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate) -> Option<i32> {
        let is_late = node.depth.0 >= params::lmr_min_depth() && candidate.number > 1 + usize::from(N::ROOT);
        let is_reduced = candidate.is_quiet || self.steps.has(Step::ReduceNoisy);
        if !is_late || !is_reduced || !self.steps.has(Step::LateMoveReduction) {
            return None;
        }
        let mut reduction = self.reductions.base(node, candidate);
        if N::PV {
            reduction -= params::lmr_pv();
        }
        if node.table_pv && self.steps.has(Step::ReduceTablePv) {
            reduction -= params::lmr_table_pv();
        }
        reduction += self.reduction_by_table_bound(node);
        if self.steps.has(Step::ReduceCorrectedLess) {
            reduction -= params::lmr_correction() * self.frames[node.ply.index()].correction;
        }
        if !node.improving {
            reduction += params::lmr_not_improving();
        }
        if node.expected.is_cut() && self.steps.has(Step::ReduceCutNode) {
            reduction += params::lmr_cut_node();
        }
        if candidate.gives_check && self.steps.has(Step::ReduceCheckLess) {
            reduction -= params::lmr_check();
        }
        let cutoffs = self.frames[(node.ply + 1).index()].cutoffs;
        if cutoffs > params::lmr_cutoff_limit() && self.steps.has(Step::ReduceCutoffCount) {
            reduction += params::lmr_cutoff_count();
        }
        if candidate.is_quiet {
            if node.table_move_is_tactical && self.steps.has(Step::ReduceTableCapture) {
                reduction += params::lmr_table_capture();
            }
            if self.is_refutation(node, candidate) {
                reduction -= params::lmr_refutation();
            }
            reduction -= candidate.history * ONE_PLY / params::lmr_history_divisor();
        } else {
            reduction -= candidate.history * ONE_PLY / params::lmr_capture_divisor();
        }
        Some(reduction)
    }

    /// The adjustment of a reduction, in a node that was once on the principal variation, by the outcome that the table
    /// predicts (Stockfish).
    #[inline]
    fn reduction_by_table_bound(&self, node: &Node) -> i32 {
        let Some(entry) = node.entry.filter(|_| node.table_pv && self.steps.has(Step::ReduceByTableBound)) else {
            return 0;
        };
        let value = known::from_table(entry.value, node.ply);
        if value > node.alpha && entry.bound != Bound::Upper {
            -params::lmr_table_high()
        } else if value <= node.alpha && entry.bound != Bound::Lower {
            params::lmr_table_low()
        } else {
            0
        }
    }

    /// Whether a move is a killer or the counter move.
    fn is_refutation(&self, node: &Node, candidate: &Candidate) -> bool {
        self.steps.has(Step::Killers) && self.frames[node.ply.index()].killers.contains(&Some(candidate.mv))
            || self.histories.counter_move(node.context.before[0]) == Some(candidate.mv)
    }

    /// Plies to add to the depth of the re-search after a reduced search has failed high: one if the value is far above
    /// the best value, minus one if it is barely above it.
    pub(crate) fn research_depth(&self, value: Value, best_value: Value, new_depth: Depth) -> i32 {
        if !self.steps.has(Step::DeeperResearch) {
            return 0;
        }
        let deeper = params::lmr_deeper_base() + params::lmr_deeper_slope() * new_depth.0;
        i32::from(value > best_value + deeper) - i32::from(value < best_value + new_depth.0)
    }
}
