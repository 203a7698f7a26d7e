//! The search of a node: principal variation search, step by step.
//!
//! The pruning of whole nodes is in `node_pruning`, the loop over the moves in `move_loop`, and updates of the
//! histories in `learning`.

use crate::cutoff::{is_cutoff, table_cutoff};
use crate::known;
use crate::move_loop::Ending;
use crate::node::{Expected, Node, NodeResult, NodeType};
use crate::params;
use crate::picker::QuietChecks;
use crate::statistics::Counter;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::threats::Threats;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, Ply, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a position `ply` plies from the root, for the side to move: exact inside the window (`alpha`,
    /// `beta`), a bound outside it (fail-soft).
    #[inline(always)]
    pub(crate) fn alphabeta<N: NodeType>(
        &mut self,
        position: &Position,
        alpha: Value,
        beta: Value,
        depth: Depth,
        ply: Ply,
        expected: Expected,
    ) -> Value {
        self.trace_enter(ply, alpha, beta, depth);
        let value = self.search_node::<N>(position, alpha, beta, depth, ply, expected);
        self.trace_leave(value);
        value
    }

    fn search_node<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        depth: Depth,
        ply: Ply,
        expected: Expected,
    ) -> Value {
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));
        debug_assert!(!(N::PV && expected == Expected::Cut));

        // Step 1. At the horizon, search only captures and evasions.
        if depth <= Depth::ZERO {
            return self.quiescence_node::<N>(position, alpha, beta, ply, QuietChecks::Try);
        }
        let excluded = self.frame(ply).excluded;
        self.enter::<N>(ply);
        self.statistics.count_node(ply);
        self.count(Counter::Node, depth);
        self.count_if(N::PV, Counter::PvNode, depth);
        self.count_if(excluded.is_some(), Counter::ExcludedNode, depth);
        self.frame(ply).double_extensions = self.double_extensions_above(ply);
        if self.stopped {
            return Value::ZERO;
        }

        // Bounds of the value known before the moves are searched.
        let (mut floor, mut ceiling) = (-Value::INFINITE, Value::INFINITE);
        if !N::ROOT {
            // Step 2. Draws, and the maximum ply.
            if let Some(value) = self.terminal_value(position, ply) {
                self.count(Counter::Terminal, depth);
                return value;
            }
            // Step 3. Bounds known in advance.
            if let Some(draw) = self.upcoming_repetition(position, alpha, ply) {
                (floor, alpha) = (draw, draw);
            }
            if self.steps.has(Step::MateDistance) {
                alpha = alpha.max(Value::mated_in(ply));
                beta = beta.min(Value::mate_in(ply + 1));
            }
            if alpha >= beta {
                self.count(Counter::KnownBounds, depth);
                return alpha;
            }
        }

        // Step 4. The transposition table.
        let entry = self.probe::<N>(position);
        let table_move = entry.and_then(|entry| entry.mv);
        self.count(Counter::Probe, depth);
        self.count_if(entry.is_some(), Counter::Hit, depth);
        self.count_if(table_move.is_some(), Counter::HitMove, depth);
        if !N::PV
            && excluded.is_none()
            && self.steps.has(Step::TableCutoff)
            && let Some(value) = entry.and_then(|entry| table_cutoff(position, &entry, alpha, beta, depth, ply))
        {
            self.count(Counter::TableCutoff, depth);
            if value >= beta
                && let Some(mv) = table_move
            {
                self.learn_from_table_cutoff(position, mv, depth, ply);
            }
            return value;
        }

        // On the principal variation, what was learnt about the position.
        if N::PV
            && !N::ROOT
            && excluded.is_none()
            && let Some(learnt) = self.learnt(position, entry.as_ref(), depth, ply)
        {
            if is_cutoff(learnt.value, learnt.bound, alpha, beta) {
                self.set_learnt_line(position, learnt.mv, ply);
                return learnt.value;
            }
            if learnt.bound == Bound::Lower {
                floor = floor.max(learnt.value);
                alpha = alpha.max(learnt.value);
            } else {
                ceiling = learnt.value;
            }
        }

        // Then the endgame tables. A result that does not cut off still bounds the value on the principal variation.
        if !N::ROOT
            && self.may_probe(position)
            && excluded.is_none()
            && let Some((value, bound)) = self.probe_endgame(position, depth, ply)
        {
            if is_cutoff(value, bound, alpha, beta) {
                self.store_endgame(position, value, bound, depth, ply);
                self.count(Counter::EndgameTable, depth);
                return value;
            }
            if N::PV && bound == Bound::Lower {
                floor = floor.max(value);
                alpha = alpha.max(value);
            } else if N::PV {
                ceiling = ceiling.min(value);
            }
        }

        // Step 5. The static evaluation. Meanwhile the bucket of a null move is fetched.
        if !N::PV {
            self.prefetch_table(position.key_after_null());
        }
        let (raw_eval, static_eval) = self.static_eval(position, entry.as_ref(), ply, depth);
        if excluded.is_none() {
            if entry.is_none() && raw_eval.is_some() {
                self.store_eval::<N>(position, raw_eval);
            }
            self.learn_from_evaluations(!position.turn(), static_eval, ply);
        }
        let mut node = Node {
            alpha,
            beta,
            depth,
            ply,
            static_eval,
            eval: static_eval.map(|eval| self.tighten_eval(eval, entry.as_ref(), ply)),
            improving: self.is_improving(static_eval, ply),
            expected,
            table_pv: N::PV || entry.is_some_and(|entry| entry.is_pv),
            table_move_is_tactical: table_move.is_some_and(|mv| position.is_tactical(mv)),
            entry,
            excluded,
            context: self.quiet_context(position, ply),
        };

        // Step 6. Adjust the reduction that led to this node.
        if !N::ROOT && excluded.is_none() {
            let plies = self.hindsight(&node);
            self.count_if(plies > 0, Counter::HindsightDeeper, depth);
            self.count_if(plies < 0, Counter::HindsightShallower, depth);
            node.depth += plies;
        }

        // Step 7. Off the principal variation, prune the whole node.
        if !N::PV
            && excluded.is_none()
            && let Some(value) = self.prune_node(position, &node, raw_eval)
        {
            return value;
        }
        if self.stopped {
            return Value::ZERO;
        }

        // Step 8. Without a table move the ordering is poor: search shallower; the next iteration will have a move.
        if self.steps.has(Step::InternalReduction)
            && node.table_move().is_none()
            && node.depth.0 >= params::internal_reduction_min_depth()
        {
            self.count(Counter::InternalReduction, node.depth);
            node.depth -= 1;
        }

        // Steps 9 to 15. The moves.
        if self.steps.has(Step::ThreatHistory) || self.steps.has(Step::ThreatOrder) {
            node.context.threats = Threats::new(position, !position.turn());
        }
        self.frame(ply).attacked = node.context.threats.all();
        self.count(Counter::Expanded, node.depth);
        let mut outcome = NodeResult::new(node.depth);
        if N::PV {
            outcome.value = floor;
        }
        match self.search_moves::<N>(position, node, &mut outcome) {
            Ending::Stopped => return Value::ZERO,
            Ending::MultiCut(value) => return value,
            Ending::Searched => {}
        }

        // Step 16. No legal move: checkmate or stalemate, or no alternative to the excluded move.
        if outcome.value == -Value::INFINITE {
            self.count(Counter::NoMove, depth);
            return match excluded {
                Some(_) => alpha,
                None if position.in_check() => Value::mated_in(ply),
                None => self.draw_value(ply),
            };
        }

        if N::PV {
            outcome.limit(ceiling, alpha, beta);
        }

        // Step 17. Update the histories and the table.
        self.learn(position, &node, &outcome);
        // A search of only some moves says nothing about the position.
        if excluded.is_none() && !(N::ROOT && self.is_selection()) {
            self.learn_correction(position, &node, &outcome, raw_eval);
            self.store_outcome(position, &node, &outcome, raw_eval);
        }
        outcome.value
    }

    /// Counts a node and prepares its frame.
    #[inline]
    pub(crate) fn enter<N: NodeType>(&mut self, ply: Ply) {
        self.count_node();
        if N::PV {
            self.frame(ply).pv.clear();
            self.seldepth = self.seldepth.max(ply);
        }
    }

    /// Stores the result of a node.
    #[inline]
    fn store_outcome(&mut self, position: &Position, node: &Node, outcome: &NodeResult, raw_eval: Option<Value>) {
        let entry = TableEntry {
            mv: outcome.mv,
            value: known::to_table(outcome.value, node.ply),
            eval: raw_eval,
            depth: outcome.depth,
            bound: outcome.bound,
            is_pv: node.table_pv,
        };
        self.store_in_table(position, entry);
    }

    /// Stores the evaluation of a position without an entry, with a lower bound that is always true.
    fn store_eval<N: NodeType>(&mut self, position: &Position, raw_eval: Option<Value>) {
        let entry = TableEntry {
            mv: None,
            value: -Value::INFINITE,
            eval: raw_eval,
            depth: Depth::ZERO,
            bound: Bound::Lower,
            is_pv: N::PV,
        };
        self.store_in_table(position, entry);
    }

    /// The table's entry for a node. At the root, the best move of the previous iteration replaces its move. If some
    /// root moves are excluded, only the evaluation of the entry is used, with a lower bound that is always true.
    fn probe<N: NodeType>(&mut self, position: &Position) -> Option<TableEntry> {
        let entry = self.probe_table(position);
        if !N::ROOT {
            return entry;
        }
        let mv = self.roots.get(self.first_root).map(|root| root.mv);
        let unknown = TableEntry {
            mv,
            value: -Value::INFINITE,
            eval: entry.and_then(|entry| entry.eval),
            depth: Depth::ZERO,
            bound: Bound::Lower,
            is_pv: true,
        };
        Some(entry.filter(|_| !self.is_selection()).map_or(unknown, |entry| TableEntry { mv, ..entry }))
    }

    /// Whether the root search excludes moves: those of better lines, of other ranks, or not in `Limits::search_moves`.
    fn is_selection(&self) -> bool {
        self.first_root > 0 || self.rank_end < self.roots.len() || self.job.is_restricted
    }
}
