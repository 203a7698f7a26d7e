//! Endgame tables in the tree: they give the result of a position right after a capture or pawn move, when the halfmove
//! clock cannot falsify it (after Stockfish).

use crate::fifty_moves::FIFTY_MOVES;
use crate::job::Job;
use crate::root_tables::{CURSED, mate_value};
use crate::table::TableEntry;
use crate::worker::Worker;
use bartizan_dtm::Dtm;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_tablebase::Wdl;
use bartizan_types::{Bound, Depth, Move, Ply, Value};

/// The greatest depth that the table entry of a result claims beyond that of its node, in plies: a result is worth more
/// than a search of the node's depth.
const EXTRA_DEPTH: i32 = 6;

impl<E: Evaluator> Worker<E> {
    /// Whether a node has few enough pieces for the tables.
    #[inline]
    pub(crate) fn may_probe(&self, position: &Position) -> bool {
        self.probe_men > 0 && position.occupied().count() <= self.probe_men
    }

    /// The value of a node below the root by the tables, and its bound, if they have it. With distances to mate it is
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
        let result = probing.result(probing.tables.as_ref()?.search_wdl(position)?);
        self.table_hits += 1;
        Some(match result {
            Wdl::Win => (Value::table_win_in(ply), Bound::Lower),
            Wdl::CursedWin => (self.draw_value(ply) + CURSED, Bound::Exact),
            Wdl::Draw => (self.draw_value(ply), Bound::Exact),
            Wdl::BlessedLoss => (self.draw_value(ply) - CURSED, Bound::Exact),
            Wdl::Loss => (Value::table_loss_in(ply), Bound::Upper),
        })
    }

    /// The value of a node by the distance to mate, if that is known and the 50-move rule cannot come before the mate.
    fn probe_mate(&mut self, position: &Position, ply: Ply) -> Option<Value> {
        let probing = self.job.tables.as_ref()?;
        let found = self.mate_cache.probe(probing.mates.as_ref()?, position)?;
        let Some(plies) = found.plies() else { return Some(self.draw_value(ply)) };
        let is_in_time = !probing.fifty_moves || plies.saturating_add(position.halfmove_clock()) <= FIFTY_MOVES;
        let value = mate_value(Ply(ply.0 + i32::from(plies)))?;
        is_in_time.then_some(if found.sign() > 0 { value } else { -value })
    }

    /// Stores a result that ends its node.
    pub(crate) fn store_endgame(&mut self, position: &Position, value: Value, bound: Bound, depth: Depth, ply: Ply) {
        // The table cannot tell whether a mate comes within the 50-move rule when it is reached by other moves.
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

/// A line from the root to a mate, completed as far as the tables have its moves: the search ends each line where they
/// begin. `None` if it is complete. Ends with the time for the move: of large tables, whole blocks are unpacked.
pub(crate) fn line_to_mate(job: &Job, value: Value, line: &[Move]) -> Option<Vec<Move>> {
    let mates = job.tables.as_ref()?.mates.as_ref()?;
    let length = value.plies_to_mate().filter(|&plies| plies as usize > line.len())? as usize;
    let mut whole = line.to_vec();
    let mut position = line.iter().fold((*job.root).clone(), |position, &mv| position.play_unchecked(mv));
    while whole.len() < length && !job.is_out_of_time() {
        let plies = (length - whole.len()) as u16;
        // Their number is odd for the side that mates.
        let best = if plies % 2 == 1 { Dtm::Win(plies) } else { Dtm::Loss(plies) };
        let leads_to_it =
            |mv: &Move| mates.probe(&position.play_unchecked(*mv)).is_some_and(|after| after.before_move() == best);
        let Some(mv) = position.legal_moves().iter().copied().find(leads_to_it) else { break };
        whole.push(mv);
        position = position.play_unchecked(mv);
    }
    Some(whole)
}
