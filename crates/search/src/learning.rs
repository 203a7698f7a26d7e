//! What is learnt from a searched node: killers, histories, corrections.

use crate::alphabeta::{Candidate, Node, Outcome};
use crate::history::{self, PieceTo};
use crate::known::is_known;
use crate::params;
use crate::steps::Step;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Color, Depth, Move, Ply, Value};

impl<E: Evaluator> Worker<E> {
    /// Rewards the best move and fines those that were searched before it.
    pub(crate) fn learn(&mut self, position: &Position, node: &Node, outcome: &Outcome) {
        let bonus = history::bonus(node.depth);
        let Some(best) = outcome.mv else {
            if self.steps.has(Step::FailLowBonus) && self.frame(node.ply).excluded.is_none() {
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
            for &mv in &outcome.quiets {
                self.histories.add_quiet(&node.context, PieceTo::of(position, mv), mv, -bonus);
            }
        }
        for &mv in &outcome.captures {
            self.histories.add_capture(position, mv, -bonus);
        }
    }

    /// All moves of a node failed low: a bonus for the quiet move of the other side that led there.
    fn learn_from_fail_low(&mut self, side: Color, ply: Ply, bonus: i32) {
        let Some((mv, this)) = self.quiet_move_before(ply) else { return };
        let before = [2, 3, 5].map(|back| self.moved(ply, back));
        let attacked = self.frames[(ply - 1).index()].attacked;
        self.histories.add_butterfly(side, attacked, mv, bonus);
        self.histories.add_follows(before, this, bonus);
    }

    /// What a quiet move of `side` did to the evaluation says what it may do elsewhere.
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

    /// The move that led to a node, if it was quiet.
    fn quiet_move_before(&self, ply: Ply) -> Option<(Move, PieceTo)> {
        let above = (ply > Ply::ZERO).then(|| &self.frames[(ply - 1).index()])?;
        let mv = above.mv.filter(|mv| !above.took && mv.promotes_to().is_none())?;
        Some((mv, above.moved))
    }

    fn learn_refutation(&mut self, node: &Node, best: Move) {
        let killers = &mut self.frame(node.ply).killers;
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        self.histories.set_counter_move(node.context.before[0], best);
    }

    /// A reduced move had to be searched again: what came of it counts where it follows the moves before.
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
            self.histories.add_continuations(&node.context, candidate.this, bonus);
        }
    }

    /// The evaluation was wrong where the search found more or less, unless a capture explains it.
    pub(crate) fn learn_correction(
        &mut self,
        position: &Position,
        node: &Node,
        outcome: &Outcome,
        raw_eval: Option<Value>,
    ) {
        let Some(static_eval) = node.static_eval else { return };
        let is_news = match outcome.bound {
            Bound::Exact => true,
            Bound::Lower => outcome.value > static_eval,
            Bound::Upper => outcome.value < static_eval,
        };
        if is_news
            && !raw_eval.is_some_and(is_known)
            && !outcome.value.is_decisive()
            && !outcome.mv.is_some_and(|mv| position.is_tactical(mv))
        {
            let last = [self.moved(node.ply, 1), self.moved(node.ply, 2)];
            self.corrections.update(position, last, Depth(node.depth.0.min(20)), (outcome.value - static_eval).0);
        }
    }
}
