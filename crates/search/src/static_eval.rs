//! The static evaluation of a node: the evaluator's value, adjusted by the correction histories.

use crate::fifty_moves::fade;
use crate::known;
use crate::params;
use crate::steps::Step;
use crate::table::TableEntry;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Depth, Ply, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// The evaluation of a node, seen from the root.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: Ply) -> Value {
        let eval = self.evaluator.evaluate(position);
        known::at_ply(self.with_noise(position, eval), ply)
    }

    /// A value of the evaluator, clamped to the valid range, with its error when playing below full strength.
    #[inline]
    fn with_noise(&self, position: &Position, eval: Value) -> Value {
        let eval = eval.clamp(-Value::EVAL_MAX, Value::EVAL_MAX);
        self.job.eval_noise.map_or(eval, |noise| noise.apply(position, eval))
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
                self.with_noise(position, eval)
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
    pub(crate) fn is_improving(&self, static_eval: Option<Value>, ply: Ply) -> bool {
        let earlier = |back: i32| (ply.0 >= back).then(|| self.frames[(ply - back).index()].static_eval).flatten();
        match (static_eval, earlier(2).or_else(|| earlier(4))) {
            (Some(now), Some(then)) => now > then,
            (now, None) => now.is_some(),
            (None, _) => false,
        }
    }

    /// The table value if its bound is tighter than the static evaluation, otherwise the static evaluation.
    pub(crate) fn tighten_eval(&self, eval: Value, entry: Option<&TableEntry>, ply: Ply) -> Value {
        let Some(entry) = entry.filter(|_| self.steps.has(Step::TableEval)) else { return eval };
        let value = known::from_table(entry.value, ply);
        if entry.bound.contradicts(value, eval) && !value.is_decisive() { value } else { eval }
    }
}
