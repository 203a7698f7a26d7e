//! Long-lived search threads.

use crate::TranspositionTable;
use crate::event::{SearchEvent, SearchInfo, SearchResult};
use crate::handle::{SearchControl, SearchHandle};
use crate::job::Job;
use crate::listener::Listener;
use crate::search::Search;
use crate::vote::{Report, vote};
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_types::{Ply, Value};
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// A search thread could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start search thread {number}: {source}")]
pub struct PoolError {
    number: usize,
    source: std::io::Error,
}

/// A message to a thread.
enum Order {
    Search(Arc<Job>, Role),
    Clear,
}

/// The part of a thread in a search.
enum Role {
    /// Watches the limits, reports events, collects the helpers' reports and gives the result.
    Main(Receiver<Report>, Listener),
    /// Searches until it is stopped and reports.
    Helper(Sender<Report>),
}

struct Thread {
    /// `None` once the thread has been told to end.
    orders: Option<Sender<Order>>,
    handle: Option<JoinHandle<()>>,
}

/// The search threads. They keep histories and caches from search to search until [`ThreadPool::clear`].
pub struct ThreadPool {
    threads: Vec<Thread>,
    /// Searches that may still be running or queued: they must end before the threads can.
    jobs: Vec<Arc<Job>>,
}

impl std::fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ThreadPool").field("threads", &self.threads.len()).finish()
    }
}

/// The stack of a search thread. The search recurses to 128 plies with move lists on the stack, which needs about a
/// quarter of this.
const STACK_SIZE: usize = 8 << 20;

impl ThreadPool {
    /// Starts threads (at least one), each with its own evaluator.
    ///
    /// # Errors
    /// [`PoolError`] if the system refuses a thread. The threads already started end.
    pub fn new<E: Evaluator + 'static>(threads: usize, evaluator: impl Fn() -> E) -> Result<Self, PoolError> {
        let mut pool = Self { threads: Vec::new(), jobs: Vec::new() };
        for number in 0..threads.max(1) {
            let (orders, inbox) = unbounded();
            let evaluator = evaluator();
            let handle = thread::Builder::new()
                .name(format!("search-{number}"))
                .stack_size(STACK_SIZE)
                .spawn(move || run_orders(number, evaluator, &inbox))
                .map_err(|source| PoolError { number: number + 1, source })?;
            pool.threads.push(Thread { orders: Some(orders), handle: Some(handle) });
        }
        Ok(pool)
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Starts a search and returns an iterator over its events.
    ///
    /// Searches queue: one that is still running ends first, so stop it unless it ends by itself.
    pub fn go(&mut self, search: Search, table: Arc<TranspositionTable>) -> SearchHandle {
        let (sender, events) = unbounded();
        // A send fails only if the handle has been dropped, and then the events are not wanted.
        let control = self.go_with(search, table, move |event| drop(sender.send(event)));
        SearchHandle::new(control, events)
    }

    /// Starts a search that passes each event to `listener`, for example to the sender of a channel.
    ///
    /// The last event is always [`SearchEvent::Finished`] or [`SearchEvent::Failed`], and comes exactly once. The
    /// listener runs on the search thread, so it must return quickly and must not wait for the pool. If it panics, the
    /// search thread ends and the listener is not called again.
    ///
    /// Searches queue: one that is still running ends first, so stop it unless it ends by itself.
    pub fn go_with(
        &mut self,
        search: Search,
        table: Arc<TranspositionTable>,
        listener: impl FnMut(SearchEvent) + Send + 'static,
    ) -> SearchControl {
        table.age();
        let job = Arc::new(Job::new(search, table, self.threads.len()));
        let (sender, reports) = bounded(self.threads.len());
        let mut orders = self.threads.iter().filter_map(|thread| thread.orders.as_ref());
        if let Some(main) = orders.next() {
            // If the thread has died, the order comes back, and dropping it delivers `Failed` to the listener.
            let _ = main.send(Order::Search(job.clone(), Role::Main(reports, Listener::new(listener))));
        }
        for helper in orders {
            let _ = helper.send(Order::Search(job.clone(), Role::Helper(sender.clone())));
        }
        self.jobs.retain(|job| !job.control.is_stopped());
        self.jobs.push(job.clone());
        SearchControl::new(job)
    }

