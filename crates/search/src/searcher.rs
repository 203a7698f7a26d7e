//! Searching in the caller's thread.

use crate::conclude::conclude;
use crate::event::{SearchEvent, SearchResult};
use crate::job::Job;
use crate::main_thread::{Caller, run_main_thread};
use crate::thread_memory::{THREAD_MIB, has_addresses};
use crate::worker::WorkerState;
use crate::{PoolError, Search, TranspositionTable};
use bartizan_eval::Evaluator;
use std::sync::Arc;

/// Searches without threads of its own: each search runs in the caller's thread, which needs 3 MiB of stack. Results
/// are those of a [`ThreadPool`](crate::ThreadPool) of one thread, and histories and caches are kept in the same way.
///
/// Use it in programs that manage their own search threads, and on platforms without threads; with
/// [`Search::with_stopwatch`] it needs no system clock either.
///
/// ```
/// use bartizan_eval::HandCrafted;
/// use bartizan_position::Game;
/// use bartizan_search::{Limits, Search, Searcher, TranspositionTable};
/// use std::sync::Arc;
///
/// let mut searcher = Searcher::new(HandCrafted::new)?;
/// let table = Arc::new(TranspositionTable::new(1)?);
/// let search = Search::new(Game::default(), Limits::depth(4));
/// let result = searcher.search(search, &table, &|| false, None);
/// assert_eq!(result.depth, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher<E> {
    evaluator: Box<dyn Fn() -> E + Send + Sync>,
    /// `None` after a panic.
    state: Option<WorkerState<E>>,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher with empty histories, which take about 6 MiB. `evaluator` creates its evaluator, and a new one after
    /// a search that has panicked.
    ///
    /// # Errors
    /// [`PoolError::Memory`] if the system refuses the memory.
    pub fn new(evaluator: impl Fn() -> E + Send + Sync + 'static) -> Result<Self, PoolError> {
        // If an ordinary allocation failed, it would abort the program.
        if !has_addresses(THREAD_MIB) {
            return Err(PoolError::Memory { number: 1 });
        }
        let state = WorkerState::new(evaluator());
        Ok(Self { evaluator: Box::new(evaluator), state: Some(state) })
    }

    /// Clears the histories, for a new game.
    pub fn clear(&mut self) {
        if let Some(state) = &mut self.state {
            state.clear();
        }
    }

    /// Searches, and returns the result, which has no move only if there is none to search. `is_stopped` is called
    /// about once in a thousand nodes, after the first iteration; `on_event` gets the events as they occur, the last
    /// one with the result.
    ///
    /// Ponder hits are not supported: a pondering or infinite search ends when it is stopped or at the maximum depth.
    pub fn search(
        &mut self,
        search: Search,
        table: &Arc<TranspositionTable>,
        is_stopped: &dyn Fn() -> bool,
        mut on_event: Option<&mut dyn FnMut(SearchEvent)>,
    ) -> SearchResult {
        if !search.continues {
            table.age();
        }
        let job = Arc::new(Job::new(search, table.clone(), 1));
        let state = self.state.take().unwrap_or_else(|| WorkerState::new((self.evaluator)()));
        let is_heard = on_event.is_some();
        let mut send = |event| {
            if let Some(on_event) = &mut on_event {
                on_event(event);
            }
        };
        let on_event: Option<&mut dyn FnMut(SearchEvent)> = if is_heard { Some(&mut send) } else { None };
        self.state = Some(run_main_thread(state, &job, Caller { on_event, is_stopped }, &|| {}));
        let mut result = SearchResult::default();
        conclude(&job, job.control.elapsed(), &mut |event| {
            if let SearchEvent::Finished(finished) = &event {
                result = finished.clone();
            }
            send(event);
        });
        result
    }
}

impl<E> std::fmt::Debug for Searcher<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searcher").finish_non_exhaustive()
    }
}
