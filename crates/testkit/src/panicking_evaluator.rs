//! An evaluator that panics when a test wants it to.

use bartizan_eval::{Evaluator, HandCrafted};
use bartizan_position::Position;
use bartizan_types::{Move, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The hand-written evaluation, except that it panics instead of the evaluation that finds the counter at zero. Every
/// evaluation takes one from the counter, which several evaluators can share; below zero, none panics.
#[derive(Debug)]
pub struct PanickingEvaluator {
    evaluator: HandCrafted,
    left: Arc<AtomicI64>,
}

impl PanickingEvaluator {
    /// An evaluator with this counter.
    pub fn new(left: Arc<AtomicI64>) -> Self {
        Self { evaluator: HandCrafted::new(), left }
    }
}

impl Evaluator for PanickingEvaluator {
    fn reset(&mut self, position: &Position) {
        self.evaluator.reset(position);
    }

    fn play(&mut self, position: &mut Position, mv: Move) {
        self.evaluator.play(position, mv);
    }

    fn play_null(&mut self, position: &mut Position) {
        self.evaluator.play_null(position);
    }

    fn undo(&mut self) {
        self.evaluator.undo();
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        // Only a counter.
        assert_ne!(self.left.fetch_sub(1, Ordering::Relaxed), 0, "expected by the test");
        self.evaluator.evaluate(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn one_evaluation_panics() {
        let left = Arc::new(AtomicI64::new(2));
        let position = Position::default();
        let mut fuses = [PanickingEvaluator::new(left.clone()), PanickingEvaluator::new(left)];
        fuses.iter_mut().for_each(|fuse| fuse.reset(&position));
        let answers = [0, 1, 0, 1, 0].map(|number: usize| {
            let fuse = &mut fuses[number];
            catch_unwind(AssertUnwindSafe(|| fuse.evaluate(&position))).is_ok()
        });
        assert_eq!(answers, [true, true, false, true, true]);
    }
}
