//! Completes lines that the search has cut short, from the hash table and the endgame tables.

use crate::fifty_moves::FIFTY_MOVES;
use crate::job::Job;
use crate::root::RootMove;
use crate::root_tables::before_move;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Bound, Move, Ply, Value};

impl<E: Evaluator> Worker<'_, E> {
    /// Completes a line whose mate is known from the tables. The previous iteration may have done so already.
    pub(crate) fn complete_line(&mut self, line: usize, settled: &[RootMove]) {
        let root = &mut self.roots[line];
        let (value, bound) = root.reported();
        if self.mate_men == 0 || bound != Bound::Exact || !value.is_mate() {
            return;
        }
        if root.table_value == Some(value) {
            // Moves that quiescence appends to a move with a known mate need not be best.
            root.pv.truncate(1);
        }
        let is_same = |old: &&RootMove| old.reported() == (value, bound) && old.pv.starts_with(&root.pv);
        let known = settled.iter().find(is_same).map(|old| old.pv.clone());
        if let Some(whole) = known.or_else(|| line_to_mate(&self.job, value, &root.pv)) {
            root.pv = whole;
        }
    }

    /// Appends the moves of the table to the line of a root move: up to its mate, to the depth of the iteration, or to
    /// a draw.
    pub(crate) fn extend_line(&self, root: &mut RootMove) {
        let length = root.value.plies_to_mate().map_or(self.root_depth.0, i32::abs) as usize;
        let mut position = (*self.job.root).clone();
        let mut keys = self.job.keys.clone();
        for ply in 1.. {
            let mv = match root.pv.get(ply - 1) {
                Some(&mv) => mv,
                None => {
                    let entry = self.probe_table(&position).filter(|_| ply <= length);
                    let Some(mv) = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv)) else { return };
                    root.pv.push(mv);
                    mv
                }
            };
            position = position.play_unchecked(mv);
            keys.push(position.key());
            let clock = position.halfmove_clock();
            if clock >= FIFTY_MOVES || keys.is_search_draw(clock, ply) || position.is_insufficient_material() {
                return;
            }
        }
    }
}

/// A line from the root to a mate, completed as far as the tables cover it: the search ends each line where they begin.
/// `None` if it is already complete. Stops when the time for the move is over, because large tables unpack whole
/// blocks.
fn line_to_mate(job: &Job, value: Value, line: &[Move]) -> Option<Vec<Move>> {
    let tables = &job.tables.as_ref()?.tables;
    let length = value.plies_to_mate().filter(|&plies| plies as usize > line.len())? as usize;
    let mut whole = line.to_vec();
    let mut position = line.iter().fold((*job.root).clone(), |position, &mv| position.play_unchecked(mv));
    while whole.len() < length && !job.is_out_of_time() {
        let mate = Ply((length - whole.len()) as i32);
        // The plies are odd for the side that mates.
        let best = if mate.0 % 2 == 1 { Value::mate_in(mate) } else { Value::mated_in(mate) };
        let leads_to_it = |mv: &Move| {
            tables.mate_value(&position.play_unchecked(*mv)).is_some_and(|after| before_move(after) == best)
        };
        let Some(mv) = position.legal_moves().iter().copied().find(leads_to_it) else { break };
        whole.push(mv);
        position = position.play_unchecked(mv);
    }
    Some(whole)
}
