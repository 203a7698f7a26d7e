//! Updates of killers, histories and corrections after the search of a node.

use crate::history::{self, PieceTo};
use crate::known::is_known;
use crate::node::{Candidate, Node, NodeResult};
use crate::params;
use crate::steps::Step;
use crate::threats::Threats;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Color, Depth, Move, Ply, Value};

/// The maximum depth for corrections, in plies: greater depths count the same. A starting value; screenings 10,
/// 18 and 19 tried 12 and 8 (`docs/lab/screening.md`).
const MAX_CORRECTION_DEPTH: i32 = 20;

impl<E: Evaluator> Worker<'_, E> {
    /// Gives the best move a bonus, and the other moves searched a malus.
    pub(crate) fn learn(&mut self, position: &Position, node: &Node, outcome: &NodeResult) {
        let bonus = history::bonus(node.depth);
        let Some(best) = outcome.mv else {
            if self.steps.has(Step::FailLowBonus) && node.excluded.is_none() {
                self.learn_from_fail_low(!position.turn(), node.ply, bonus);
            }
            return;
        };
        if position.is_tactical(best) {
            self.histories.add_capture(position, best, bonus);
        } else {
            if outcome.bound == Bound::Lower {
                self.learn_refutation(node, best);
            }
            self.histories.add_quiet(&node.context, PieceTo::of(position, best), best, bonus);
            let malus = bonus * params::history_malus() / 100;
            for &mv in &outcome.quiets {
                self.histories.add_quiet(&node.context, PieceTo::of(position, mv), mv, -malus);
            }
        }
        for &mv in &outcome.captures {
            self.histories.add_capture(position, mv, -bonus);
        }
    }

    /// Gives a bonus to the quiet move of `side` that led to a node where all moves failed low.
    fn learn_from_fail_low(&mut self, side: Color, ply: Ply, bonus: i32) {
        let Some((mv, this)) = self.quiet_move_before(ply) else { return };
        let before = [2, 3, 5].map(|back| self.moved(ply, back));
        let attacked = self.frames[(ply - 1).index()].attacked;
        self.histories.add_butterfly(side, attacked, mv, bonus);
        self.histories.add_continuations(before, this, bonus);
    }

    /// Gives the quiet move of `side` that led to a node a bonus or malus for the change of the static evaluation.
    pub(crate) fn learn_from_evaluations(&mut self, side: Color, static_eval: Option<Value>, ply: Ply) {
        if !self.steps.has(Step::EvaluationBonus) {
            return;
        }
        let Some((mv, _)) = self.quiet_move_before(ply) else { return };
        let above = &self.frames[(ply - 1).index()];
        let attacked = above.attacked;
        let (Some(now), Some(before)) = (static_eval, above.static_eval) else { return };
        let lost = (now + before).0 - params::tempo_twice();
        let cap = params::evaluation_bonus_cap();
        let bonus = (-params::evaluation_bonus_slope() * lost).clamp(-cap, cap);
        self.histories.add_butterfly(side, attacked, mv, bonus);
    }

    /// Gives a bonus to a quiet table move that ends a node without a search.
    pub(crate) fn learn_from_table_cutoff(&mut self, position: &Position, mv: Move, depth: Depth, ply: Ply) {
        if !self.steps.has(Step::TableCutoffBonus) || position.is_tactical(mv) {
            return;
        }
        let side = position.turn();
        let context = self.quiet_context(position, ply);
        let bonus = history::bonus(depth);
        self.histories.add_butterfly(side, Threats::new(position, !side).all(), mv, bonus);
        self.histories.add_continuations(context.before, PieceTo::of(position, mv), bonus);
    }

    /// The move that led to a node, if it was quiet.
    fn quiet_move_before(&self, ply: Ply) -> Option<(Move, PieceTo)> {
        let above = (ply > Ply::ZERO).then(|| &self.frames[(ply - 1).index()])?;
        let mv = above.mv.filter(|mv| !above.took && mv.promotes_to().is_none())?;
        Some((mv, above.moved))
    }

    /// Makes a quiet move that failed high a killer and the counter move.
    fn learn_refutation(&mut self, node: &Node, best: Move) {
        let killers = &mut self.frame(node.ply).killers;
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        self.histories.set_counter_move(node.context.before[0], best);
    }

    /// Gives a quiet move a bonus or malus for the re-search after a reduction, in the continuation histories.
    pub(crate) fn learn_from_research(&mut self, node: &Node, candidate: &Candidate, value: Value) {
        if candidate.is_quiet && !self.stopped {
            let bonus = history::bonus(node.depth);
            let bonus = if value <= node.alpha {
                -bonus
            } else if value >= node.beta {
                bonus
            } else {
                0
            };
            self.histories.add_continuations(node.context.before, candidate.this, bonus);
        }
    }

    /// Corrects the evaluation by the result of the search, unless a capture explains the difference.
    pub(crate) fn learn_correction(
        &mut self,
        position: &Position,
        node: &Node,
        outcome: &NodeResult,
        raw_eval: Option<Value>,
    ) {
        let Some(static_eval) = node.static_eval else { return };
        if outcome.bound.contradicts(outcome.value, static_eval)
            && !raw_eval.is_some_and(is_known)
            && !outcome.value.is_decisive()
            && !outcome.mv.is_some_and(|mv| position.is_tactical(mv))
        {
            let last = [self.moved(node.ply, 1), self.moved(node.ply, 2)];
            let depth = Depth(node.depth.0.min(MAX_CORRECTION_DEPTH));
            self.corrections.update(position, last, depth, (outcome.value - static_eval).0);
        }
    }
}
