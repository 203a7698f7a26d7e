//! The search of a node: principal variation search, step by step.
//!
//! The pruning of whole nodes is in `node_pruning`, that of single moves in `move_pruning`, changes of depth are in
//! `extensions` and `reductions`, and updates of the histories in `learning`.

use crate::extensions::Extension;
use crate::history::{PieceTo, QuietContext};
use crate::known;
use crate::move_pruning::Pruning;
use crate::node::{Expected, NodeType, NonPv, Pv};
use crate::params;
use crate::picker::MovePicker;
use crate::prefetch::Lookahead;
use crate::quiescence::QuietChecks;
use crate::reductions::ONE_PLY;
use crate::statistics::Counter;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::tables::is_outrun;
use crate::threats::Threats;
use crate::worker::{FIFTY_MOVES, Worker};
use arrayvec::ArrayVec;
use bartizan_eval::Evaluator;
use bartizan_position::{CheckInfo, Position};
use bartizan_types::{Bound, Depth, Move, Ply, Value};

/// Halfmove clock, in plies, from which table values are not trusted: the table does not know how close the 50-move
/// rule is. An untuned starting value.
const NEAR_FIFTY_MOVES: u16 = 90;

/// Halfmove clock, in plies, from which on the static evaluation shrinks linearly, to zero at the 50-move rule: what
/// has not been won so far may never be. So a plan that resets the clock is preferred to further manoeuvres while most
/// of the advantage is left.
///
/// Self-play confirms the size: of the lead over 50 % that the evaluation predicts, the games keep 97 % at a clock of
/// 10 to 19 plies, 64 % at 30 to 39, 37 % at 50 to 59 and 11 % at 80 to 89 (`testdata/endings/SOURCE.md`).
const FADE_FROM: i32 = 10;

/// What a node knows before its first move.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) depth: Depth,
    pub(crate) ply: Ply,
    /// The corrected static evaluation; `None` in check.
    pub(crate) static_eval: Option<Value>,
    /// The static evaluation, or the table value if its bound says more; `None` in check.
    pub(crate) eval: Option<Value>,
    /// Whether the static evaluation has risen since our previous move.
    pub(crate) improving: bool,
    /// Whether a fail high or a fail low is expected.
    pub(crate) expected: Expected,
    /// Whether the node is on the principal variation, or once was.
    pub(crate) table_pv: bool,
    pub(crate) table_move_is_tactical: bool,
    pub(crate) entry: Option<TableEntry>,
    /// The move that is left out while its alternatives are searched for a singular extension.
    pub(crate) excluded: Option<Move>,
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
    /// The moving piece and its target.
    pub(crate) this: PieceTo,
    /// The number of the move in the order of search, from 1.
    pub(crate) number: usize,
    pub(crate) is_quiet: bool,
    pub(crate) gives_check: bool,
    /// The sum of the histories of the move.
    pub(crate) history: i32,
}

/// Moves that were searched and did not raise alpha. Moves beyond capacity are too late in the ordering to penalise.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// How the search of the moves of a node ended.
enum Ending {
    /// The search was stopped.
    Stopped,
    /// An alternative to the table move fails high as well, and so does the node, with this value.
    MultiCut(Value),
    /// Every move that was not pruned has been searched, up to a fail high.
    Searched,
}

/// The result of the moves of a node.
pub(crate) struct Outcome {
    pub(crate) value: Value,
    pub(crate) mv: Option<Move>,
    pub(crate) bound: Bound,
    /// Quiet moves that were searched and did not raise alpha.
    pub(crate) quiets: Tried,
    /// Captures and promotions that were searched and did not raise alpha.
    pub(crate) captures: Tried,
    /// The depth to which the moves were searched, the last ones if it changed.
    pub(crate) depth: Depth,
}

impl Outcome {
    const fn new(depth: Depth) -> Self {
        Self {
            value: Value(-Value::INFINITE.0),
            mv: None,
            bound: Bound::Upper,
            depth,
            quiets: Tried::new_const(),
            captures: Tried::new_const(),
        }
    }

