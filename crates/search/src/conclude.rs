//! The end of a search: the choice of the result, and its report.

use crate::event::{SearchEvent, SearchInfo, SearchResult};
use crate::job::Job;
use crate::vote::{ThreadResult, vote};
use bartizan_types::{Ply, Value};
use std::time::Duration;

/// Ends a search: stops the helpers, and reports the result: its lines, unless the listener has them, then the move.
///
/// The result is chosen from what the threads have found so far. If they have found nothing, the search has failed,
/// unless there were no moves to search. `time` is that of the whole search.
pub(crate) fn conclude(job: &Job, time: Duration, on_event: &mut dyn FnMut(SearchEvent)) {
    job.control.stop();
    let mut reports = job.reports.latest();
    let chosen = match job.multipv {
        1 => vote(reports, &job.limits),
        // The lines come from one thread.
        _ => (!reports.is_empty()).then(|| reports.remove(0)),
    };
    let nodes = job.nodes.total();
    let (tablebase_hits, hashfull) = (job.table_hits.total(), job.table.hashfull());
    let ThreadResult { depth, lines, is_reported } = match chosen {
        Some(chosen) => chosen,
        None if job.moves.is_empty() => ThreadResult { depth: 0, lines: vec![game_over(job)], is_reported: false },
        None => return,
    };
    let SearchInfo { value, bound, ref pv, .. } = lines[0];
    let result = SearchResult {
        best: pv.first().copied(),
        ponder: pv.get(1).copied(),
        value,
        bound,
        depth: depth as u32,
        pv: pv.clone(),
        nodes,
        time,
    };
    for info in lines.into_iter().filter(|_| !is_reported) {
        // Nodes and time are of the whole search.
        on_event(SearchEvent::Info(SearchInfo { nodes, time, tablebase_hits, hashfull, ..info }));
    }
    on_event(SearchEvent::Finished(result));
}

/// The value of a root without moves to search: checkmate or stalemate.
fn game_over(job: &Job) -> SearchInfo {
    let value = if job.root.in_check() { Value::mated_in(Ply::ZERO) } else { Value::DRAW };
    SearchInfo::new(0, value, Vec::new())
}
