//! Iterative deepening and aspiration: the root of the search.

use crate::event::{SearchEvent, SearchInfo};
use crate::node::Root;
use crate::params;
use crate::root::{self, RootMove};
use crate::steps::Step;
use crate::time::Progress;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Bound, Depth, Move, Ply, Value};
use std::time::Duration;

/// Before this much time nobody wants to read about single moves and missed windows.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// So deep the only legal move is searched: it takes no time, and there is a reply to ponder on.
const SINGLE_REPLY_DEPTH: Depth = Depth(6);

/// What changed from iteration to iteration.
#[derive(Default)]
struct Doubt {
    best: Option<Move>,
    stability: u32,
    /// The value of the last iteration and the mean of those before, the last ones counting most.
    value: i32,
    mean: Option<i32>,
}

impl Doubt {
    fn update(&mut self, roots: &[RootMove]) {
        let Some(root) = roots.first() else { return };
        self.stability = if self.best == Some(root.mv) { self.stability + 1 } else { 0 };
        self.best = Some(root.mv);
        self.mean = Some(self.mean.map_or(root.value.0, |mean| (mean + self.value) / 2));
        self.value = root.value.0;
    }

    fn progress(&self, roots: &[RootMove], nodes: u64) -> Progress {
        let best_nodes = roots.first().map_or(0, |root| root.nodes);
        Progress {
            single_reply: roots.len() == 1,
            stability: self.stability,
            best_share: best_nodes as f64 / nodes.max(1) as f64,
            fall: self.mean.map_or(0, |mean| mean - self.value),
        }
    }
}

impl<E: Evaluator> Worker<E> {
    /// Searches the job's position deeper and deeper until a limit is reached. Afterwards `roots` holds the moves as the
    /// last completed iteration (or a better part of the one that was cut) left them, the best first.
    pub(crate) fn iterate(&mut self) {
        let job = self.job.clone();
        let last = job.limits.depth.map_or(Depth::MAX.0, |depth| (depth.min(Depth::MAX.0 as u32) as i32).max(1));
        let lines = job.multipv.min(self.roots.len());
        let mut doubt = Doubt::default();
        if job.trace {
            self.send(SearchEvent::Planned { soft: job.plan.soft, hard: job.plan.hard });
        }
        for depth in 1..=last {
            if depth < last && self.leaves_to_others(depth) {
                continue;
            }
            let settled = self.roots.clone();
            self.root_depth = Depth(depth);
            for line in 0..lines {
                self.first_root = line;
                self.seldepth = Ply::ZERO;
                let guess = settled.get(line).map_or(Value::ZERO, |root| root.value);
                self.aspirate(Depth(depth), guess);
                if self.stopped {
                    break;
                }
                root::sort(&mut self.roots[..=line]);
            }
            if self.stopped {
                self.keep_what_is_sure(settled, lines);
                break;
            }
            self.completed_depth = Depth(depth);
            if self.id == 0 {
                self.publish_nodes();
                self.report_lines(lines);
                doubt.update(&self.roots);
                if self.is_done(&doubt) {
                    break;
                }
            }
        }
        // Whoever reaches the depth that was asked for first answers for all.
        if self.completed_depth.0 >= last && lines == 1 && !self.answers_late() {
            job.control.stop();
        }
        self.publish_nodes();
    }

    /// Lazy SMP: helpers skip some depths, each others, so that the threads spread over the iterations to come.
    fn leaves_to_others(&self, depth: i32) -> bool {
        if self.id == 0 {
            return false;
        }
        // The first two helpers skip one depth in two, the next two take turns of two depths, and so on (the scheme of
        // Stockfish 7 to 11). With two threads and 50 positions to depth 18 this needs 1.56 times the nodes of one thread
        // where a helper that skips nothing needs 1.73.
        let size = 1 + (self.id as i32 - 1) / 2 % 4;
        (depth + self.id as i32) / size % 2 == 0 && depth > 1
    }

    /// A cut iteration leaves half-sorted moves. A new best move that was searched to the end is kept, else all is as the
    /// iteration before left it.
    fn keep_what_is_sure(&mut self, settled: Vec<RootMove>, lines: usize) {
        let better = self.roots.first().filter(|root| {
            lines == 1
                && self.completed_depth > Depth::ZERO
                && root.value > -Value::INFINITE
                && root.bound == Bound::Exact
        });
        if let Some(better) = better.cloned() {
            self.roots = settled;
            self.roots.retain(|root| root.mv != better.mv);
            self.roots.insert(0, better);
        } else if self.completed_depth > Depth::ZERO {
            self.roots = settled;
            // A move that failed high and was being searched again is better than the best so far. Nobody knows by how
            // much: what it is worth at least stands for its value.
            if let Some(better) = self.failed_high.take().filter(|_| lines == 1) {
                self.roots.retain(|root| root.mv != better.mv);
                self.roots.insert(0, RootMove { bound: Bound::Exact, ..better });
            }
        } else {
            // Not even one iteration: any exact value is better than none.
            root::sort(&mut self.roots);
            for root in &mut self.roots {
                if root.value == -Value::INFINITE || root.bound != Bound::Exact {
                    root.value = Value::ZERO;
                    root.bound = Bound::Exact;
                }
            }
        }
    }

