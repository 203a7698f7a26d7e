//! Beyond the horizon: captures until the position is quiet.

use crate::alphabeta::{better_eval, bound_decides};
use crate::picker::MovePicker;
use crate::table::TableEntry;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, Ply, Value};

impl<E: Evaluator> Worker<E> {
    /// The value of a position once the captures are over. The side to move may stand pat; in check it may not, and every
    /// evasion is tried.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: Value,
        beta: Value,
        ply: Ply,
    ) -> Value {
        self.count_node();
        self.frame(ply).pv.clear();
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }
        if self.stopped {
            return Value::ZERO;
        }
        if self.is_draw(position, ply) {
            return Value::DRAW;
        }
        if ply >= Ply::MAX {
            return if position.in_check() { Value::DRAW } else { self.evaluator.evaluate(position) };
        }

        let entry = self.job.table.probe(position.key());
        if let Some(entry) = entry
            && !PV
        {
            let value = entry.value.from_table(ply);
            if bound_decides(entry.bound, value, alpha, beta) {
                return value;
            }
        }

        let window_bottom = alpha;
        let mut static_eval = None;
        let mut best_value = -Value::INFINITE;
        if !position.in_check() {
            let eval = entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position));
            static_eval = Some(eval);
            best_value = better_eval(eval, entry.as_ref(), ply);
            if best_value >= beta {
                return best_value;
            }
            alpha = alpha.max(best_value);
        }

        let mut best_move = None;
        let mut picker = MovePicker::quiescence(position, entry.and_then(|entry| entry.mv));
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.history) {
            number += 1;
            let next = self.play(position, mv, ply);
            let value = -self.quiescence::<PV>(&next, -beta, -alpha, ply + 1);
            self.undo();
            if self.stopped {
                return Value::ZERO;
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    alpha = value;
                    if PV {
                        self.update_pv(mv, ply);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        if number == 0 && position.in_check() {
            return Value::mated_in(ply);
        }

        let bound = if best_value >= beta {
            Bound::Lower
        } else if PV && best_value > window_bottom {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry =
            TableEntry { mv: best_move, value: best_value.to_table(ply), eval: static_eval, depth: Depth::ZERO, bound };
        self.job.table.store(position.key(), entry);
        best_value
    }
}
