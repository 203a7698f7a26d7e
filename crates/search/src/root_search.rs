//! The search of the root: aspiration windows, and the results of the root moves.

use crate::node::{Expected, Root};
use crate::params;
use crate::root;
use crate::statistics::Counter;
use crate::steps::Step;
use crate::tracer::Purpose;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Bound, Depth, Move, Ply, Value};

/// The half-width of the aspiration window, in centipawns, beyond which the window is opened fully. An untuned starting
/// value.
const MAX_DELTA: i32 = 1_000;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the root with a window around the expected value, and widens it each time the value falls outside.
    pub(crate) fn aspirate(&mut self, depth: Depth, guess: Value) {
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
            self.tracer.expect(Purpose::Root);
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

    /// Whether to search a root move for this line: it is not excluded, does not start a better line, and the endgame
    /// tables rank no move higher.
    pub(crate) fn is_root_candidate(&self, mv: Move) -> bool {
        self.roots[self.first_root..self.rank_end].iter().any(|root| root.mv == mv)
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
}