    /// Searches the root with a window around the expected value, and a wider one each time that it misses.
    fn aspirate(&mut self, depth: Depth, guess: Value) {
        let job = self.job.clone();
        let mut delta = params::aspiration_window();
        let (mut alpha, mut beta) =
            if self.steps.has(Step::Aspiration) && depth.0 >= params::aspiration_min_depth() && !guess.is_decisive() {
                ((guess - delta).at_least(-Value::INFINITE), (guess + delta).at_most(Value::INFINITE))
            } else {
                (-Value::INFINITE, Value::INFINITE)
            };
        self.failed_high = None;
        loop {
            for root in &mut self.roots[self.first_root..] {
                root.value = -Value::INFINITE;
            }
            let value = self.alphabeta::<Root>(&job.root, alpha, beta, depth, Ply::ZERO, false);
            root::sort(&mut self.roots[self.first_root..]);
            if self.stopped {
                return;
            }
            if value <= alpha && alpha > -Value::INFINITE {
                self.failed_high = None;
                self.report_miss();
                beta = Value((alpha.0 + beta.0) / 2);
                alpha = (value - delta).at_least(-Value::INFINITE);
            } else if value >= beta && beta < Value::INFINITE {
                self.failed_high = self.roots.get(self.first_root).cloned();
                self.report_miss();
                beta = (value + delta).at_most(Value::INFINITE);
            } else {
                return;
            }
            delta += delta / 2;
            if delta > 1_000 || value.is_decisive() {
                (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
            }
        }
    }

    /// Whether a root move is to be searched for this line: it is allowed, and not the first of another line.
    pub(crate) fn is_root_candidate(&self, mv: Move) -> bool {
        self.roots[self.first_root..].iter().any(|root| root.mv == mv)
    }

    /// Says which root move comes next, once the search takes long enough for anyone to care.
    pub(crate) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.id == 0 && self.job.control.elapsed() > QUIET_TIME {
            let number = (self.first_root + number) as u32;
            self.send(SearchEvent::CurrentMove { depth: self.root_depth.0 as u32, mv, number });
        }
    }

    /// Keeps what was found about a root move. One that does not raise alpha has no value of its own.
    pub(crate) fn update_root(&mut self, mv: Move, value: Value, alpha: Value, beta: Value, number: usize, nodes: u64) {
        let seldepth = self.seldepth.0 as u32;
        let (line, first_root) = (&self.frames[1].pv, self.first_root);
        let Some(root) = self.roots[first_root..].iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if number > 1 && value <= alpha {
            return;
        }
        root.value = value;
        root.seldepth = seldepth;
        root.bound = if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.pv.clear();
        root.pv.push(mv);
        root.pv.extend(line);
    }

    /// After a completed iteration: is it enough?
    fn is_done(&mut self, doubt: &Doubt) -> bool {
        let limits = &self.job.limits;
        if limits.infinite {
            return false;
        }
        let is_enough = self.is_enough(doubt);
        if self.job.control.is_pondering() {
            self.job.control.set_enough(is_enough);
            return false;
        }
        is_enough
    }

    /// Whether what was found may be answered, if an answer is wanted yet.
    fn is_enough(&mut self, doubt: &Doubt) -> bool {
        let limits = &self.job.limits;
        let best = self.roots.first().map_or(Value::ZERO, |root| root.value);
        if let (Some(wanted), Some(moves)) = (limits.mate, best.mate_in_moves())
            && moves > 0
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        let Some(soft) = self.job.plan.soft else { return false };
        let progress = doubt.progress(&self.roots, self.nodes);
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
        // Time that was pondered has been thought as well.
        self.job.control.elapsed() >= soft.mul_f64(factor)
    }

    /// Reports an event, if this is the main thread.
    pub(crate) fn send(&mut self, event: SearchEvent) {
        if let Some(listener) = &mut self.listener {
            listener.send(event);
        }
    }

    fn report_lines(&mut self, lines: usize) {
        for line in 0..lines {
            self.send(SearchEvent::Info(self.info(line)));
        }
    }

    /// The window was missed: say so, once the search takes long enough for anyone to care. Bounds are only for the
    /// single-line display.
    fn report_miss(&mut self) {
        if self.id == 0 && self.job.multipv == 1 && self.job.control.elapsed() > QUIET_TIME {
            self.publish_nodes();
            self.send(SearchEvent::Info(self.info(0)));
        }
    }

    /// A line of thinking about one of the best moves.
    pub(crate) fn info(&self, line: usize) -> SearchInfo {
        let root = &self.roots[line];
        SearchInfo {
            depth: self.root_depth.0 as u32,
            seldepth: root.seldepth.max(1),
            multipv: line as u32 + 1,
            value: root.value,
            bound: root.bound,
            nodes: self.job.total_nodes(),
            tablebase_hits: 0,
            hashfull: self.job.table.hashfull(),
            time: self.job.control.elapsed(),
            pv: root.pv.clone(),
        }
    }
}
