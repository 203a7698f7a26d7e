//! Iterative deepening and aspiration windows.

use crate::event::{SearchEvent, SearchInfo};
use crate::fifty_moves::FIFTY_MOVES;
use crate::node::{Expected, Root};
use crate::params;
use crate::root::{self, RootMove};
use crate::statistics::Counter;
use crate::steps::Step;
use crate::table_probe::line_to_mate;
use crate::time::{Progress, scaled};
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Bound, Depth, Move, Ply, Value};
use std::time::Duration;

/// The time before which root moves and missed windows are not reported, because there would be too many to read.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// The depth to which a single legal move is searched: it takes little time and gives a reply to ponder on.
const SINGLE_REPLY_DEPTH: Depth = Depth(6);

/// The delta of the aspiration window, in centipawns, beyond which the window is opened fully. An untuned starting
/// value.
const MAX_DELTA: i32 = 1_000;

/// The development of best move and value over the iterations.
#[derive(Default)]
struct Trend {
    best: Option<Move>,
    /// Consecutive iterations with the same best move.
    stability: u32,
    /// The value of the last iteration.
    value: i32,
    /// The mean of the values before the last one, weighted towards later iterations.
    mean: Option<i32>,
}

impl Trend {
    fn update(&mut self, roots: &[RootMove]) {
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
            stability: self.stability,
            best_share: best_nodes as f64 / nodes.max(1) as f64,
            fall: self.mean.map_or(0, |mean| mean - self.value),
        }
    }
}

