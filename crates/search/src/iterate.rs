//! Iterative deepening.

use crate::event::SearchEvent;
use crate::root::{self, RootMove};
use crate::statistics::Counter;
use crate::stopping::Trend;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Bound, Depth, Ply, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the root with increasing depth until a limit is reached. Afterwards `roots` holds the moves as the last
    /// completed iteration left them, the best first, except for results of an interrupted iteration: see
    /// [`Worker::restore_iteration`]. Calls `call_helpers` once there is a first result, if the search continues.
    pub(crate) fn iterate(&mut self, call_helpers: &dyn Fn()) {
        let job = self.job.clone();
        let last = job.limits.depth.map_or(Depth::MAX.0, |depth| (depth.min(Depth::MAX.0 as u32) as i32).max(1));
        let lines = job.multipv.min(self.roots.len());
        let mut trend = Trend::default();
        let mut settled = Vec::new();
        if job.trace {
            self.send(SearchEvent::Planned { soft: job.time_manager.soft, hard: job.time_manager.hard });
        }
        for depth in 1..=last {
            if depth < last && self.skips_depth(depth) {
                continue;
            }
            if depth == 2 && self.id == 0 {
                // Check the limits that the first iteration has ignored.
                self.check_limits();
                if self.stopped {
                    break;
                }
                call_helpers();
            }
            self.review_learnt_move(Depth(depth));
            settled.clone_from(&self.roots);
            self.root_depth = Depth(depth);
            for line in 0..lines {
                self.first_root = line;
                if line == 0 || line == self.rank_end {
                    let rank = self.roots[line].rank;
                    let last = self.roots.iter().rposition(|root| root.rank == rank);
                    self.rank_end = last.map_or(self.roots.len(), |last| last + 1);
                }
                self.seldepth = Ply::ZERO;
                let guess = settled.get(line).map_or(Value::ZERO, |root| root.value);
                self.aspirate(Depth(depth), guess);
                if self.stopped {
                    break;
                }
                self.complete_line(line, &settled);
                root::sort(&mut self.roots[..=line]);
                if line + 1 < lines {
                    self.report_early(line + 1, &settled, lines);
                }
            }
            if self.stopped {
                self.restore_iteration(&settled, lines);
                break;
            }
            self.completed_depth = Depth(depth);
            self.count(Counter::Iteration, Depth(depth));
            self.publish_report();
            if self.id == 0 {
                self.publish_nodes();
                // At the depth limit, the result may be another thread's: its lines are reported, and no others.
                if depth < last || job.awaits_signal() {
                    self.report_lines(lines);
                }
                trend.update(&self.roots);
                if self.decide_stop(&mut trend) {
                    break;
                }
            }
        }
        #[cfg(feature = "statistics")]
        {
            let counted = Box::new(std::mem::take(&mut self.statistics));
            self.send(SearchEvent::Counted(counted));
        }
        // The first thread that reaches the depth limit ends the search.
        if self.completed_depth.0 >= last && lines == 1 && !job.awaits_signal() {
            job.control.end();
        }
        self.publish_nodes();
    }

    /// Lazy SMP: each helper skips a different set of depths, so that the threads spread over several iterations.
    fn skips_depth(&self, depth: i32) -> bool {
        if self.id == 0 {
            return false;
        }
        // The first two helpers search every other depth, the next two alternate in blocks of two depths, and so on
        // (the scheme of Stockfish 7 to 11). With two threads and 50 positions to depth 18, this needs 1.56 times the
        // nodes of one thread; a helper that skips nothing needs 1.73 times.
        let size = 1 + (self.id as i32 - 1) / 2 % 4;
        (depth + self.id as i32) / size % 2 == 0 && depth > 1
    }

    /// Restores the moves of the previous iteration after an interrupted one, except for the lines that the latter has
    /// finished. In a search for one line, a new best move of the interrupted iteration is kept if its search was
    /// completed or failed high. In the second case its value is a lower bound, and its line comes from the table.
    fn restore_iteration(&mut self, settled: &[RootMove], lines: usize) {
        let better = self.roots.first().filter(|root| {
            lines == 1
                && self.completed_depth > Depth::ZERO
                && root.value > -Value::INFINITE
                && root.bound == Bound::Exact
        });
        if let Some(better) = better.cloned() {
            let better = RootMove { depth: self.completed_depth, ..better };
            self.roots = root::followed_by(&[better], settled);
            self.complete_line(0, settled);
        } else if self.completed_depth > Depth::ZERO {
            self.roots = root::followed_by(&self.roots[..self.first_root], settled);
            // Another move that failed high and was being searched again is better than the best so far. The best so
            // far itself keeps its exact value and its line.
            let failed_high = self.failed_high.take().filter(|_| lines == 1);
            let other = |better: &RootMove| self.roots.first().is_none_or(|best| best.mv != better.mv);
            if let Some(mut better) = failed_high.filter(other) {
                self.extend_line(&mut better);
                better.depth = self.completed_depth;
                self.roots = root::followed_by(&[better], settled);
            }
        } else {
            // A helper that has not completed an iteration: prefer any move with an exact value.
            root::sort(&mut self.roots);
            for root in &mut self.roots {
                if root.value == -Value::INFINITE || root.bound != Bound::Exact {
                    root.value = Value::ZERO;
                    root.bound = Bound::Exact;
                }
            }
        }
    }
}
