//! The engine in one thread, whose searches depend on nothing but their limits.

use crate::Error;
use bartizan_network::{Evaluation, EvaluationModel};
use bartizan_parallel::Stop;
use bartizan_position::Game;
use bartizan_search::{Limits, Search, SearchEvent, SearchResult, ThreadPool, TranspositionTable};
use crossbeam::channel::{RecvTimeoutError, bounded};
use std::sync::Arc;
use std::time::Duration;

/// How often a search looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// An engine of one thread, with a hash table.
pub(crate) struct Engine {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
}

impl Engine {
    /// An engine with a hash table of a size in MiB.
    pub(crate) fn new(megabytes: usize, model: EvaluationModel) -> Result<Self, Error> {
        let table = Arc::new(TranspositionTable::new(megabytes)?);
        Ok(Self { pool: ThreadPool::new(1, move || Evaluation::new(&model))?, table })
    }

    /// Forgets all searches, so that the next one does not depend on those before.
    pub(crate) fn forget(&self) {
        self.table.clear();
        self.pool.clear();
    }

    /// Searches the last position of a game; `None` if stopped. If the search fails, the result has no move.
    pub(crate) fn search(&mut self, game: &Game, limits: Limits, stop: &Stop) -> Option<SearchResult> {
        if stop.is_stopped() {
            return None;
        }
        let (sender, finished) = bounded(1);
        let control = self.pool.go_with(Search::new(game.clone(), limits), self.table.clone(), move |event| {
            if let SearchEvent::Finished(result) = event {
                drop(sender.send(result));
            }
        });
        loop {
            match finished.recv_timeout(PATIENCE) {
                Ok(result) => return (!stop.is_stopped()).then_some(result),
                Err(RecvTimeoutError::Timeout) if stop.is_stopped() => control.stop(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(SearchResult::default()),
            }
        }
    }
}