impl<E: Evaluator> Worker<E> {
    /// Searches the root with increasing depth until a limit is reached. Afterwards `roots` holds the moves as the last
    /// completed iteration left them, the best first, except for what an interrupted iteration has found: see
    /// [`Worker::restore_iteration`]. Calls `call_helpers` once there is a first result, if the search continues.
    pub(crate) fn iterate(&mut self, call_helpers: &dyn Fn()) {
        let job = self.job.clone();
        let last = job.limits.depth.map_or(Depth::MAX.0, |depth| (depth.min(Depth::MAX.0 as u32) as i32).max(1));
        let lines = job.multipv.min(self.roots.len());
        let mut trend = Trend::default();
        if job.trace {
            self.send(SearchEvent::Planned { soft: job.plan.soft, hard: job.plan.hard });
        }
        for depth in 1..=last {
            if depth < last && self.skips_depth(depth) {
                continue;
            }
            if depth == 2 && self.id == 0 {
                // The limits that the first iteration has ignored.
                self.check_limits();
                if self.stopped {
                    break;
                }
                call_helpers();
            }
            let settled = self.roots.clone();
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
                if lines > 1 && self.roots.first().is_some_and(|root| root.depth > self.completed_depth) {
                    self.report_lines(lines);
                }
                break;
            }
            self.completed_depth = Depth(depth);
            self.count(Counter::Iteration, Depth(depth));
            self.publish_report();
            if self.id == 0 {
                self.publish_nodes();
                self.report_lines(lines);
                trend.update(&self.roots);
                if self.decide_stop(&trend) {
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
            job.control.stop();
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

    /// Restores the moves of the previous iteration after an interrupted one, except for the lines that this one has
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
            // A helper has not completed one iteration: prefer any move with an exact value.
            root::sort(&mut self.roots);
            for root in &mut self.roots {
                if root.value == -Value::INFINITE || root.bound != Bound::Exact {
                    root.value = Value::ZERO;
                    root.bound = Bound::Exact;
                }
            }
        }
    }

    /// Completes a line whose mate is known from the tables. The iteration before may have done so already.
    fn complete_line(&mut self, line: usize, settled: &[RootMove]) {
        let root = &mut self.roots[line];
        let (value, bound) = root.reported();
        if self.mate_men == 0 || bound != Bound::Exact || !value.is_mate() {
            return;
        }
        if root.table_value == Some(value) {
            // What quiescence adds to a move whose mate is known need not be the best.
            root.pv.truncate(1);
        }
        let is_same = |old: &&RootMove| old.reported() == (value, bound) && old.pv.starts_with(&root.pv);
        let known = settled.iter().find(is_same).map(|old| old.pv.clone());
        if let Some(whole) = known.or_else(|| line_to_mate(&self.job, value, &root.pv)) {
            root.pv = whole;
        }
    }

    /// Appends the moves of the table to the line of a root move: up to its mate, to the depth of the iteration, or to
    /// a draw.
    fn extend_line(&self, root: &mut RootMove) {
        let length = root.value.plies_to_mate().map_or(self.root_depth.0, i32::abs) as usize;
        let mut position = (*self.job.root).clone();
        let mut keys = self.job.keys.clone();
        for ply in 1.. {
            let mv = match root.pv.get(ply - 1) {
                Some(&mv) => mv,
                None => {
                    let entry = self.probe_table(&position).filter(|_| ply <= length);
                    let Some(mv) = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv)) else { return };
                    root.pv.push(mv);
                    mv
                }
            };
            position = position.play_unchecked(mv);
            keys.push(position.key());
            let clock = position.halfmove_clock();
            if clock >= FIFTY_MOVES || keys.is_search_draw(clock, ply) || position.is_insufficient_material() {
                return;
            }
        }
    }

    /// Searches the root with a window around the expected value, and widens it each time the value falls outside.
    fn aspirate(&mut self, depth: Depth, guess: Value) {
        let job = self.job.clone();
        let mut delta = params::aspiration_window();
        let (mut alpha, mut beta) =
            if self.steps.has(Step::Aspiration) && depth.0 >= params::aspiration_min_depth() && !guess.is_decisive() {
                ((guess - delta).max(-Value::INFINITE), (guess + delta).min(Value::INFINITE))
            } else {
                (-Value::INFINITE, Value::INFINITE)
            };
        self.failed_high = None;
        loop {
            for root in &mut self.roots[self.first_root..] {
                root.value = -Value::INFINITE;
            }
            let value = self.alphabeta::<Root>(&job.root, alpha, beta, depth, Ply::ZERO, Expected::All);
            root::sort(&mut self.roots[self.first_root..]);
            if self.stopped {
                return;
            }
            if value <= alpha && alpha > -Value::INFINITE {
                self.failed_high = None;
                self.count(Counter::WindowLow, depth);
                self.report_miss();
                beta = Value((alpha.0 + beta.0) / 2);
                alpha = (value - delta).max(-Value::INFINITE);
            } else if value >= beta && beta < Value::INFINITE {
                self.failed_high = self.roots.get(self.first_root).cloned();
                self.count(Counter::WindowHigh, depth);
                self.report_miss();
                beta = (value + delta).min(Value::INFINITE);
            } else {
                return;
            }
            delta += delta / 2;
            if delta > MAX_DELTA || value.is_decisive() {
                (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
            }
        }
    }

    /// Whether a root move is to be searched for this line: it is not excluded, does not start a better line, and the
    /// endgame tables rank no move higher.
    pub(crate) fn is_root_candidate(&self, mv: Move) -> bool {
        self.roots[self.first_root..self.rank_end].iter().any(|root| root.mv == mv)
    }

    /// Reports the root move to be searched next, once the search has taken some time.
    pub(crate) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.id == 0 && self.job.control.elapsed() > QUIET_TIME {
            let number = (self.first_root + number) as u32;
            self.send(SearchEvent::CurrentMove { depth: self.root_depth.0 as u32, mv, number });
        }
    }

    /// Records the result of a root move. A later move that does not raise alpha keeps the value −infinite.
    pub(crate) fn update_root(&mut self, mv: Move, value: Value, alpha: Value, beta: Value, number: usize, nodes: u64) {
        let seldepth = self.seldepth.0 as u32;
        let (line, first_root) = (&self.frames[1].pv, self.first_root);
        let Some(root) = self.roots[first_root..].iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number > 1 && value <= alpha {
            return;
        }
        root.value = value;
        root.depth = self.root_depth;
        root.seldepth = seldepth;
        root.bound = Bound::of(value, alpha, beta);
        root.pv.clear();
        root.pv.push(mv);
        root.pv.extend(line);
    }

    /// Decides after a completed iteration whether to stop. While pondering, only records the decision.
    fn decide_stop(&mut self, trend: &Trend) -> bool {
        let limits = &self.job.limits;
        if limits.infinite {
            return false;
        }
        let is_enough = self.weigh_progress(trend);
        !self.job.control.postpone(is_enough) && is_enough
    }

    /// Whether the result suffices by the limits, pondering or not. Reports the factor of the soft limit.
    fn weigh_progress(&mut self, trend: &Trend) -> bool {
        let limits = &self.job.limits;
        let best = self.roots.first().map_or(Value::ZERO, |root| root.value);
        if let (Some(wanted), Some(moves)) = (limits.mate, best.mate_in_moves())
            && moves > 0
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|nodes| self.job.nodes.total() >= nodes) {
            return true;
        }
        let Some(soft) = self.job.plan.soft else { return false };
        // One legal move, or one that the endgame tables prefer to all others.
        let is_single = self.roots.len() == 1 || self.job.multipv == 1 && self.rank_end == 1;
        let progress = trend.progress(&self.roots, self.nodes, is_single);
        if progress.single_reply && self.completed_depth < SINGLE_REPLY_DEPTH {
            return false;
        }
        let factor = progress.factor(self.job.time_rules);
        if self.job.trace {
            self.send(SearchEvent::Weighed {
                depth: self.completed_depth.0 as u32,
                single_reply: progress.single_reply,
                stability: progress.stability,
                best_share: (progress.best_share * 1000.0) as u16,
                fall: progress.fall,
                factor: (factor * 1000.0) as u32,
            });
        }
        // Time spent pondering counts as well.
        self.job.control.spent(self.job.nodes.total()) >= scaled(soft, factor)
    }

    /// Reports an event, if this is the main thread.
    pub(crate) fn send(&mut self, event: SearchEvent) {
        if let Some(listener) = &mut self.listener {
            listener.send(event);
        }
    }

    fn report_lines(&mut self, lines: usize) {
        for line in 0..lines {
            self.send(SearchEvent::Info(self.info(&self.roots[line], line)));
        }
    }

    /// Reports the first lines of an iteration, completed by those of the iteration before, once the search has taken
    /// some time.
    fn report_early(&mut self, finished: usize, settled: &[RootMove], lines: usize) {
        if self.id == 0 && self.completed_depth > Depth::ZERO && self.job.control.elapsed() > QUIET_TIME {
            self.publish_nodes();
            for (line, root) in root::followed_by(&self.roots[..finished], settled).iter().enumerate().take(lines) {
                self.send(SearchEvent::Info(self.info(root, line)));
            }
        }
    }

    /// Reports a bound after a missed window, once the search has taken some time. With MultiPV no bounds are reported.
    fn report_miss(&mut self) {
        if self.id == 0 && self.job.multipv == 1 && self.job.control.elapsed() > QUIET_TIME {
            self.publish_nodes();
            self.send(SearchEvent::Info(self.info(&self.roots[0], 0)));
        }
    }

    /// The line of a root move, which is that number among the best lines, from 0, with its statistics.
    pub(crate) fn info(&self, root: &RootMove, line: usize) -> SearchInfo {
        let (value, bound) = root.reported();
        SearchInfo {
            depth: root.depth.0 as u32,
            seldepth: root.seldepth.max(1),
            multipv: line as u32 + 1,
            value,
            bound,
            is_proven: root.table_value.is_some(),
            nodes: self.job.nodes.total(),
            tablebase_hits: self.job.table_hits.total(),
            hashfull: self.job.table.hashfull(),
            time: self.job.control.elapsed(),
            pv: root.pv.clone(),
        }
    }
}
