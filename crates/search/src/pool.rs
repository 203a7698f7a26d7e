//! Long-lived search threads.

use crate::TranspositionTable;
use crate::control::Control;
use crate::dispatch::Dispatch;
use crate::error::PoolError;
use crate::event::{SearchEvent, SearchResult};
use crate::handle::{SearchControl, SearchHandle};
use crate::job::Job;
use crate::listener::Listener;
use crate::search::Search;
use crate::thread::ThreadContext;
use crate::thread_memory::{STACK_SIZE, helpers_that_fit};
use bartizan_eval::Evaluator;
use crossbeam_channel::{bounded, unbounded};
use parking_lot::Mutex;
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// The search threads. They keep histories and caches from search to search until [`ThreadPool::clear`].
///
/// A thread that panics is reset before its next search.
pub struct ThreadPool {
    dispatch: Arc<Dispatch<Arc<Job>, Listener>>,
    handles: Vec<JoinHandle<()>>,
    /// One more than the greatest index of a thread.
    slots: usize,
    threads: usize,
    shortage: Option<PoolError>,
    /// Searches that may still be running or queued: they must end before the threads can.
    searches: Vec<Arc<Control>>,
}

impl std::fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThreadPool").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// Starts a thread: [`Builder::spawn`], or a function of a test that refuses.
type Spawn<'a> = dyn FnMut(Builder, Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>> + 'a;

