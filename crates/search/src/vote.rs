//! The choice of a result among those of several threads.

use crate::Limits;
use crate::event::SearchInfo;
use bartizan_types::{Move, Value};
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;

/// The result of one thread.
#[derive(Clone, Debug)]
pub(crate) struct ThreadResult {
    /// The last completed depth, in plies, at least one.
    pub(crate) depth: i32,
    /// The best lines, at least one.
    pub(crate) lines: Vec<SearchInfo>,
    /// Whether the listener has them: the thread has reported them and searched no further.
    pub(crate) is_reported: bool,
}

/// The latest result of each thread.
#[derive(Debug)]
pub(crate) struct ThreadResults(Vec<CachePadded<Mutex<Option<ThreadResult>>>>);

impl ThreadResults {
    pub(crate) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| CachePadded::new(Mutex::new(None))).collect())
    }

    /// Replaces the result of a thread.
    pub(crate) fn publish(&self, id: usize, report: ThreadResult) {
        // The old one is dropped after the lock.
        let _old = self.0[id].lock().replace(report);
    }

    /// The results of the threads that have one, in their order. A thread suspended in the middle of
    /// [`ThreadResults::publish`] is skipped: the answer waits for no other thread.
    pub(crate) fn latest(&self) -> Vec<ThreadResult> {
        self.0.iter().filter_map(|slot| slot.try_lock()?.clone()).collect()
    }
}

/// Added to the value of each vote, in centipawns, so that even the thread with the worst value has some weight. An
/// untuned starting value.
const VOTE_OFFSET: i32 = 20;

impl ThreadResult {
    fn value(&self) -> Value {
        self.lines[0].value
    }

    fn best_move(&self) -> Option<Move> {
        self.lines[0].pv.first().copied()
    }
}

/// Chooses the result of a Lazy SMP search.
///
/// Each thread votes for its best move, with a weight that grows with its depth and value. Among the threads with the
/// winning move, the deepest one gives the result. A mate beats any vote, the shortest mate first (Stockfish). With a
/// depth limit, only the threads that reached the greatest depth vote.
pub(crate) fn vote(mut reports: Vec<ThreadResult>, limits: &Limits) -> Option<ThreadResult> {
    if limits.depth.is_some() {
        let deepest = reports.iter().map(|report| report.depth).max()?;
        reports.retain(|report| report.depth == deepest);
    }
    let worst = reports.iter().map(ThreadResult::value).min()?;
    let weight = |report: &ThreadResult| i64::from((report.value() - worst).0 + VOTE_OFFSET) * i64::from(report.depth);
    let votes = |candidate: &ThreadResult| -> i64 {
        reports.iter().filter(|report| report.best_move() == candidate.best_move()).map(weight).sum()
    };
    let rank = |report: &ThreadResult| {
        let value = report.value();
        let is_win = value.is_decisive() && value > Value::ZERO;
        let win = if is_win { value.0 } else { 0 };
        (win, votes(report), report.depth, value)
    };
    // `max_by_key` returns the last of equals; the order is reversed to prefer the main thread.
    let chosen = (0..reports.len()).rev().max_by_key(|&index| rank(&reports[index]))?;
    reports.into_iter().nth(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::{Ply, Square};

    fn report(depth: i32, to: Square, value: Value) -> ThreadResult {
        let line = SearchInfo::new(depth as u32, value, vec![Move::normal(Square::A1, to)]);
        ThreadResult { depth, lines: vec![line], is_reported: false }
    }

    fn chosen(reports: Vec<ThreadResult>, limits: &Limits) -> (i32, Option<Square>) {
        let report = vote(reports, limits).unwrap();
        (report.depth, report.best_move().map(Move::to))
    }

    #[test]
    fn the_move_with_the_greater_weight_wins() {
        let reports = || {
            vec![report(10, Square::A2, Value(30)), report(11, Square::A3, Value(25)), report(9, Square::A3, Value(25))]
        };
        assert_eq!(chosen(reports(), &Limits::infinite()), (11, Some(Square::A3)));
        assert_eq!(chosen(reports(), &Limits::depth(11)), (11, Some(Square::A3)));
    }

    #[test]
    fn a_mate_beats_any_vote() {
        let reports = vec![
            report(20, Square::A2, Value(900)),
            report(20, Square::A2, Value(900)),
            report(8, Square::A3, Value::mate_in(Ply(5))),
            report(9, Square::A4, Value::mate_in(Ply(7))),
        ];
        assert_eq!(chosen(reports, &Limits::infinite()), (8, Some(Square::A3)));
    }

    #[test]
    fn the_choice_waits_for_no_thread() {
        let reports = ThreadResults::new(3);
        assert!(vote(reports.latest(), &Limits::infinite()).is_none());
        reports.publish(0, report(2, Square::A2, Value(1)));
        reports.publish(2, report(9, Square::A3, Value(2)));
        // A thread that is publishing.
        let _suspended = reports.0[2].lock();
        assert_eq!(chosen(reports.latest(), &Limits::infinite()), (2, Some(Square::A2)));
    }
}
