//! The main thread's part of a search, in a pool thread or the caller's thread.

use crate::event::SearchEvent;
use crate::job::Job;
use crate::worker::{Worker, WorkerState};
use bartizan_eval::Evaluator;
use std::sync::Arc;

/// The caller of a search.
pub(crate) struct Caller<'a> {
    /// Receives the events, if they are wanted.
    pub(crate) on_event: Option<&'a mut dyn FnMut(SearchEvent)>,
    /// Called about once in a thousand nodes; returns whether the search should stop.
    pub(crate) is_stopped: &'a dyn Fn() -> bool,
}

/// Searches, and leaves the result in the job's reports. Calls `call_helpers` once there is a first result.
pub(crate) fn run_main_thread<E: Evaluator>(
    state: WorkerState<E>,
    job: &Arc<Job>,
    caller: Caller<'_>,
    call_helpers: &dyn Fn(),
) -> WorkerState<E> {
    let mut worker = Worker::new(0, state, job.clone(), Some(caller));
    worker.iterate(call_helpers);
    // The last iteration may have been interrupted after it had found a better move.
    worker.publish_report();
    worker.into_state()
}