impl ThreadPool {
    /// Starts threads (at least one), each with its own evaluator, and waits until they are ready to search.
    ///
    /// If not all of them can be started, the pool has fewer, and [`ThreadPool::shortage`] returns the reason.
    ///
    /// ```
    /// use bartizan_eval::HandCrafted;
    /// use bartizan_search::ThreadPool;
    ///
    /// let pool = ThreadPool::new(2, HandCrafted::new)?;
    /// if let Some(error) = pool.shortage() {
    ///     eprintln!("{} threads instead of 2: {error}", pool.threads());
    /// }
    /// # Ok::<(), bartizan_search::PoolError>(())
    /// ```
    ///
    /// # Errors
    /// [`PoolError`] if not even one thread can be started.
    pub fn new<E: Evaluator + 'static>(
        threads: usize,
        evaluator: impl Fn() -> E + Send + Sync + 'static,
    ) -> Result<Self, PoolError> {
        Self::with_spawn(threads, evaluator, &mut |builder, body| builder.spawn(body))
    }

    fn with_spawn<E: Evaluator + 'static>(
        threads: usize,
        evaluator: impl Fn() -> E + Send + Sync + 'static,
        spawn: &mut Spawn<'_>,
    ) -> Result<Self, PoolError> {
        let dispatch = Arc::new(Dispatch::new());
        let context = Arc::new(ThreadContext { dispatch: dispatch.clone(), evaluator, allocation: Mutex::new(()) });
        let mut pool =
            Self { dispatch, handles: Vec::new(), slots: 0, threads: 0, shortage: None, searches: Vec::new() };
        let (started, starts) = unbounded();
        let mut most = 1;
        for index in 0..threads.max(1) {
            let number = index + 1;
            if index >= most {
                pool.shortage = Some(PoolError::Memory { number });
                break;
            }
            let (context, started) = (context.clone(), started.clone());
            let builder = Builder::new().name(format!("search-{index}")).stack_size(STACK_SIZE);
            match spawn(builder, Box::new(move || context.run(index, started))) {
                Ok(handle) => pool.handles.push(handle),
                Err(source) if index == 0 => return Err(PoolError::Thread { number, source }),
                Err(source) => {
                    pool.shortage = Some(PoolError::Thread { number, source });
                    break;
                }
            }
            if index == 0 {
                // Checked before the helpers take memory: without the main thread there is no search.
                starts.recv().map_err(|_| PoolError::Evaluator { number })?.1?;
                pool.threads = 1;
                most += helpers_that_fit(threads.saturating_sub(1));
            }
        }
        pool.slots = pool.handles.len();
        // The helpers allocate at the same time. Each drops its sender when it is ready.
        drop(started);
        let mut failed = Vec::new();
        for (index, start) in &starts {
            match start {
                Ok(()) => pool.threads += 1,
                Err(error) => {
                    failed.push(index);
                    pool.shortage = pool.shortage.take().or(Some(error));
                }
            }
        }
        // A thread that has ended keeps its stack until it is joined.
        failed.sort_unstable();
        for index in failed.into_iter().rev() {
            let _ = pool.handles.remove(index).join();
        }
        Ok(pool)
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Why there are fewer threads than requested; `None` if there are not.
    pub fn shortage(&self) -> Option<&PoolError> {
        self.shortage.as_ref()
    }

    /// Starts a search and returns an iterator over its events.
    ///
    /// Searches are queued: a running one ends first, so stop it unless it ends by itself.
    pub fn go(&mut self, search: Search, table: Arc<TranspositionTable>) -> SearchHandle {
        let (sender, events) = unbounded();
        // A send fails only if the handle has been dropped, and then the events are not wanted.
        let control = self.go_with(search, table, move |event| drop(sender.send(event)));
        SearchHandle::new(control, events)
    }

    /// Starts a search that passes each event to `listener`, for example to the sender of a channel.
    ///
    /// The last event is always [`SearchEvent::Finished`] or [`SearchEvent::Failed`], and comes exactly once. The
    /// listener runs on the search thread, so it must return quickly and must not wait for the pool. If it panics, it
    /// is not called again.
    ///
    /// Helpers start after the first iteration of the main thread, and the result does not wait for them. They hold the
    /// table until they notice that the search has ended: see [`ThreadPool::settle`].
    ///
    /// Searches are queued: a running one ends first, so stop it unless it ends by itself.
    ///
    /// ```
    /// # use bartizan_eval::HandCrafted;
    /// # use bartizan_position::Game;
    /// # use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
    /// use bartizan_search::SearchEvent;
    /// use std::sync::mpsc::channel;
    ///
    /// # let mut pool = ThreadPool::new(1, HandCrafted::new)?;
    /// # let table = std::sync::Arc::new(TranspositionTable::new(1)?);
    /// let (sender, events) = channel();
    /// let search = Search::new(Game::default(), Limits::depth(5));
    /// let control = pool.go_with(search, table, move |event| drop(sender.send(event)));
    /// // Meanwhile, `events.try_recv()` does not wait, and `control.stop()` ends the search.
    /// assert!(matches!(events.iter().last(), Some(SearchEvent::Finished(result)) if result.depth == 5));
    /// # drop(control);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn go_with(
        &mut self,
        search: Search,
        table: Arc<TranspositionTable>,
        listener: impl FnMut(SearchEvent) + Send + 'static,
    ) -> SearchControl {
        if !search.continues {
            table.age();
        }
        let job = Arc::new(Job::new(search, table, self.slots));
        self.searches.retain(|control| !control.is_over());
        self.searches.push(job.control.clone());
        let control = SearchControl::new(&job);
        self.dispatch.push(job, Listener::new(listener));
        control
    }

    /// Searches and waits for the result. The calling thread wakes only once, so many short searches are faster than
    /// with `go(search, table).wait()`.
    ///
    /// The limits must end the search. If it fails, the result has no move.
    ///
    /// ```
    /// # use bartizan_eval::HandCrafted;
    /// # use bartizan_position::{Game, Position};
    /// # use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
    /// # let mut pool = ThreadPool::new(1, HandCrafted::new)?;
    /// # let table = std::sync::Arc::new(TranspositionTable::new(1)?);
    /// let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")?;
    /// let search = Search::new(Game::new(position), Limits::nodes(10_000));
    /// let result = pool.search(search, table);
    /// assert_eq!(result.value.mate_in_moves(), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(&mut self, search: Search, table: Arc<TranspositionTable>) -> SearchResult {
        let (sender, finished) = bounded(1);
        let control = self.go_with(search, table, move |event| {
            if let SearchEvent::Finished(result) = event {
                drop(sender.send(result));
            }
        });
        // The channel closes without a result after `Failed`.
        finished.recv().unwrap_or_else(|_| control.without_result())
    }

    /// Clears the histories of all threads, for a new game.
    pub fn clear(&self) {
        self.dispatch.clear();
    }

    /// Waits until no thread works on a search that has ended, so that none holds its table. Returns at once if a
    /// search that was not stopped is running or queued.
    ///
    /// The next search need not wait for this, but clearing or resizing the table should.
    pub fn settle(&self) {
        self.dispatch.settle();
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        for control in &self.searches {
            control.stop();
        }
        self.dispatch.close();
        for handle in self.handles.drain(..) {
            // A thread catches every panic of a search.
            let _ = handle.join();
        }
    }
}

