//! Quiescence search: captures beyond the horizon until the position is quiet.

use crate::child_prefetch::ChildPrefetch;
use crate::cutoff::table_cutoff;
use crate::known;
use crate::node::NodeType;
use crate::params;
use crate::picker::{MovePicker, QuietChecks};
use crate::statistics::Counter;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::threats::Threats;
use crate::tracer::Purpose;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::{Position, SEE_VALUES};
use bartizan_types::{Bound, Depth, Move, Ply, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a position after the captures have been played out. The side to move may stand pat unless it is in
    /// check. In check, quiet evasions are tried until one is not mated, and captures to the end.
    #[inline(always)]
    pub(crate) fn quiescence<N: NodeType>(
        &mut self,
        position: &Position,
        alpha: Value,
        beta: Value,
        ply: Ply,
        checks: QuietChecks,
    ) -> Value {
        self.trace_enter(ply, alpha, beta, Depth::ZERO);
        let value = self.quiescence_node::<N>(position, alpha, beta, ply, checks);
        self.trace_leave(value);
        value
    }

    /// As [`Worker::quiescence`], for a node of the main search at the horizon, which the trace has entered.
    pub(crate) fn quiescence_node<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Value,
        beta: Value,
        ply: Ply,
        checks: QuietChecks,
    ) -> Value {
        self.enter::<N>(ply);
        self.statistics.count_quiescence(ply);
        if self.stands_pat {
            return self.stand_pat(position, ply);
        }
        if let Some(value) = self.terminal_value(position, ply) {
            self.count(Counter::Terminal, Depth::ZERO);
            return value;
        }

        let entry = self.probe_table(position).filter(|_| self.steps.has(Step::QuiescenceTable));
        self.count(Counter::QuiescenceProbe, Depth::ZERO);
        self.count_if(entry.is_some(), Counter::QuiescenceHit, Depth::ZERO);
        if !N::PV
            && let Some(value) = entry.and_then(|entry| table_cutoff(position, &entry, alpha, beta, Depth::ZERO, ply))
        {
            self.count(Counter::QuiescenceCutoff, Depth::ZERO);
            return value;
        }

        // Stand pat.
        let old_alpha = alpha;
        let (raw_eval, static_eval) = self.static_eval(position, entry.as_ref(), ply, Depth::ZERO);
        let mut best_value = -Value::INFINITE;
        if let Some(eval) = static_eval {
            best_value = self.tighten_eval(eval, entry.as_ref(), ply);
            if best_value >= beta {
                if entry.is_none() {
                    self.store_stand_pat(position, best_value, raw_eval, ply);
                }
                self.count(Counter::StandPat, Depth::ZERO);
                return self.soften(best_value, beta, Depth::ZERO);
            }
            alpha = alpha.max(best_value);
        }

        let mut best_move = None;
        let mut picker = self.quiescence_picker(position, entry.and_then(|entry| entry.mv), ply, checks);
        let mut number = 0;
        let mut ahead = ChildPrefetch::new(position);
        while let Some(mv) = picker.next(position, &self.histories) {
            number += 1;
            if !best_value.is_lost() {
                if let Some(value) = self.quiescence_futility(position, mv, static_eval, alpha) {
                    best_value = best_value.max(value);
                    continue;
                }
                if number > params::quiescence_limit() && self.is_late_capture(position, mv, ply) {
                    continue;
                }
                // One evasion that is not mated is enough. Only captures are tried after it.
                if position.in_check() && self.steps.has(Step::QuiescenceEvasions) {
                    picker.skip_quiets();
                    if !position.is_tactical(mv) {
                        continue;
                    }
                }
            }
            self.prefetch(&mut ahead, position, mv, &mut picker);
            let mut next = position.clone();
            self.play(&mut next, mv, ply);
            self.tracer.expect(Purpose::Quiescence);
            let value = -self.quiescence::<N>(&next, -beta, -alpha, ply + 1, QuietChecks::Skip);
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
            self.count(Counter::NoMove, Depth::ZERO);
            return Value::mated_in(ply);
        }

        let bound = Bound::of(best_value, old_alpha, beta);
        best_value = self.soften(best_value, beta, Depth::ZERO);
        if self.steps.has(Step::QuiescenceTable) {
            let entry = TableEntry {
                mv: best_move,
                value: known::to_table(best_value, ply),
                eval: raw_eval,
                depth: Depth::ZERO,
                bound,
                is_pv: N::PV || entry.is_some_and(|entry| entry.is_pv),
            };
            self.store_in_table(position, entry);
        }
        best_value
    }

    /// The value of a position in which no move is tried; meaningless if the search has ended.
    #[cold]
    fn stand_pat(&mut self, position: &Position, ply: Ply) -> Value {
        if self.stopped {
            return Value::ZERO;
        }
        let (_, static_eval) = self.static_eval(position, None, ply, Depth::ZERO);
        static_eval.unwrap_or_else(|| self.draw_value(ply))
    }

    /// Stores a value that fails high without any move, mainly to keep the evaluation.
    #[inline]
    fn store_stand_pat(&mut self, position: &Position, value: Value, raw_eval: Option<Value>, ply: Ply) {
        if self.steps.has(Step::QuiescenceTable) {
            let entry = TableEntry {
                mv: None,
                value: known::to_table(value, ply),
                eval: raw_eval,
                depth: Depth::ZERO,
                bound: Bound::Lower,
                is_pv: false,
            };
            self.store_in_table(position, entry);
        }
    }

    #[inline]
    fn quiescence_picker(
        &self,
        position: &Position,
        table_move: Option<Move>,
        ply: Ply,
        checks: QuietChecks,
    ) -> MovePicker {
        let mut context = self.quiet_context(position, ply);
        if position.in_check() && self.steps.has(Step::ThreatHistory) {
            // Evasions are ordered by the butterfly history, whose rows depend on the attacked squares.
            context.threats = Threats::new(position, !position.turn());
        }
        let checks = if self.steps.has(Step::QuiescenceChecks) { checks } else { QuietChecks::Skip };
        MovePicker::quiescence(position, table_move, context, checks, self.steps)
    }

    /// Whether a move after many others is skipped (Stockfish): the earlier captures, which win more, are enough to
    /// judge the position.
    fn is_late_capture(&self, position: &Position, mv: Move, ply: Ply) -> bool {
        let is_recapture = || self.frames[(ply - 1).index()].mv.is_some_and(|above| above.to() == mv.to());
        self.steps.has(Step::QuiescenceLimit)
            && !position.in_check()
            && mv.promotes_to().is_none()
            && !is_recapture()
            && !position.gives_check(mv)
    }

    /// Futility at the horizon (delta pruning): an upper bound for the value of a capture that cannot reach alpha,
    /// whatever it takes; `None` if it may reach it. A known loss never prunes a capture: without the captured piece,
    /// the endgame may have a different result.
    fn quiescence_futility(
        &self,
        position: &Position,
        mv: Move,
        static_eval: Option<Value>,
        alpha: Value,
    ) -> Option<Value> {
        let eval = static_eval?;
        if !self.steps.has(Step::QuiescenceFutility) || mv.promotes_to().is_some() || known::is_lost(eval) {
            return None;
        }
        let gain = position.captured(mv).map_or(0, |piece_type| SEE_VALUES[piece_type]);
        let value = eval + params::quiescence_futility() + gain;
        (value <= alpha && !position.gives_check(mv)).then_some(value)
    }
}
