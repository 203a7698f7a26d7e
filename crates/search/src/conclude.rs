//! The end of a search: the choice of the result, and its report.

use crate::event::{SearchEvent, SearchInfo, SearchResult};
use crate::job::Job;
use crate::vote::{ThreadResult, vote};
use bartizan_types::{Ply, Value};

/// Ends a search: stops the helpers, and reports the result.
///
/// The result is chosen from what the threads have found so far. If they have found nothing, the search has failed,
/// unless there were no moves to search.
pub(crate) fn conclude(job: &Job, on_event: &mut dyn FnMut(SearchEvent)) {
    job.control.stop();
    let mut reports = job.reports.latest();
    let chosen = match job.multipv {
        1 => vote(reports, &job.limits),
        // The lines come from one thread.
        _ => (!reports.is_empty()).then(|| reports.remove(0)),
    };
    let (nodes, time) = (job.nodes.total(), job.control.elapsed());
    let (tablebase_hits, hashfull) = (job.table_hits.total(), job.table.hashfull());
    let (info, depth) = match chosen {
        // Nodes and time are of the whole search.
        Some(ThreadResult { depth, info }) => {
            (SearchInfo { nodes, time, tablebase_hits, hashfull, ..info }, depth as u32)
        }
        None if job.moves.is_empty() => (SearchInfo { nodes, time, hashfull, ..game_over(job) }, 0),
        None => return,
    };
    let result = SearchResult {
        best: info.pv.first().copied(),
        ponder: info.pv.get(1).copied(),
        value: info.value,
        bound: info.bound,
        depth,
        pv: info.pv.clone(),
        nodes,
        time,
    };
    on_event(SearchEvent::Info(info));
    on_event(SearchEvent::Finished(result));
}

/// The value of a root without moves to search: checkmate or stalemate.
fn game_over(job: &Job) -> SearchInfo {
    let value = if job.root.in_check() { Value::mated_in(Ply::ZERO) } else { Value::DRAW };
    SearchInfo::new(0, value, Vec::new())
}
