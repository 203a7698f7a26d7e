//! The search of a node: principal variation search, step by step.
//!
//! What ends a node before its first move is in `node_pruning`, what skips single moves in `move_pruning`, what makes them
//! deeper or shallower in `extensions` and `reductions`, what is learnt from them in `learning`.

use crate::history::{PieceTo, QuietContext};
use crate::known;
use crate::node::{NodeType, NonPv, Pv};
use crate::params;
use crate::picker::MovePicker;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::threats::Threats;
use crate::worker::Worker;
use arrayvec::ArrayVec;
use bartizan_eval::Evaluator;
use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bound, Depth, Move, Ply, Value};

/// What a node knows before its first move.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: Depth,
    pub(crate) ply: Ply,
    /// The static evaluation, corrected; `None` in check.
    pub(crate) static_eval: Option<Value>,
    /// The same, bettered by the table's bound.
    pub(crate) eval: Option<Value>,
    /// The static evaluation has risen since our last move.
    pub(crate) improving: bool,
    /// A fail high is expected: a sibling of the principal variation, or a child of a node that is expected to fail low.
    pub(crate) cut_node: bool,
    /// On the principal variation, or it once was.
    pub(crate) table_pv: bool,
    pub(crate) table_move_is_tactical: bool,
    pub(crate) entry: Option<TableEntry>,
    pub(crate) context: QuietContext,
}

impl Node {
    pub(crate) fn table_move(&self) -> Option<Move> {
        self.entry.and_then(|entry| entry.mv)
    }
}

/// A move about to be searched.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    /// What moves where.
    pub(crate) this: PieceTo,
    /// From 1 in the order of search.
    pub(crate) number: usize,
    pub(crate) is_quiet: bool,
    pub(crate) gives_check: bool,
    /// What the histories say of it.
    pub(crate) history: i32,
}

/// Moves that were searched and not the best. So many are enough to learn from.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// How the search of the moves of a node ended.
enum Ending {
    /// It was stopped.
    Stopped,
    /// The alternatives to the table move fail high as well: the node does.
    MultiCut(Value),
    /// All moves that were to be searched have been.
    Searched,
}

/// What came of the moves of a node.
pub(crate) struct Outcome {
    pub(crate) value: Value,
    pub(crate) mv: Option<Move>,
    pub(crate) bound: Bound,
    /// Moves that were searched and not the best, by kind.
    pub(crate) quiets: Tried,
    pub(crate) captures: Tried,
}

impl Outcome {
    const fn new() -> Self {
        Self {
            value: Value(-Value::INFINITE.0),
            mv: None,
            bound: Bound::Upper,
            quiets: Tried::new_const(),
            captures: Tried::new_const(),
        }
    }
}

