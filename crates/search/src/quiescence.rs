//! Beyond the horizon: captures until the position is quiet.

use crate::alphabeta::{bound_decides, is_near_move_50};
use crate::known;
use crate::node::{NodeType, NonPv, Pv};
use crate::params;
use crate::picker::MovePicker;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::threats::Threats;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::{Position, SEE_VALUES};
use bartizan_types::{Bound, Depth, Move, PieceType, Ply, Value};

impl<E: Evaluator> Worker<E> {
    /// The value of a position once the captures are over. The side to move may stand pat; in check it may not, and the
    /// evasions are tried until one does not lose, captures to the end. `first` marks the first ply, where quiet checks are
    /// tried as well.
    pub(crate) fn quiescence<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Value,
        beta: Value,
        ply: Ply,
        first: bool,
    ) -> Value {
        self.enter::<N>(ply);
        if self.stopped {
            return Value::ZERO;
        }
        if self.is_draw(position, ply) {
            return self.draw_value(ply);
        }
        if ply >= Ply::MAX {
            return if position.in_check() { self.draw_value(ply) } else { self.evaluate(position, ply) };
        }

        let entry = self.probe_table(position).filter(|_| self.steps.has(Step::QuiescenceTable));
        if let Some(entry) = entry
            && !N::PV
            && !is_near_move_50(position)
        {
            let value = known::from_table(entry.value, ply);
            if bound_decides(entry.bound, value, alpha, beta) {
                return value;
            }
        }
        let is_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);

        let window_bottom = alpha;
        let (raw_eval, static_eval) = self.static_eval(position, entry.as_ref(), ply);
        let mut best_value = -Value::INFINITE;
        if let Some(eval) = static_eval {
            best_value = self.better_eval(eval, entry.as_ref(), ply);
            if best_value >= beta {
                if entry.is_none() && self.steps.has(Step::QuiescenceTable) {
                    // The evaluation is worth keeping.
                    let value = known::to_table(best_value, ply);
                    let (bound, depth) = (Bound::Lower, Depth::ZERO);
                    self.store_in_table(
                        position,
                        TableEntry { mv: None, value, eval: raw_eval, depth, bound, is_pv: false },
                    );
                }
                return best_value;
            }
            alpha = alpha.max(best_value);
        }
        // What a capture must win to come near alpha.
        let futile = static_eval.map(|eval| eval + params::quiescence_futility());

        let mut best_move = None;
        let mut context = self.quiet_context(position, ply);
        if position.in_check() && self.steps.has(Step::ThreatHistory) {
            // The king stands on an attacked square, and so do the rows of its history.
            context.threats = Threats::new(position, !position.turn());
        }
        let checks = first && self.steps.has(Step::QuiescenceChecks);
        let table_move = entry.and_then(|entry| entry.mv);
        let mut picker = MovePicker::quiescence(position, table_move, context, checks, self.steps);
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.histories) {
            self.prefetch(position, mv);
            number += 1;
            if !best_value.is_lost() {
                if let Some(futile) = futile
                    && let Some(value) = self.quiescence_futility(position, mv, futile, alpha)
                {
                    best_value = best_value.max(value);
                    continue;
                }
                // An evasion that is not mated is enough: the others are not tried, captures excepted.
                if position.in_check() && self.steps.has(Step::QuiescenceEvasions) {
                    picker.skip_quiets();
                    if !position.is_tactical(mv) {
                        continue;
                    }
                }
            }
            let next = self.play(position, mv, ply);
            let value = if N::PV {
                -self.quiescence::<Pv>(&next, -beta, -alpha, ply + 1, false)
            } else {
                -self.quiescence::<NonPv>(&next, -beta, -alpha, ply + 1, false)
            };
            self.undo();
            if self.stopped {
                return Value::ZERO;
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    alpha = value;
                    if N::PV {
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
        } else if N::PV && best_value > window_bottom {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if self.steps.has(Step::QuiescenceTable) {
            let value = known::to_table(best_value, ply);
            let entry = TableEntry { mv: best_move, value, eval: raw_eval, depth: Depth::ZERO, bound, is_pv };
            self.store_in_table(position, entry);
        }
        best_value
    }

    /// Futility at the horizon (delta pruning): the value of a capture that cannot reach alpha whatever it takes, `None` if
    /// it may.
    fn quiescence_futility(&self, position: &Position, mv: Move, futile: Value, alpha: Value) -> Option<Value> {
        if !self.steps.has(Step::QuiescenceFutility) || mv.promotes_to().is_some() {
            return None;
        }
        let victim = if mv.is_en_passant() {
            Some(PieceType::Pawn)
        } else {
            position.piece_at(mv.to()).map(|piece| piece.piece_type())
        };
        let value = futile + victim.map_or(0, |piece_type| SEE_VALUES[piece_type]);
        (value <= alpha && !position.gives_check(mv)).then_some(value)
    }
}
