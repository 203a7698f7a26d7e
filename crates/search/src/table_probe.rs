//! Endgame tables in the tree: they give the result of a position right after a capture or pawn move, when the halfmove
//! clock cannot invalidate it (after Stockfish).

use crate::fifty_moves::is_outrun;
use crate::root_tables::CURSED;
use crate::table::TableEntry;
use crate::tables::TablebaseResult;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Bound, Depth, Ply, Value};

/// The depth that the table entry of a result claims beyond that of its node, in plies: a result is worth more than a
/// search of the node's depth.
const EXTRA_DEPTH: i32 = 6;

impl<E: Evaluator> Worker<'_, E> {
    /// Whether a node has few enough pieces for the tables.
    #[inline]
    pub(crate) fn may_probe(&self, position: &Position) -> bool {
        self.probe_men > 0 && position.occupied().count() <= self.probe_men
    }

    /// The value of a node below the root by the tables, and its bound, if they cover it. With distances to mate it is
    /// exact. Otherwise a win may still be a mate, so it is a lower bound, and a loss an upper one; and only positions
    /// after a capture or pawn move are probed, because the tables do not know the halfmove clock.
    #[inline(never)]
    pub(crate) fn probe_endgame(&mut self, position: &Position, depth: Depth, ply: Ply) -> Option<(Value, Bound)> {
        let men = position.occupied().count();
        if men <= self.mate_men
            && let Some(value) = self.probe_mate(position, ply)
        {
            self.table_hits += 1;
            return Some((value, Bound::Exact));
        }
        let is_due = men < self.table_men || men == self.table_men && depth >= self.table_depth;
        if !is_due || position.halfmove_clock() != 0 {
            return None;
        }
        let probing = self.job.tables.as_ref()?;
        let result = probing.tables.result(position)?;
        let result = if probing.fifty_moves { result } else { result.without_50_moves() };
        self.table_hits += 1;
        Some(match result {
            TablebaseResult::Win => (Value::table_win_in(ply), Bound::Lower),
            TablebaseResult::CursedWin => (self.draw_value(ply) + CURSED, Bound::Exact),
            TablebaseResult::Draw => (self.draw_value(ply), Bound::Exact),
            TablebaseResult::BlessedLoss => (self.draw_value(ply) - CURSED, Bound::Exact),
            TablebaseResult::Loss => (Value::table_loss_in(ply), Bound::Upper),
        })
    }

    /// The value of a node by the distance to mate, if that is known and the 50-move rule cannot come before the mate.
    fn probe_mate(&mut self, position: &Position, ply: Ply) -> Option<Value> {
        let probing = self.job.tables.as_ref()?;
        let found = self.mate_cache.probe(&*probing.tables, position)?;
        if found == Value::DRAW {
            return Some(self.draw_value(ply));
        }
        if probing.fifty_moves && is_outrun(found, Ply::ZERO, position.halfmove_clock()) {
            return None;
        }
        // A mate too far from the root cannot be represented as a mate value.
        Some(Value::from_table(found, ply)).filter(|value| value.is_mate())
    }

    /// Stores a result that ends its node.
    pub(crate) fn store_endgame(&mut self, position: &Position, value: Value, bound: Bound, depth: Depth, ply: Ply) {
        // An entry cannot say whether a mate reached by other moves still comes within the 50-move rule.
        if value.is_mate() {
            return;
        }
        let entry = TableEntry {
            mv: None,
            value: value.to_table(ply),
            eval: None,
            depth: Depth((depth.0 + EXTRA_DEPTH).min(Depth::MAX.0)),
            bound,
            is_pv: false,
        };
        self.store_in_table(position, entry);
    }
}
