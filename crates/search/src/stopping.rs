//! When a search ends: at its limits, or when the result is clear enough for the time used.

use crate::easy_move::EASY_ITERATIONS;
use crate::event::SearchEvent;
use crate::params::{CHECK_INTERVAL, FIRST_ITERATION_NODES};
use crate::root::RootMove;
use crate::time_manager::{Progress, scaled};
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Depth, Limits, Move, Value};

/// The depth to which a single legal move is searched: this takes little time and gives a reply to ponder on.
const SINGLE_REPLY_DEPTH: Depth = Depth(6);

/// The development of best move and value over the iterations.
#[derive(Default)]
pub(crate) struct Trend {
    best: Option<Move>,
    /// Consecutive iterations with the same best move.
    stability: u32,
    /// The value of the last iteration.
    value: i32,
    /// The mean of the values before the last one, weighted towards later iterations.
    mean: Option<i32>,
    /// Consecutive iterations that have found the move easy.
    easy: u32,
}

impl Trend {
    pub(crate) fn update(&mut self, roots: &[RootMove]) {
        let Some(root) = roots.first() else { return };
        self.stability = if self.best == Some(root.mv) { self.stability + 1 } else { 0 };
        self.best = Some(root.mv);
        self.mean = Some(self.mean.map_or(root.value.0, |mean| (mean + self.value) / 2));
        self.value = root.value.0;
    }

    fn progress(&self, roots: &[RootMove], nodes: u64, single_reply: bool) -> Progress {
        let best_nodes = roots.first().map_or(0, |root| root.nodes);
        Progress {
            single_reply,
            is_easy: false,
            stability: self.stability,
            best_share: best_nodes as f64 / nodes.max(1) as f64,
            fall: self.mean.map_or(0, |mean| mean - self.value),
        }
    }
}

impl<E> Worker<'_, E> {
    /// Checks the stop flag and, on the main thread, the limits.
    ///
    /// Limits stop the main thread only after its first iteration, so that every answer comes from at least a one-ply
    /// search: on a busy machine the time may be up before the first node. A first iteration with an extraordinary
    /// number of captures is cut short, not stopped.
    #[cold]
    pub(crate) fn check_limits(&mut self) {
        self.publish_nodes();
        self.next_check = self.nodes + CHECK_INTERVAL;
        if self.caller.as_ref().is_some_and(|caller| (caller.is_stopped)()) {
            self.job.control.stop();
        }
        let is_over = self.id == 0 && self.has_reached_limit() || self.job.control.is_stopped();
        let must_finish = self.id == 0 && self.completed_depth == Depth::ZERO;
        self.stopped |= is_over && !must_finish;
        self.stands_pat |= is_over && (!must_finish || self.nodes >= FIRST_ITERATION_NODES);
    }

    /// Whether a limit has been reached. A node limit brings the next check forward.
    fn has_reached_limit(&mut self) -> bool {
        let total = self.job.nodes.total();
        let Limits { nodes, node_budget, .. } = self.job.limits;
        let of_clock = self.job.time_manager.hard.and_then(|hard| self.job.control.nodes_at(hard));
        // A single thread stops exactly at the limit.
        for limit in [nodes, node_budget, of_clock].into_iter().flatten() {
            self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(total).max(1));
        }
        let is_reached = |limit: Option<u64>| limit.is_some_and(|limit| total >= limit);
        is_reached(nodes) && !self.job.awaits_signal() || is_reached(node_budget) || self.job.is_out_of_time()
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Decides after a completed iteration whether to stop. While pondering, only records the decision.
    pub(crate) fn decide_stop(&mut self, trend: &mut Trend) -> bool {
        let limits = &self.job.limits;
        if limits.infinite {
            return false;
        }
        let is_enough = self.weigh_progress(trend);
        !self.job.control.postpone(is_enough) && is_enough
    }

    /// Whether the result suffices for the limits, whether pondering or not. Reports the factor of the soft limit.
    fn weigh_progress(&mut self, trend: &mut Trend) -> bool {
        let limits = &self.job.limits;
        let best = self.roots.first().map_or(Value::ZERO, |root| root.value);
        if let (Some(wanted), Some(moves)) = (limits.mate, best.mate_in_moves())
            && moves > 0
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        // Other threads may have searched the nodes of the limit while this one, which counts them now and then,
        // searched few of them.
        if limits.soft_nodes.into_iter().chain(limits.nodes).any(|nodes| self.job.nodes.total() >= nodes) {
            return true;
        }
        let Some(soft) = self.job.time_manager.soft else { return false };
        // One legal move, or one that the endgame tables prefer to all others.
        let is_preferred = self.job.multipv == 1 && self.rank_end == 1 && self.learnt_root.is_none();
        let is_single = self.roots.len() == 1 || is_preferred;
        let mut progress = trend.progress(&self.roots, self.nodes, is_single);
        if progress.single_reply && self.completed_depth < SINGLE_REPLY_DEPTH {
            return false;
        }
        trend.easy = if self.finds_move_easy(&progress) { trend.easy + 1 } else { 0 };
        progress.is_easy = trend.easy >= EASY_ITERATIONS;
        let factor = progress.factor(self.job.time_rules);
        if self.job.trace {
            self.send(SearchEvent::Weighed {
                depth: self.completed_depth.0 as u32,
                single_reply: progress.single_reply,
                easy: progress.is_easy,
                stability: progress.stability,
                best_share: (progress.best_share * 1000.0) as u16,
                fall: progress.fall,
                factor: (factor * 1000.0) as u32,
            });
        }
        // Time spent pondering counts as well.
        self.job.control.spent(self.job.nodes.total()) >= scaled(soft, factor)
    }
}