impl<E: Evaluator> Worker<E> {
    /// The value of a position `ply` plies below the root, for the side to move: exact inside (`alpha`, `beta`), a bound
    /// outside (fail-soft).
    pub(crate) fn alphabeta<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Value {
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));
        debug_assert!(!(N::PV && cut_node));

        // Step 1. At the horizon, only captures and evasions.
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(position, alpha, beta, ply, true);
        }
        let excluded = self.frame(ply).excluded;
        self.enter::<N>(ply);
        self.frame(ply).double_extensions = self.double_extensions_above(ply);
        if self.stopped {
            return Value::ZERO;
        }

        if !N::ROOT {
            // Step 2. The end of the game, of the array.
            if self.is_draw(position, ply) {
                return self.draw_value(ply);
            }
            if ply >= Ply::MAX {
                return if position.in_check() { self.draw_value(ply) } else { self.evaluate(position, ply) };
            }

            // Step 3. Bounds known beforehand: a repetition can be forced; a mate nearer to the root cannot be bettered.
            if self.steps.has(Step::UpcomingRepetition)
                && alpha < self.draw_value(ply)
                && self.keys.has_upcoming_repetition(position, self.reversible(position, ply), ply.index())
            {
                alpha = self.draw_value(ply);
            }
            if self.steps.has(Step::MateDistance) {
                alpha = alpha.max(Value::mated_in(ply));
                beta = beta.min(Value::mate_in(ply + 1));
            }
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 4. What the table knows.
        let entry = self.probe::<N>(position);
        if !N::PV
            && excluded.is_none()
            && self.steps.has(Step::TableCutoff)
            && let Some(value) = entry.and_then(|entry| cutoff(&entry, alpha, beta, depth, ply))
            && !is_near_move_50(position)
        {
            return value;
        }

        // Step 5. The static evaluation.
        let (raw_eval, static_eval) = self.static_eval(position, entry.as_ref(), ply);
        let eval = static_eval.map(|eval| self.better_eval(eval, entry.as_ref(), ply));
        if entry.is_none() && excluded.is_none() && raw_eval.is_some() {
            self.store_eval(position, raw_eval, N::PV);
        }
        if excluded.is_none() {
            self.learn_from_evaluations(!position.turn(), static_eval, ply);
        }
        let mut node = Node {
            alpha,
            beta,
            depth,
            ply,
            static_eval,
            eval,
            improving: self.is_improving(static_eval, ply),
            cut_node,
            table_pv: N::PV || entry.is_some_and(|entry| entry.is_pv),
            table_move_is_tactical: entry.and_then(|entry| entry.mv).is_some_and(|mv| position.is_tactical(mv)),
            entry,
            context: self.quiet_context(position, ply),
        };

        // Step 6. Was the reduction that led here right?
        if !N::ROOT && excluded.is_none() {
            node.depth += self.hindsight(&node);
        }

        // Step 7. Nodes that need no search of their moves (not on the principal variation).
        if !N::PV && excluded.is_none() {
            if let Some(value) = self.razoring(position, &node) {
                return value;
            }
            if let Some(value) = self.reverse_futility(&node) {
                return value;
            }
            if let Some(value) = self.try_null_move(position, &node) {
                return value;
            }
            if let Some(value) = self.try_probcut(position, &node, raw_eval) {
                return value;
            }
            if let Some(value) = self.table_probcut(position, &node) {
                return value;
            }
        }
        if self.stopped {
            return Value::ZERO;
        }

        // Step 8. Without a table move the order is poor: search shallower, the next iteration will know more.
        if self.steps.has(Step::InternalReduction)
            && node.table_move().is_none()
            && node.depth.0 >= params::internal_reduction_min_depth()
        {
            node.depth -= 1;
        }

        // Steps 9 to 15. The moves, with an eye on what is attacked.
        if self.steps.has(Step::ThreatHistory) || self.steps.has(Step::ThreatOrder) {
            node.context.threats = Threats::new(position, !position.turn());
        }
        self.frame(ply).attacked = node.context.threats.all();
        let mut outcome = Outcome::new();
        match self.search_moves::<N>(position, node, excluded, &mut outcome) {
            Ending::Stopped => return Value::ZERO,
            Ending::MultiCut(value) => return value,
            Ending::Searched => {}
        }

        // Step 16. No legal move: mate or stalemate, or no alternative to the excluded move.
        if outcome.value == -Value::INFINITE {
            return match excluded {
                Some(_) => alpha,
                None if position.in_check() => Value::mated_in(ply),
                None => self.draw_value(ply),
            };
        }

        // Step 17. Learn and remember.
        self.learn(position, &node, &outcome);
        // The best of some moves says nothing of the position.
        let is_partial = excluded.is_some() || N::ROOT && (self.first_root > 0 || self.job.is_restricted);
        if !is_partial {
            self.learn_correction(position, &node, &outcome, raw_eval);
            let entry = TableEntry {
                mv: outcome.mv,
                value: known::to_table(outcome.value, ply),
                eval: raw_eval,
                depth: node.depth,
                bound: outcome.bound,
                is_pv: node.table_pv,
            };
            self.store_in_table(position, entry);
        }
        outcome.value
    }

    /// Searches the moves of a node.
    fn search_moves<N: NodeType>(
        &mut self,
        position: &Position,
        mut node: Node,
        excluded: Option<Move>,
        outcome: &mut Outcome,
    ) -> Ending {
        let ply = node.ply;
        let killers = if self.steps.has(Step::Killers) { self.frame(ply).killers } else { [None; 2] };
        let counter_move = self.histories.counter_move(node.context.before[0]);
        let mut picker = MovePicker::new(position, node.table_move(), killers, counter_move, node.context);
        // What refuted a nephew says little here: killers are kept among siblings.
        self.frame(ply + 1).killers = [None; 2];
        self.frame(ply + 2).cutoffs = 0;
        if N::ROOT {
            // Nobody stands above the root to do it.
            self.frame(ply + 1).cutoffs = 0;
        }
        let window_bottom = node.alpha;
        let checks = position.check_info();
        let mut number = 0;

        // Step 9. The next move.
        while let Some(mv) = picker.next(position, &self.histories) {
            if Some(mv) == excluded || N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_current_move(mv, number);
            }
            self.prefetch(position, mv);
            let candidate = self.candidate(position, &node, &checks, mv, number);

            // Step 10. Can it be skipped?
            if !N::ROOT && !outcome.value.is_lost() && self.is_skipped(position, &node, &candidate, &mut picker) {
                continue;
            }

            // Step 11. Does it deserve more (or less) depth?
            let extension = match self.extension::<N>(position, &node, &candidate, excluded) {
                Ok(plies) => plies,
                // All of the moves are good enough.
                Err(value) => return Ending::MultiCut(value),
            };
            if self.stopped {
                return Ending::Stopped;
            }

            // Step 12. Make the move and search it.
            let nodes_before = self.nodes;
            self.frame(ply).double_extensions = self.double_extensions_above(ply) + i32::from(extension >= 2);
            let next = self.play(position, mv, ply);
            let new_depth = node.depth - 1 + extension;
            let value = self.search_move::<N>(&next, &node, &candidate, new_depth, outcome.value);
            self.undo();
            if self.stopped {
                return Ending::Stopped;
            }

            // Step 13. At the root, keep what was found.
            if N::ROOT {
                self.update_root(mv, value, node.alpha, node.beta, number, self.nodes - nodes_before);
            }

            // Step 14. Is it the best so far?
            if value > outcome.value {
                outcome.value = value;
                if value > node.alpha {
                    outcome.mv = Some(mv);
                    if N::PV && !N::ROOT {
                        self.update_pv(mv, ply);
                    }
                    if value >= node.beta {
                        self.frame(ply).cutoffs += 1;
                        break;
                    }
                    node.alpha = value;
                }
            }

            // Step 15. The others are remembered as such.
            if Some(mv) != outcome.mv {
                let tried = if candidate.is_quiet { &mut outcome.quiets } else { &mut outcome.captures };
                // What does not fit came too late to be worth a fine.
                let _ = tried.try_push(mv);
            }
        }
        outcome.bound = if outcome.value >= node.beta {
            Bound::Lower
        } else if outcome.value > window_bottom {
            Bound::Exact
        } else {
            Bound::Upper
        };
        Ending::Searched
    }

    fn candidate(&self, position: &Position, node: &Node, checks: &CheckInfo, mv: Move, number: usize) -> Candidate {
        let is_quiet = !position.is_tactical(mv);
        let this = PieceTo::of(position, mv);
        let history =
            if is_quiet { self.histories.quiet(&node.context, this, mv) } else { self.histories.capture(position, mv) };
        let gives_check = position.gives_check_with(checks, mv);
        Candidate { mv, this, number, is_quiet, gives_check, history }
    }

    /// Searches a move that has been made: the first with the full window, the others with a window of nothing, late ones
    /// at reduced depth, and again if they turn out better than expected.
    fn search_move<N: NodeType>(
        &mut self,
        next: &Position,
        node: &Node,
        candidate: &Candidate,
        mut new_depth: Depth,
        best_value: Value,
    ) -> Value {
        let Node { alpha, beta, ply, .. } = *node;
        let mut value = Value::ZERO;
        let mut open = N::PV;
        if N::PV && !self.steps.has(Step::PrincipalVariation) {
            return -self.alphabeta::<Pv>(next, -beta, -alpha, new_depth, ply + 1, false);
        }
        if let Some(reduction) = self.late_move_reduction::<N>(node, candidate) {
            // At least one ply is left; on the principal variation a good move may even gain one.
            let reduced = Depth((new_depth.0 - reduction / 1024).clamp(1, new_depth.0.max(1) + i32::from(N::PV)));
            self.frame(ply).reduction = (new_depth - reduced.0).0;
            value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame(ply).reduction = 0;
            if value > alpha && reduced < new_depth && !self.stopped {
                new_depth += self.research_depth(value, best_value, new_depth);
                if new_depth > reduced {
                    value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
                }
                self.learn_from_research(node, candidate, value);
            }
            open &= value > alpha;
        } else if !N::PV || candidate.number > 1 {
            value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, new_depth, ply + 1, !node.cut_node);
            open &= value > alpha;
        }
        if open && !self.stopped {
            value = -self.alphabeta::<Pv>(next, -beta, -alpha, new_depth, ply + 1, false);
        }
        value
    }

    /// Counts a node and makes its frame ready.
    #[inline]
    pub(crate) fn enter<N: NodeType>(&mut self, ply: Ply) {
        self.count_node();
        if N::PV {
            self.frame(ply).pv.clear();
            self.seldepth = self.seldepth.max(ply);
        }
    }

    /// Keeps the evaluation of a position of which the table knows nothing, with a bound that says nothing.
    fn store_eval(&self, position: &Position, raw_eval: Option<Value>, is_pv: bool) {
        let nothing = TableEntry {
            mv: None,
            value: -Value::INFINITE,
            eval: raw_eval,
            depth: Depth::ZERO,
            bound: Bound::Lower,
            is_pv,
        };
        self.store_in_table(position, nothing);
    }

    /// What the table knows of a node; at the root, the best move is that of the last iteration.
    fn probe<N: NodeType>(&mut self, position: &Position) -> Option<TableEntry> {
        let entry = self.probe_table(position);
        if !N::ROOT {
            return entry;
        }
        let best = self.roots.get(self.first_root).map(|root| root.mv);
        let unknown = TableEntry {
            mv: None,
            value: Value::ZERO,
            eval: None,
            depth: Depth::ZERO,
            bound: Bound::Upper,
            is_pv: true,
        };
        Some(TableEntry { mv: best, ..entry.unwrap_or(unknown) })
    }

    /// The static evaluation, as the evaluator gives it and corrected; `None` in check.
    pub(crate) fn static_eval(
        &mut self,
        position: &Position,
        entry: Option<&TableEntry>,
        ply: Ply,
    ) -> (Option<Value>, Option<Value>) {
        let raw = (!position.in_check())
            .then(|| entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position)));
        let last = [self.moved(ply, 1), self.moved(ply, 2)];
        let clock = i32::from(position.halfmove_clock());
        let corrected = raw.map(|raw| {
            let eval = self.corrections.correct(position, raw, last);
            // What has not been won in so many moves may never be.
            if known::is_known(eval) { known::at_ply(eval, ply) } else { Value(eval.0 * (200 - clock) / 200) }
        });
        self.frame(ply).static_eval = corrected;
        (raw, corrected)
    }

    /// Whether the static evaluation is better than two plies (or, after a check, four plies) ago.
    fn is_improving(&self, static_eval: Option<Value>, ply: Ply) -> bool {
        let earlier = |back: i32| (ply.0 >= back).then(|| self.frames[(ply - back).index()].static_eval).flatten();
        match (static_eval, earlier(2).or_else(|| earlier(4))) {
            (Some(now), Some(then)) => now > then,
            (now, None) => now.is_some(),
            (None, _) => false,
        }
    }

    /// The table's value where it says more than the static evaluation.
    pub(crate) fn better_eval(&self, eval: Value, entry: Option<&TableEntry>, ply: Ply) -> Value {
        let Some(entry) = entry.filter(|_| self.steps.has(Step::TableEval)) else { return eval };
        let value = known::from_table(entry.value, ply);
        let tighter = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value > eval,
            Bound::Upper => value < eval,
        };
        if tighter && !value.is_decisive() { value } else { eval }
    }
}

/// Near the 50-move rule the path counts, which the table does not know: its values are not taken on trust.
#[inline]
pub(crate) fn is_near_move_50(position: &Position) -> bool {
    position.halfmove_clock() >= 90
}

/// The value of a table entry that ends the search of a node: deep enough, and a bound on the right side.
fn cutoff(entry: &TableEntry, alpha: Value, beta: Value, depth: Depth, ply: Ply) -> Option<Value> {
    let value = known::from_table(entry.value, ply);
    (entry.depth >= depth && bound_decides(entry.bound, value, alpha, beta)).then_some(value)
}

/// Whether a bound settles a window.
pub(crate) fn bound_decides(bound: Bound, value: Value, alpha: Value, beta: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    }
}
