//! Internals of the search, exposed for benchmarks. They are not part of the API and can change in any version.

use crate::history::{Histories, PieceTo, QuietContext};
use crate::picker::{MovePicker, QuietChecks};
use crate::steps::ActiveSteps;
use crate::threats::Threats;
use bartizan_position::Position;
use bartizan_types::Move;

/// The move picker with the histories that it needs.
#[derive(Debug)]
pub struct MoveOrdering {
    histories: Histories,
}

impl MoveOrdering {
    /// Creates empty histories.
    #[expect(clippy::new_without_default, reason = "measured as it is")]
    pub fn new() -> Self {
        Self { histories: Histories::new() }
    }

    /// Fills the histories of moves with arbitrary values, which are the same in each run.
    pub fn learn(&mut self, position: &Position, moves: &[Move]) {
        let context = Self::context(position);
        for &mv in moves {
            let bonus = i32::from(mv.to_bits() % 2_003) - 1_000;
            if position.is_tactical(mv) {
                self.histories.add_capture(position, mv, bonus);
            } else {
                self.histories.add_quiet(&context, PieceTo::of(position, mv), mv, bonus);
            }
        }
    }

    /// Picks all moves as the main search does. Returns a checksum of the moves and their order.
    pub fn all(&self, position: &Position, table_move: Option<Move>) -> u64 {
        let mut context = Self::context(position);
        context.threats = Threats::new(position, !position.turn());
        self.drain(position, MovePicker::new(position, table_move, [None; 2], None, context))
    }

    /// Picks the moves of the first ply of quiescence. Returns a checksum of the moves and their order.
    pub fn captures(&self, position: &Position, table_move: Option<Move>) -> u64 {
        let context = Self::context(position);
        let steps = ActiveSteps::DEFAULT;
        self.drain(position, MovePicker::quiescence(position, table_move, context, QuietChecks::Try, steps))
    }

    fn context(position: &Position) -> QuietContext {
        QuietContext::new(position.turn(), position.pawn_key(), [PieceTo::NONE; 3])
    }

    fn drain(&self, position: &Position, mut picker: MovePicker) -> u64 {
        let mut sum = 0_u64;
        while let Some(mv) = picker.next(position, &self.histories) {
            sum = sum.wrapping_mul(31).wrapping_add(u64::from(mv.to_bits()));
        }
        sum
    }
}