    /// Lowers the value to what the endgame tables allow, and gives it the bound of the lower value.
    #[inline]
    fn limit(&mut self, ceiling: Value, alpha: Value, beta: Value) {
        if self.value > ceiling {
            self.value = ceiling;
            self.bound = Bound::of(ceiling, alpha, beta);
        }
    }

    /// Records a move that was searched and is not the best.
    #[inline]
    fn add_tried(&mut self, candidate: &Candidate) {
        let tried = if candidate.is_quiet { &mut self.quiets } else { &mut self.captures };
        let _ = tried.try_push(candidate.mv);
    }
}

impl<E: Evaluator> Worker<E> {
    /// The value of a position `ply` plies from the root, for the side to move: exact inside the window (`alpha`,
    /// `beta`), a bound outside it (fail-soft).
    pub(crate) fn alphabeta<N: NodeType>(
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
            return self.quiescence::<N>(position, alpha, beta, ply, QuietChecks::Try);
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

        // What is known of the value before the moves are searched.
        let (mut floor, mut ceiling) = (-Value::INFINITE, Value::INFINITE);
        if !N::ROOT {
            // Step 2. Draws, and the greatest ply.
            if let Some(value) = self.terminal_value(position, ply) {
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

        // Then the endgame tables. A result that is no cutoff still bounds the value on the principal variation.
        if !N::ROOT
            && self.may_probe(position)
            && excluded.is_none()
            && let Some((value, bound)) = self.probe_endgame(position, depth, ply)
        {
            if is_cutoff(value, bound, alpha, beta) {
                self.store_endgame(position, value, bound, depth, ply);
                return value;
            }
            if N::PV && bound == Bound::Lower {
                floor = floor.max(value);
                alpha = alpha.max(value);
            } else if N::PV {
                ceiling = value;
            }
        }

        // Step 5. The static evaluation. It takes the time that the bucket for a null move needs.
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

        // Step 8. Without a table move the ordering is poor: search shallower, the next iteration will have a move.
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
        let mut outcome = Outcome::new(node.depth);
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
        // The best of a selection of moves says nothing about the position.
        if excluded.is_none() && !(N::ROOT && self.is_selection()) {
            self.learn_correction(position, &node, &outcome, raw_eval);
            self.store_outcome(position, &node, &outcome, raw_eval);
        }
        outcome.value
    }

    /// The value of a repetition that the side to move can force, if it is better than alpha.
    #[inline]
    fn upcoming_repetition(&self, position: &Position, alpha: Value, ply: Ply) -> Option<Value> {
        let draw = self.draw_value(ply);
        let can_repeat = self.steps.has(Step::UpcomingRepetition)
            && alpha < draw
            && self.keys.has_upcoming_repetition(position, self.reversible(position, ply), ply.index());
        can_repeat.then_some(draw)
    }

    /// Steps 9 to 15: searches the moves of a node and fills in `outcome`.
    fn search_moves<N: NodeType>(&mut self, position: &Position, mut node: Node, outcome: &mut Outcome) -> Ending {
        let ply = node.ply;
        let killers = if self.steps.has(Step::Killers) { self.frame(ply).killers } else { [None; 2] };
        let counter_move = self.histories.counter_move(node.context.before[0]);
        let mut picker = MovePicker::new(position, node.table_move(), killers, counter_move, node.context);
        self.reset_descendants::<N>(ply);
        let old_alpha = node.alpha;
        let checks = position.check_info();
        let mut number = 0;
        let mut ahead = Lookahead::new(position);

        // Step 9. Pick the next move.
        while let Some(mv) = picker.next(position, &self.histories) {
            if Some(mv) == node.excluded || N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_current_move(mv, number);
            }
            let candidate = self.candidate(position, &node, &checks, mv, number);

            // Step 10. Prune it.
            if !N::ROOT && !outcome.value.is_lost() {
                match self.prune_move(position, &node, &candidate) {
                    Pruning::Nothing => {}
                    Pruning::ThisMove => continue,
                    Pruning::RemainingQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            self.prefetch(&mut ahead, position, mv, &mut picker);

            // Step 11. Extend it.
            let extension = match self.extension::<N>(position, &node, &candidate) {
                Extension::Plies(plies) => plies,
                Extension::MultiCut(value) => {
                    self.count(Counter::MultiCut, node.depth);
                    return Ending::MultiCut(value);
                }
            };
            if self.stopped {
                return Ending::Stopped;
            }

            // Step 12. Make the move and search it.
            self.count(Counter::Move, node.depth);
            let nodes_before = self.nodes;
            self.frame(ply).double_extensions = self.double_extensions_above(ply) + i32::from(extension >= 2);
            let mut next = position.clone();
            self.play(&mut next, mv, ply);
            let new_depth = node.depth - 1 + extension;
            let value = self.search_move::<N>(&next, &node, &candidate, new_depth, outcome.value);
            self.undo();
            if self.stopped {
                return Ending::Stopped;
            }

            // Step 13. At the root, record its value and line.
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
                        self.count(Counter::Cutoff, node.depth);
                        self.count_if(number == 1, Counter::FirstMoveCutoff, node.depth);
                        self.count_if(matches!(number, 2 | 3), Counter::EarlyCutoff, node.depth);
                        break;
                    }
                    node.alpha = value;
                    if !N::ROOT {
                        node.depth -= self.raised_alpha_reduction(node.depth, value);
                    }
                }
            }

            // Step 15. If not, remember it for a malus.
            if Some(mv) != outcome.mv {
                outcome.add_tried(&candidate);
            }
        }
        outcome.bound = Bound::of(outcome.value, old_alpha, node.beta);
        outcome.depth = node.depth;
        if !N::ROOT {
            outcome.value = self.soften(outcome.value, node.beta, node.depth);
        }
        self.count_if(outcome.bound == Bound::Upper, Counter::FailLow, node.depth);
        Ending::Searched
    }