/// Compiles the search with the engine's evaluation in this crate. Development builds share generic code, so other
/// crates need not compile it again; release builds compile it where it is used.
#[cfg(all(debug_assertions, not(test)))]
#[used]
static WITH_HAND_CRAFTED: fn(usize) -> Result<ThreadPool, PoolError> =
    |threads| ThreadPool::new(threads, bartizan_eval::HandCrafted::new);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use bartizan_eval::HandCrafted;
    use bartizan_position::Game;
    use bartizan_testkit::PanickingEvaluator;
    use std::sync::Weak;
    use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};
    use std::time::{Duration, Instant};

    fn search(limits: Limits) -> Search {
        Search::new(Game::default(), limits)
    }

    fn table() -> Arc<TranspositionTable> {
        Arc::new(TranspositionTable::new(1).unwrap())
    }

    /// A pool for which the system starts no more than `most` threads.
    fn limited_pool(threads: usize, most: usize) -> Result<ThreadPool, PoolError> {
        let mut started = 0;
        ThreadPool::with_spawn(threads, HandCrafted::new, &mut |builder, body| {
            started += 1;
            if started > most { Err(io::ErrorKind::WouldBlock.into()) } else { builder.spawn(body) }
        })
    }

    #[test]
    fn the_pool_makes_do_with_the_threads_that_it_gets() {
        let mut pool = limited_pool(64, 3).unwrap();
        assert_eq!(pool.threads(), 3);
        let shortage = pool.shortage().unwrap().to_string();
        assert!(shortage.starts_with("cannot start search thread 4: "), "{shortage}");
        assert_eq!(pool.go(search(Limits::depth(6)), table()).wait().depth, 6);
        assert!(limited_pool(2, 2).unwrap().shortage().is_none());
        let error = limited_pool(2, 0).unwrap_err();
        assert!(matches!(error, PoolError::Thread { number: 1, .. }), "{error}");
    }

    #[test]
    fn an_evaluator_that_cannot_be_made_costs_its_thread() {
        let made = Arc::new(AtomicUsize::new(0));
        let counter = made.clone();
        let mut pool = ThreadPool::new(3, move || {
            assert!(counter.fetch_add(1, Relaxed) < 2, "expected by the test");
            HandCrafted::new()
        })
        .unwrap();
        assert_eq!((pool.threads(), made.load(Relaxed)), (2, 3));
        assert!(matches!(pool.shortage(), Some(PoolError::Evaluator { .. })));
        assert_eq!(pool.go(search(Limits::depth(5)), table()).wait().depth, 5);
        let error = ThreadPool::new(1, || -> HandCrafted { panic!("expected by the test") }).unwrap_err();
        assert!(matches!(error, PoolError::Evaluator { number: 1 }), "{error}");
    }

    /// The table can be freed as soon as the pool has settled, even if controls are still held.
    #[test]
    fn a_job_ends_with_its_search() {
        for threads in [1, 4] {
            let mut pool = ThreadPool::new(threads, HandCrafted::new).unwrap();
            for limits in [Limits::depth(1), Limits::depth(6), Limits::infinite()] {
                let table = table();
                let weak: Weak<TranspositionTable> = Arc::downgrade(&table);
                let is_infinite = limits.infinite;
                let mut handle = pool.go(search(limits), table);
                let control = handle.control();
                if is_infinite {
                    handle.stop();
                }
                assert!(handle.any(|event| matches!(event, SearchEvent::Finished(_))));
                pool.settle();
                assert_eq!(weak.strong_count(), 0, "{threads} threads");
                assert!(control.is_stopped());
            }
        }
    }

    #[test]
    fn settling_does_not_wait_for_a_search_without_end() {
        let mut pool = ThreadPool::new(2, HandCrafted::new).unwrap();
        let running = pool.go(search(Limits::infinite()), table());
        pool.settle();
        assert!(!running.is_stopped());
    }

    fn waiting(limits: Limits, least: Duration) -> Search {
        Search { least_time: Some(least), ..search(limits) }
    }

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_result_waits_for_its_least_time() {
        let least = Duration::from_millis(100);
        for threads in [1, 3] {
            let mut pool = ThreadPool::new(threads, HandCrafted::new).unwrap();
            let started = Instant::now();
            let handle = pool.go(waiting(Limits::depth(2), least), table());
            assert_eq!(handle.filter(SearchEvent::is_terminal).count(), 1);
            assert!(started.elapsed() >= least);
            // A stop ends the wait, before or after the end of the search.
            for is_searched in [false, true] {
                let handle = pool.go(waiting(Limits::depth(2), HOUR), table());
                while is_searched && !handle.is_stopped() {
                    std::thread::yield_now();
                }
                handle.stop();
                assert!(handle.wait().best.is_some());
            }
            // The time counts from the ponder hit.
            let handle = pool.go(waiting(Limits::depth(2).pondering(), least), table());
            while started.elapsed() < 3 * least {
                std::thread::yield_now();
            }
            let hit = Instant::now();
            handle.ponder_hit();
            assert!(handle.wait().best.is_some() && hit.elapsed() >= least);
        }
    }

    #[test]
    fn a_dropped_pool_does_not_wait() {
        let mut pool = ThreadPool::new(2, HandCrafted::new).unwrap();
        let control = pool.go_with(waiting(Limits::depth(2), HOUR), table(), |_| {});
        while !control.is_stopped() {
            std::thread::yield_now();
        }
        let _ = pool.go_with(waiting(Limits::depth(2), HOUR), table(), |_| {});
    }

    /// Neither its main thread nor its helpers search while a result waits.
    #[test]
    fn a_waiting_search_is_idle() {
        let mut pool = ThreadPool::new(3, HandCrafted::new).unwrap();
        // The helpers have no limit.
        let handle = pool.go(waiting(Limits::default().with_soft_nodes(100_000), HOUR), table());
        let control = handle.control();
        while !control.is_stopped() {
            std::thread::yield_now();
        }
        let deadline = Instant::now() + Duration::from_secs(60);
        let (mut nodes, mut since) = (control.nodes(), Instant::now());
        // A helper publishes its last count within an interval of its nodes.
        while since.elapsed() < Duration::from_millis(100) && Instant::now() < deadline {
            std::thread::yield_now();
            if control.nodes() != nodes {
                (nodes, since) = (control.nodes(), Instant::now());
            }
        }
        assert!(Instant::now() < deadline, "a thread still searches");
        handle.stop();
        handle.wait();
    }

    fn fused(threads: usize) -> (ThreadPool, Arc<AtomicI64>) {
        let fuse = Arc::new(AtomicI64::new(-1));
        let counter = fuse.clone();
        let pool = ThreadPool::new(threads, move || PanickingEvaluator::new(counter.clone())).unwrap();
        (pool, fuse)
    }

    /// After a panic in the middle of a search, the search still returns what it has found, and the next one is
    /// complete.
    #[test]
    fn a_worker_that_panics_is_replaced() {
        for threads in [1, 3] {
            let (mut pool, fuse) = fused(threads);
            for evaluations in [300, 1_000, 3_000] {
                fuse.store(evaluations, Relaxed);
                let events: Vec<_> = pool.go(search(Limits::depth(12)), table()).collect();
                let Some(SearchEvent::Finished(result)) = events.last() else { panic!("{events:?}") };
                assert!(result.best.is_some() && result.depth >= 1);
                assert!(fuse.load(Relaxed) < 0, "the evaluator has panicked");
                assert_eq!(events.iter().filter(|event| event.is_terminal()).count(), 1);
                assert_eq!(pool.go(search(Limits::depth(7)), table()).wait().depth, 7);
                assert_eq!(pool.threads(), threads);
            }
        }
    }

    /// A panic before there is any result makes only this search fail.
    #[test]
    fn a_search_without_any_result_fails() {
        let (mut pool, fuse) = fused(1);
        fuse.store(0, Relaxed);
        let events: Vec<_> = pool.go(search(Limits::depth(9)), table()).collect();
        assert_eq!(events, [SearchEvent::Failed]);
        fuse.store(0, Relaxed);
        assert_eq!(pool.search(search(Limits::depth(9)), table()).best, None);
        assert_eq!(pool.search(search(Limits::depth(5)), table()).depth, 5);
    }

    /// Even a failure is not reported before the client expects an answer.
    #[test]
    fn a_failure_while_pondering_waits_for_the_signal() {
        let (mut pool, fuse) = fused(1);
        for (limits, evaluations) in [(Limits::infinite(), 0), (Limits::infinite(), 3_000)] {
            fuse.store(evaluations, Relaxed);
            let (sender, events) = unbounded();
            let control = pool.go_with(search(limits), table(), move |event| drop(sender.send(event)));
            while fuse.load(Relaxed) >= 0 {
                std::thread::yield_now();
            }
            let early = std::iter::from_fn(|| events.recv_timeout(Duration::from_millis(50)).ok());
            assert!(!early.into_iter().any(|event| event.is_terminal()));
            control.stop();
            assert_eq!(events.iter().filter(SearchEvent::is_terminal).count(), 1);
        }
    }

    #[test]
    fn a_listener_that_panics_costs_only_its_search() {
        let mut pool = ThreadPool::new(1, HandCrafted::new).unwrap();
        for _ in 0..2 {
            let _ = pool.go_with(search(Limits::depth(3)), table(), |_| panic!("expected by the test"));
        }
        assert_eq!(pool.go(search(Limits::depth(4)), table()).wait().depth, 4);
    }
}
