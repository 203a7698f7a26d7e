//! Draws in the tree and their value.

use crate::fifty_moves::FIFTY_MOVES;
use crate::steps::Step;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Ply, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a node below the root that needs no search: a draw, or a node at the maximum ply.
    #[inline]
    pub(crate) fn terminal_value(&mut self, position: &Position, ply: Ply) -> Option<Value> {
        if self.is_draw(position, ply) {
            return Some(self.draw_value(ply));
        }
        (ply >= Ply::MAX).then(|| if position.in_check() { self.draw_value(ply) } else { self.evaluate(position, ply) })
    }

    /// Whether a node below the root is a draw by repetition, the 50-move rule or insufficient material.
    #[inline]
    pub(crate) fn is_draw(&self, position: &Position, ply: Ply) -> bool {
        let clock = position.halfmove_clock();
        self.keys.is_search_draw(self.reversible(position, ply), ply.index())
            || position.is_insufficient_material()
            // A mate by the last move before the 50-move rule applies still counts.
            || clock >= FIFTY_MOVES && (!position.in_check() || position.has_legal_move())
    }

    /// The value of a repetition that the side to move can force, if it is better than alpha.
    #[inline]
    pub(crate) fn upcoming_repetition(&self, position: &Position, alpha: Value, ply: Ply) -> Option<Value> {
        let draw = self.draw_value(ply);
        let can_repeat = self.steps.has(Step::UpcomingRepetition)
            && alpha < draw
            && self.keys.has_upcoming_repetition(position, self.reversible(position, ply), ply.index());
        can_repeat.then_some(draw)
    }

    /// The number of plies since the last irreversible move, counting null moves as such: only positions within them
    /// can repeat.
    #[inline]
    pub(crate) fn reversible(&self, position: &Position, ply: Ply) -> u16 {
        position.halfmove_clock().min(self.frames[ply.index()].since_null)
    }

    /// The value of a draw for the side to move, according to the contempt.
    #[inline]
    pub(crate) fn draw_value(&self, ply: Ply) -> Value {
        if ply.0 & 1 == 0 { -self.job.contempt } else { self.job.contempt }
    }
}