    /// The plies by which to search the remaining moves less after a move that raised alpha to a value (Stockfish): it
    /// is likely the best.
    #[inline]
    fn raised_alpha_reduction(&self, depth: Depth, value: Value) -> i32 {
        let range = params::raised_alpha_min_depth()..=params::raised_alpha_max_depth();
        let is_reduced = self.steps.has(Step::RaisedAlpha) && range.contains(&depth.0) && !value.is_decisive();
        if is_reduced { params::raised_alpha_reduction() } else { 0 }
    }

    /// The value to return for a value that may be above beta.
    #[inline]
    pub(crate) fn soften(&self, value: Value, beta: Value, depth: Depth) -> Value {
        if self.steps.has(Step::SoftFailHigh) { softened(value, beta, depth) } else { value }
    }

    /// Clears what earlier nodes left in the frames below: killers are shared only among siblings, and cutoffs are
    /// counted among the grandchildren of one node.
    #[inline]
    fn reset_descendants<N: NodeType>(&mut self, ply: Ply) {
        self.frame(ply + 1).killers = [None; 2];
        self.frame(ply + 2).cutoffs = 0;
        if N::ROOT {
            // The root has no parent to reset this.
            self.frame(ply + 1).cutoffs = 0;
        }
    }

    fn candidate(&self, position: &Position, node: &Node, checks: &CheckInfo, mv: Move, number: usize) -> Candidate {
        let is_quiet = !position.is_tactical(mv);
        let this = PieceTo::of(position, mv);
        let history = if is_quiet {
            self.histories.quiet(&node.context, position, mv)
        } else {
            self.histories.capture(position, mv)
        };
        let gives_check = position.gives_check_with(checks, mv);
        Candidate { mv, this, number, is_quiet, gives_check, history }
    }