    /// Clears the histories of all threads, for a new game.
    pub fn clear(&self) {
        for thread in &self.threads {
            if let Some(orders) = &thread.orders {
                let _ = orders.send(Order::Clear);
            }
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        for job in &self.jobs {
            job.control.stop();
        }
        for thread in &mut self.threads {
            thread.orders = None;
        }
        for thread in &mut self.threads {
            if let Some(handle) = thread.handle.take() {
                // The panic hook has already reported a thread that panicked.
                let _ = handle.join();
            }
        }
    }
}

/// Worker loop; exits when the order channel closes.
fn run_orders<E: Evaluator>(id: usize, evaluator: E, orders: &Receiver<Order>) {
    let mut evaluator = Some(evaluator);
    let mut worker: Option<Worker<E>> = None;
    while let Ok(order) = orders.recv() {
        match order {
            Order::Clear => {
                if let Some(worker) = &mut worker {
                    worker.clear();
                }
            }
            Order::Search(job, role) => {
                if let Some(evaluator) = evaluator.take() {
                    worker = Some(Worker::new(id, evaluator, job.clone()));
                }
                let Some(worker) = &mut worker else { return };
                worker.prepare(job);
                match role {
                    Role::Helper(reports) => {
                        worker.iterate();
                        let _ = reports.send(worker.report());
                    }
                    Role::Main(reports, listener) => {
                        worker.listener = Some(listener);
                        worker.iterate();
                        worker.finish(&reports);
                        worker.listener = None;
                    }
                }
            }
        }
    }
}

impl<E: Evaluator> Worker<E> {
    fn report(&self) -> Report {
        let searched = self.completed_depth.0 > 0 && !self.roots.is_empty();
        Report { depth: self.completed_depth.0, info: searched.then(|| self.info(0)) }
    }

    /// Ends the search: waits for a stop or ponder hit if the limits require one, stops the helpers, and sends the
    /// result.
    fn finish(&mut self, reports: &Receiver<Report>) {
        let job = self.job.clone();
        job.control.wait_until_released(&job.limits);
        job.control.stop();
        // Each helper sends one report and drops its sender: the loop ends with the last of them.
        let helpers: Vec<Report> = reports.iter().collect();
        let own = self.report();
        let mut info = (!self.roots.is_empty()).then(|| self.info(0));
        let mut depth = own.depth;
        if job.multipv == 1
            && let Some(chosen) = vote(std::iter::once(own).chain(helpers), &job.limits)
        {
            (depth, info) = (chosen.depth, chosen.info);
        }
        // Without a completed iteration the line still has a depth of at least one ply, but the result has none.
        let depth = depth.max(0) as u32;
        let (info, depth) = match info {
            // Nodes and time of the whole search, and the depth to which the chosen line belongs.
            Some(info) => (
                SearchInfo { nodes: job.total_nodes(), time: job.control.elapsed(), depth: depth.max(1), ..info },
                depth,
            ),
            None => (self.game_over(), 0),
        };
        let result = SearchResult {
            best: info.pv.first().copied(),
            ponder: info.pv.get(1).copied(),
            value: info.value,
            depth,
            pv: info.pv.clone(),
            nodes: info.nodes,
            time: info.time,
        };
        self.send(SearchEvent::Info(info));
        self.send(SearchEvent::Finished(result));
    }

    /// The value of a root without legal moves: checkmate or stalemate.
    fn game_over(&self) -> SearchInfo {
        let value = if self.job.root.in_check() { Value::mated_in(Ply::ZERO) } else { Value::DRAW };
        SearchInfo {
            nodes: self.job.total_nodes(),
            hashfull: self.job.table.hashfull(),
            time: self.job.control.elapsed(),
            ..SearchInfo::new(0, value, Vec::new())
        }
    }
}
