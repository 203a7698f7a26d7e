//! A search in progress, seen from outside.

use crate::control::Control;
use crate::event::{SearchEvent, SearchResult};
use crate::job::{Job, NodeCounts};
use bartizan_position::Position;
use crossbeam_channel::Receiver;
use std::sync::Arc;
use std::time::Duration;

/// Controls a search in progress. Clones control the same search; dropping them does not stop it.
///
/// ```
/// use bartizan_eval::HandCrafted;
/// use bartizan_position::Game;
/// use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
/// use std::sync::Arc;
/// use std::thread;
///
/// let mut pool = ThreadPool::new(1, HandCrafted::new)?;
/// let table = Arc::new(TranspositionTable::new(1)?);
/// let running = pool.go(Search::new(Game::default(), Limits::infinite()), table);
/// let control = running.control();
/// let other = thread::spawn(move || {
///     while control.nodes() < 1_000 {
///         thread::yield_now();
///     }
///     control.stop();
/// });
/// assert!(running.wait().best.is_some());
/// # other.join().unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchControl {
    signals: Arc<Control>,
    root: Arc<Position>,
    nodes: Arc<NodeCounts>,
}

impl SearchControl {
    pub(crate) fn new(job: &Job) -> Self {
        Self { signals: job.control.clone(), root: job.root.clone(), nodes: job.nodes.clone() }
    }

    /// Asks the search to finish. It does so within about a millisecond, after its first iteration. Further calls have
    /// no effect.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Whether the search was asked to stop, or is about to finish.
    pub fn is_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    /// Tells a pondering search that the expected move was played: it continues as a normal search, and its clock
    /// starts.
    pub fn ponder_hit(&self) {
        self.signals.ponder_hit(self.nodes());
    }

    /// The nodes of all threads so far; the count is updated about once in a thousand nodes.
    pub fn nodes(&self) -> u64 {
        self.nodes.total()
    }

    /// The time used on our clock so far, as [`Limits::node_rate`](crate::Limits::node_rate) counts it; `None` if the
    /// search has only pondered.
    pub fn clock_time(&self) -> Option<Duration> {
        (!self.signals.is_pondering()).then(|| self.signals.clock_spent(self.nodes()))
    }

    /// The position being searched.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The result of a search that failed.
    pub(crate) fn without_result(&self) -> SearchResult {
        SearchResult { nodes: self.nodes.total(), time: self.signals.elapsed(), ..SearchResult::default() }
    }
}

/// A search in progress: an iterator over its events, which ends after [`SearchEvent::Finished`] or
/// [`SearchEvent::Failed`]. Dropping the handle stops the search.
#[derive(Debug)]
pub struct SearchHandle {
    control: SearchControl,
    events: Receiver<SearchEvent>,
}

impl SearchHandle {
    pub(crate) fn new(control: SearchControl, events: Receiver<SearchEvent>) -> Self {
        Self { control, events }
    }

    /// A control that can be used elsewhere, for example on another thread, while this handle is iterated over.
    pub fn control(&self) -> SearchControl {
        self.control.clone()
    }

    /// Asks the search to finish. It does so within about a millisecond, after its first iteration. Further calls have
    /// no effect.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Whether the search was asked to stop, or is about to finish.
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// Tells a pondering search that the expected move was played: it continues as a normal search, and its clock
    /// starts.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
    }

    /// The position being searched.
    pub fn root(&self) -> &Position {
        self.control.root()
    }

    /// Waits for the result and discards the other events.
    ///
    /// An infinite search must be stopped first. If the search fails, the result has no move.
    pub fn wait(self) -> SearchResult {
        self.wait_with(|_| {})
    }

    /// Waits for the result and passes each event to `f`, the terminal one included.
    ///
    /// An infinite search must be stopped first, or by `f` through a [`SearchControl`]. If the search fails, the result
    /// has no move.
    ///
    /// ```
    /// # use bartizan_eval::HandCrafted;
    /// # use bartizan_position::Game;
    /// # use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
    /// use bartizan_search::SearchEvent;
    ///
    /// # let mut pool = ThreadPool::new(1, HandCrafted::new)?;
    /// # let table = std::sync::Arc::new(TranspositionTable::new(1)?);
    /// let running = pool.go(Search::new(Game::default(), Limits::infinite()), table);
    /// let control = running.control();
    /// let result = running.wait_with(|event| {
    ///     if matches!(event, SearchEvent::Info(info) if info.depth >= 5) {
    ///         control.stop();
    ///     }
    /// });
    /// assert!(result.depth >= 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wait_with(mut self, mut f: impl FnMut(&SearchEvent)) -> SearchResult {
        for event in &mut self {
            f(&event);
            if let SearchEvent::Finished(result) = event {
                return result;
            }
        }
        self.control.without_result()
    }
}

impl Iterator for SearchHandle {
    type Item = SearchEvent;

    /// Waits for the next event.
    fn next(&mut self) -> Option<SearchEvent> {
        // The channel closes after the terminal event.
        self.events.recv().ok()
    }
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.stop();
    }
}