    /// Searches the position after a move: after the first move with the full window, after others with a null window,
    /// at reduced depth if late. A move that turns out better than expected is searched again.
    fn search_move<N: NodeType>(
        &mut self,
        next: &Position,
        node: &Node,
        candidate: &Candidate,
        mut new_depth: Depth,
        best_value: Value,
    ) -> Value {
        let Node { alpha, beta, ply, .. } = *node;
        if N::PV && !self.steps.has(Step::PrincipalVariation) {
            return -self.alphabeta::<Pv>(next, -beta, -alpha, new_depth, ply + 1, Expected::All);
        }
        let child = node.expected.child();
        let mut value = Value::ZERO;
        let mut needs_full_window = N::PV;
        if let Some(reduction) = self.late_move_reduction::<N>(node, candidate) {
            // At least one ply is left; on the principal variation a good move may even gain one.
            let reduced = Depth((new_depth.0 - reduction / ONE_PLY).clamp(1, new_depth.0.max(1) + i32::from(N::PV)));
            self.frame(ply).reduction = (new_depth - reduced.0).0;
            if reduced < new_depth {
                self.count(Counter::Reduced, node.depth);
                self.statistics.count(Counter::ReducedPlies, node.depth.0, (new_depth - reduced.0).0 as u64);
            }
            value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, reduced, ply + 1, Expected::Cut);
            self.frame(ply).reduction = 0;
            if value > alpha && reduced < new_depth && !self.stopped {
                self.count(Counter::Researched, node.depth);
                new_depth += self.research_depth(value, best_value, new_depth);
                if new_depth > reduced {
                    value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, new_depth, ply + 1, child);
                }
                self.count_if(value > alpha, Counter::ResearchedHigh, node.depth);
                self.learn_from_research(node, candidate, value);
            }
            needs_full_window &= value > alpha;
        } else if !N::PV || candidate.number > 1 {
            value = -self.alphabeta::<NonPv>(next, -alpha - 1, -alpha, new_depth, ply + 1, child);
            needs_full_window &= value > alpha;
        }
        if needs_full_window && !self.stopped {
            self.count_if(candidate.number > 1, Counter::FullWindow, node.depth);
            value = -self.alphabeta::<Pv>(next, -beta, -alpha, new_depth, ply + 1, Expected::All);
        }
        value
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

    /// The value of a node below the root that needs no search: a draw, or the greatest ply.
    #[inline]
    pub(crate) fn terminal_value(&mut self, position: &Position, ply: Ply) -> Option<Value> {
        if self.is_draw(position, ply) {
            return Some(self.draw_value(ply));
        }
        (ply >= Ply::MAX).then(|| if position.in_check() { self.draw_value(ply) } else { self.evaluate(position, ply) })
    }

    /// Stores the result of a node.
    #[inline]
    fn store_outcome(&mut self, position: &Position, node: &Node, outcome: &Outcome, raw_eval: Option<Value>) {
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
    /// root moves are left out, only the evaluation of the entry counts, with a lower bound that is always true.
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

    /// Whether the root search leaves moves out: those of better lines, of other ranks, or that were not asked for.
    fn is_selection(&self) -> bool {
        self.first_root > 0 || self.rank_end < self.roots.len() || self.job.is_restricted
    }

    /// The static evaluation, first as the evaluator returns it, then corrected; `None` in check.
    pub(crate) fn static_eval(
        &mut self,
        position: &Position,
        entry: Option<&TableEntry>,
        ply: Ply,
        depth: Depth,
    ) -> (Option<Value>, Option<Value>) {
        let raw = (!position.in_check()).then(|| match entry.and_then(|entry| entry.eval) {
            Some(eval) => eval,
            None => {
                let eval = if depth.0 <= params::rough_evaluation_max_depth() {
                    self.evaluator.evaluate_roughly(position)
                } else {
                    self.evaluator.evaluate(position)
                };
                self.blurred(position, eval)
            }
        });
        let last = [self.moved(ply, 1), self.moved(ply, 2)];
        let clock = i32::from(position.halfmove_clock());
        let mut correction = 0;
        let corrected = raw.map(|raw| {
            let eval = self.corrections.correct(position, raw, last);
            correction = (eval - raw).0.abs();
            if known::is_known(eval) { known::at_ply(eval, ply) } else { Value(fade(eval.0, clock)) }
        });
        let frame = self.frame(ply);
        frame.static_eval = corrected;
        frame.correction = correction;
        (raw, corrected)
    }

    /// Whether the static evaluation is higher than two plies ago or, if the side to move was in check then, four plies
    /// ago.
    fn is_improving(&self, static_eval: Option<Value>, ply: Ply) -> bool {
        let earlier = |back: i32| (ply.0 >= back).then(|| self.frames[(ply - back).index()].static_eval).flatten();
        match (static_eval, earlier(2).or_else(|| earlier(4))) {
            (Some(now), Some(then)) => now > then,
            (now, None) => now.is_some(),
            (None, _) => false,
        }
    }

    /// The table value if it says more than the static evaluation, otherwise the static evaluation.
    pub(crate) fn tighten_eval(&self, eval: Value, entry: Option<&TableEntry>, ply: Ply) -> Value {
        let Some(entry) = entry.filter(|_| self.steps.has(Step::TableEval)) else { return eval };
        let value = known::from_table(entry.value, ply);
        if entry.bound.contradicts(value, eval) && !value.is_decisive() { value } else { eval }
    }
}

