//! Iterative deepening and aspiration: the root of the search.

use crate::event::{SearchEvent, SearchInfo};
use crate::params::{ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW};
use crate::root::{self, RootMove};
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Bound, Depth, Ply, Value};
use std::time::Duration;

/// Before this much time nobody wants to read about single moves and missed windows.
const QUIET_TIME: Duration = Duration::from_secs(1);

impl<E: Evaluator> Worker<E> {
    /// Searches the job's position deeper and deeper until a limit is reached. Afterwards `roots` holds the moves as the
    /// last completed iteration (or a better part of the one that was cut) left them, the best first.
    pub(crate) fn iterate(&mut self) {
        let job = self.job.clone();
        let last = job.limits.depth.map_or(Depth::MAX.0, |depth| (depth.min(Depth::MAX.0 as u32) as i32).max(1));
        // Helpers start at different depths, so that they do not all do the same (Lazy SMP).
        let first = (1 + (self.id % 2) as i32).min(last);
        let lines = job.multipv.min(self.roots.len());
        let mut stability = 0;
        for depth in first..=last {
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
                stability = match (settled.first(), self.roots.first()) {
                    (Some(before), Some(now)) if before.mv == now.mv => stability + 1,
                    _ => 0,
                };
                if self.is_done(stability) {
                    break;
                }
            }
        }
        self.publish_nodes();
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
        let mut delta = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = if depth.0 >= ASPIRATION_MIN_DEPTH && !guess.is_decisive() {
            ((guess - delta).at_least(-Value::INFINITE), (guess + delta).at_most(Value::INFINITE))
        } else {
            (-Value::INFINITE, Value::INFINITE)
        };
        loop {
            for root in &mut self.roots[self.first_root..] {
                root.value = -Value::INFINITE;
            }
            let value = self.search_root(alpha, beta, depth);
            root::sort(&mut self.roots[self.first_root..]);
            if self.stopped {
                return;
            }
            if value <= alpha && alpha > -Value::INFINITE {
                self.report_miss();
                beta = Value((alpha.0 + beta.0) / 2);
                alpha = (value - delta).at_least(-Value::INFINITE);
            } else if value >= beta && beta < Value::INFINITE {
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

    /// One pass over the root moves.
    fn search_root(&mut self, mut alpha: Value, beta: Value, depth: Depth) -> Value {
        let job = self.job.clone();
        let root = &job.root;
        self.frame(Ply::ZERO).static_eval = (!root.in_check()).then(|| self.evaluator.evaluate(root));
        self.frame(Ply::ONE).killers = [None; 2];
        let mut best_value = -Value::INFINITE;
        for index in self.first_root..self.roots.len() {
            let mv = self.roots[index].mv;
            let number = index - self.first_root + 1;
            if self.id == 0 && job.control.elapsed() > QUIET_TIME {
                self.send(SearchEvent::CurrentMove { depth: depth.0 as u32, mv, number: index as u32 + 1 });
            }
            let next = self.play(root, mv, Ply::ZERO);
            let value = self.search_root_move(&next, (alpha, beta), depth, mv, number, !root.is_tactical(mv));
            self.undo();
            if self.stopped {
                return best_value;
            }
            if number == 1 || value > alpha {
                let (line, seldepth) = (self.frames[1].pv.clone(), self.seldepth.0 as u32);
                let entry = &mut self.roots[index];
                entry.value = value;
                entry.seldepth = seldepth;
                entry.bound = if value >= beta {
                    Bound::Lower
                } else if value <= alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
                entry.pv.clear();
                entry.pv.push(mv);
                entry.pv.extend(line);
            }
            best_value = best_value.max(value);
            if value > alpha {
                alpha = value;
                if value >= beta {
                    break;
                }
            }
        }
        best_value
    }

    /// After a completed iteration: is it enough?
    fn is_done(&self, stability: u32) -> bool {
        let limits = &self.job.limits;
        if self.answers_late() {
            return false;
        }
        let best = self.roots.first().map_or(Value::ZERO, |root| root.value);
        if let (Some(wanted), Some(moves)) = (limits.mate, best.mate_in_moves())
            && moves.unsigned_abs() <= wanted
        {
            return true;
        }
        let Some(soft) = self.job.plan.soft else { return false };
        // A lone reply needs no thought, and a best move that stays the same needs less.
        let share = match (self.roots.len(), stability) {
            (1, _) => 0.0,
            (_, 0) => 1.3,
            (_, 1) => 1.1,
            (_, 2..=4) => 0.9,
            _ => 0.7,
        };
        // An iteration takes longer than all before it: one that cannot end in time is not begun.
        self.job.control.clock_elapsed() >= soft.mul_f64(share * 0.6)
    }

    pub(crate) fn send(&self, event: SearchEvent) {
        if let Some(events) = &self.events {
            // Nobody listening is no reason to stop: the result may be all that is wanted.
            let _ = events.send(event);
        }
    }

    fn report_lines(&self, lines: usize) {
        for line in 0..lines {
            self.send(SearchEvent::Info(self.info(line)));
        }
    }

    /// The window was missed: say so, once the search takes long enough for anyone to care. Bounds are only for the
    /// single-line display.
    fn report_miss(&self) {
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
