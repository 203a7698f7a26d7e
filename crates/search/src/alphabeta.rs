//! The search of a node: principal variation search, step by step.

use crate::params::{
    INTERNAL_REDUCTION_MIN_DEPTH, LMR_HISTORY_DIVISOR, LMR_MIN_DEPTH, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR,
    NULL_MOVE_MIN_DEPTH, NULL_MOVE_REDUCTION, REVERSE_FUTILITY_MARGIN, REVERSE_FUTILITY_MAX_DEPTH,
};
use crate::picker::MovePicker;
use crate::table::TableEntry;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::{MoveList, Position};
use bartizan_types::{Bound, Depth, Move, PieceType, Ply, Value};

/// What a node knows before its first move.
#[derive(Clone, Copy)]
struct Node {
    alpha: Value,
    beta: Value,
    depth: Depth,
    ply: Ply,
    /// The static evaluation, bettered by the table's bound; `None` in check.
    eval: Option<Value>,
    /// The static evaluation has risen since our last move.
    improving: bool,
}

/// A move about to be searched.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    /// From 1 in the order of search.
    number: usize,
    is_quiet: bool,
}

impl<E: Evaluator> Worker<E> {
    /// The value of a position `ply` plies below the root, for the side to move: exact inside (`alpha`, `beta`), a bound
    /// outside (fail-soft). `PV` nodes have an open window, the others a window of nothing.
    pub(crate) fn alphabeta<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        mut depth: Depth,
        ply: Ply,
    ) -> Value {
        debug_assert!(alpha < beta && (PV || alpha + 1 == beta));

        // Step 1. At the horizon, only captures and evasions.
        if depth <= Depth::ZERO {
            return self.quiescence::<PV>(position, alpha, beta, ply);
        }
        self.count_node();
        self.frame(ply).pv.clear();
        if PV {
            self.seldepth = self.seldepth.max(ply);
        }

        // Step 2. The end of the search, of the game, of the array.
        if self.stopped {
            return Value::ZERO;
        }
        if self.is_draw(position, ply) {
            return Value::DRAW;
        }
        if ply >= Ply::MAX {
            return if position.in_check() { Value::DRAW } else { self.evaluator.evaluate(position) };
        }

        // Step 3. Mate distance: a mate already found nearer to the root cannot be bettered here.
        alpha = alpha.max(Value::mated_in(ply));
        beta = beta.min(Value::mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Step 4. What the table knows.
        let entry = self.job.table.probe(position.key());
        if let Some(value) = entry.and_then(|entry| cutoff::<PV>(&entry, alpha, beta, depth, ply))
            // Near the 50-move rule the path counts, which the table does not know.
            && position.halfmove_clock() < 90
        {
            return value;
        }
        let table_move = entry.and_then(|entry| entry.mv);

        // Step 5. The static evaluation.
        let static_eval = if position.in_check() {
            None
        } else {
            Some(entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluator.evaluate(position)))
        };
        self.frame(ply).static_eval = static_eval;
        let improving = self.is_improving(static_eval, ply);
        let eval = static_eval.map(|eval| better_eval(eval, entry.as_ref(), ply));
        let node = Node { alpha, beta, depth, ply, eval, improving };

        // Step 6. Positions so good that they need no search (not on the principal variation).
        if !PV {
            if let Some(value) = self.reverse_futility(&node) {
                return value;
            }
            if let Some(value) = self.try_null_move(position, &node) {
                return value;
            }
        }
        if self.stopped {
            return Value::ZERO;
        }

        // Step 7. Without a table move the order is poor: search shallower, the next iteration will know more.
        if table_move.is_none() && depth.0 >= INTERNAL_REDUCTION_MIN_DEPTH {
            depth -= 1;
        }

        // Step 8. The moves.
        let mut picker = MovePicker::new(position, table_move, self.frames[ply.index()].killers);
        // Killers of cousins say more than those of nephews.
        self.frame(ply + 1).killers = [None; 2];
        let mut best_value = -Value::INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut quiets_tried = MoveList::new();
        let window_bottom = alpha;
        while let Some(mv) = picker.next(position, &self.history) {
            number += 1;
            let candidate = Candidate { mv, number, is_quiet: !position.is_tactical(mv) };

            // Step 9. Make the move and search it.
            let next = self.play(position, mv, ply);
            let node = Node { alpha, depth, ..node };
            let value = self.search_move::<PV>(&next, &node, candidate);
            self.undo();
            if self.stopped {
                return Value::ZERO;
            }

            // Step 10. Is it the best so far?
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    alpha = value;
                    if PV {
                        self.update_pv(mv, ply);
                    }
                    if value >= beta {
                        if candidate.is_quiet {
                            self.reward_quiet(position, mv, &quiets_tried, depth, ply);
                        }
                        break;
                    }
                }
            }
            if candidate.is_quiet {
                quiets_tried.push(mv);
            }
        }

        // Step 11. No legal move: mate or stalemate.
        if number == 0 {
            return if position.in_check() { Value::mated_in(ply) } else { Value::DRAW };
        }

        // Step 12. Remember.
        let bound = if best_value >= beta {
            Bound::Lower
        } else if best_value > window_bottom {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TableEntry { mv: best_move, value: best_value.to_table(ply), eval: static_eval, depth, bound };
        self.job.table.store(position.key(), entry);
        best_value
    }

    /// Searches a move that has been made: the first with the full window, the others with a window of nothing, late ones
    /// at reduced depth, and again if they turn out better than expected.
    fn search_move<const PV: bool>(&mut self, next: &Position, node: &Node, candidate: Candidate) -> Value {
        let Node { alpha, beta, depth, ply, .. } = *node;
        let new_depth = depth - 1 + self.check_extension(next, ply);
        if candidate.number == 1 {
            return -self.alphabeta::<PV>(next, -beta, -alpha, new_depth, ply + 1);
        }
        let reduction = self.late_move_reduction::<PV>(next, node, candidate);
        let mut value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, new_depth - reduction, ply + 1);
        if value > alpha && reduction > 0 && !self.stopped {
            value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, new_depth, ply + 1);
        }
        if PV && value > alpha && value < beta && !self.stopped {
            value = -self.alphabeta::<true>(next, -beta, -alpha, new_depth, ply + 1);
        }
        value
    }

    /// Searches a root move; the same as in the tree, at ply 0.
    pub(crate) fn search_root_move(
        &mut self,
        next: &Position,
        (alpha, beta): (Value, Value),
        depth: Depth,
        mv: Move,
        number: usize,
        is_quiet: bool,
    ) -> Value {
        let node = Node { alpha, beta, depth, ply: Ply::ZERO, eval: None, improving: true };
        self.search_move::<true>(next, &node, Candidate { mv, number, is_quiet })
    }

    /// A move that gives check is searched a ply deeper, unless the line is already twice as deep as the iteration.
    fn check_extension(&self, next: &Position, ply: Ply) -> i32 {
        i32::from(next.in_check() && ply.0 < 2 * self.root_depth.0)
    }

    /// How many plies less a late move is searched.
    fn late_move_reduction<const PV: bool>(&self, next: &Position, node: &Node, candidate: Candidate) -> i32 {
        let Node { depth, ply, improving, .. } = *node;
        if depth.0 < LMR_MIN_DEPTH || candidate.number < 2 + usize::from(PV) || next.in_check() {
            return 0;
        }
        let row = &self.reductions[usize::from(candidate.is_quiet)][(depth.0 as usize).min(63)];
        let mut reduction = row[candidate.number.min(63)];
        if candidate.is_quiet {
            // It was the other side's move that `next` waits for: the mover is its opponent.
            let history = self.history.get(!next.turn(), candidate.mv);
            reduction -= history * 1024 / LMR_HISTORY_DIVISOR;
            if self.frames[ply.index()].killers.contains(&Some(candidate.mv)) {
                reduction -= 1024;
            }
        }
        if PV {
            reduction -= 1024;
        }
        if !improving {
            reduction += 512;
        }
        // At least one ply is left, and nothing is extended here.
        (reduction / 1024).clamp(0, depth.0 - 2)
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

    /// Reverse futility (static null move): so far above beta that the few plies left will not change it.
    fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let Node { beta, depth, improving, .. } = *node;
        let eval = node.eval?;
        let margin = REVERSE_FUTILITY_MARGIN * (depth.0 - i32::from(improving));
        (depth.0 <= REVERSE_FUTILITY_MAX_DEPTH && eval - margin >= beta && !beta.is_decisive() && !eval.is_decisive())
            .then_some(eval - margin)
    }

    /// Null move (Donninger 1993): if even passing fails high, a move will. Not twice in a row, and not with pawns alone,
    /// where having to move may be what loses.
    fn try_null_move(&mut self, position: &Position, node: &Node) -> Option<Value> {
        let Node { beta, depth, ply, .. } = *node;
        let eval = node.eval?;
        let pawns_and_king = position.by_type(PieceType::Pawn) | position.by_type(PieceType::King);
        if depth.0 < NULL_MOVE_MIN_DEPTH
            || eval < beta
            || beta.is_decisive()
            || ply == Ply::ZERO
            || self.frames[(ply - 1).index()].mv.is_none()
            || (position.color(position.turn()) - pawns_and_king).is_empty()
        {
            return None;
        }
        let reduction =
            NULL_MOVE_REDUCTION + depth.0 / NULL_MOVE_DEPTH_DIVISOR + ((eval - beta).0 / NULL_MOVE_EVAL_DIVISOR).min(3);
        let next = self.play_null(position, ply);
        let value = -self.alphabeta::<false>(&next, -beta, -beta + 1, depth - reduction, ply + 1);
        self.undo();
        // A mate found after passing is no mate.
        (value >= beta && !self.stopped).then(|| if value.is_decisive() { beta } else { value })
    }

    /// A quiet move failed high: it becomes a killer, gains history, and those tried before it lose some.
    fn reward_quiet(&mut self, position: &Position, mv: Move, tried: &[Move], depth: Depth, ply: Ply) {
        let killers = &mut self.frame(ply).killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.history.update(position.turn(), mv, tried, depth);
    }
}

/// The value of a table entry that ends the search of this node: deep enough, and a bound on the right side. Never on the
/// principal variation, which is to be shown whole.
fn cutoff<const PV: bool>(entry: &TableEntry, alpha: Value, beta: Value, depth: Depth, ply: Ply) -> Option<Value> {
    if PV || entry.depth < depth {
        return None;
    }
    let value = entry.value.from_table(ply);
    bound_decides(entry.bound, value, alpha, beta).then_some(value)
}

/// Whether a bound settles a window.
pub(crate) fn bound_decides(bound: Bound, value: Value, alpha: Value, beta: Value) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    }
}

/// The table's value where it says more than the static evaluation.
pub(crate) fn better_eval(eval: Value, entry: Option<&TableEntry>, ply: Ply) -> Value {
    match entry {
        Some(entry) => {
            let value = entry.value.from_table(ply);
            let tighter = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value > eval,
                Bound::Upper => value < eval,
            };
            if tighter && !value.is_decisive() { value } else { eval }
        }
        None => eval,
    }
}