/// The part of a static evaluation that is left at a halfmove clock.
#[inline]
fn fade(eval: i32, clock: i32) -> i32 {
    let all = i32::from(FIFTY_MOVES) - FADE_FROM;
    eval * (all - (clock - FADE_FROM).clamp(0, all)) / all
}

/// Whether the 50-move rule is so close that table values are not trusted.
#[inline]
pub(crate) fn is_near_fifty_moves(position: &Position) -> bool {
    position.halfmove_clock() >= NEAR_FIFTY_MOVES
}

/// The value of a table entry that ends the search of a node: deep enough, with a bound outside the window, and not too
/// close to the 50-move rule.
#[inline]
pub(crate) fn table_cutoff(
    position: &Position,
    entry: &TableEntry,
    alpha: Value,
    beta: Value,
    depth: Depth,
    ply: Ply,
) -> Option<Value> {
    let value = known::from_table(entry.value, ply);
    let clock = position.halfmove_clock();
    (entry.depth >= depth
        && is_cutoff(value, entry.bound, alpha, beta)
        && !is_near_fifty_moves(position)
        && !is_outrun(value, ply, clock))
    .then_some(value)
}

/// A value above beta moved towards beta, the more the shallower the search (Stockfish): the opponent will avoid the
/// node, so nothing has shown that it is as good as that. Other values, and mates, stay.
#[inline]
fn softened(value: Value, beta: Value, depth: Depth) -> Value {
    if value <= beta || value.is_decisive() || beta.is_decisive() {
        return value;
    }
    let weight = depth.0.max(1);
    Value((value.0 * weight + beta.0) / (weight + 1)).max(beta)
}

/// Whether a value with this bound ends a node with this window.
#[inline]
fn is_cutoff(value: Value, bound: Bound, alpha: Value, beta: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_above_beta_are_moved_towards_it() {
        let softened = |value: i32, beta: i32, depth: i32| softened(Value(value), Value(beta), Depth(depth)).0;
        assert_eq!([softened(100, 100, 5), softened(99, 100, 5), softened(-300, -200, 5)], [100, 99, -300]);
        assert_eq!([softened(300, 100, 0), softened(300, 100, 1), softened(300, 100, 9)], [200, 200, 280]);
        // Never below beta, also where the division rounds towards zero.
        for value in -300..300 {
            for beta in -300..=value {
                for depth in [0, 3, 20] {
                    assert!((beta..=value).contains(&softened(value, beta, depth)), "{value} {beta} {depth}");
                }
            }
        }
        let mate = Value::mate_in(Ply(3)).0;
        assert_eq!([softened(mate, 100, 1), softened(200, -mate, 1)], [mate, 200]);
    }

    #[test]
    fn a_value_that_the_tables_lower_has_the_bound_of_the_lower_value() {
        let limited = |value: i32, ceiling: i32| {
            let (alpha, beta) = (Value(-100), Value(100));
            let mut outcome = Outcome { value: Value(value), ..Outcome::new(Depth(1)) };
            outcome.bound = Bound::of(outcome.value, alpha, beta);
            outcome.limit(Value(ceiling), alpha, beta);
            (outcome.value, outcome.bound)
        };
        assert_eq!(limited(150, 200), (Value(150), Bound::Lower));
        assert_eq!(limited(150, 120), (Value(120), Bound::Lower));
        // The search proves at least this much, and the tables no more.
        assert_eq!(limited(150, 50), (Value(50), Bound::Exact));
        assert_eq!(limited(-150, 50), (Value(-150), Bound::Upper));
    }
}
