//! Long-lived search threads, and the handle of a search in progress.

use crate::control::Control;
use crate::event::{SearchEvent, SearchInfo, SearchResult};
use crate::handle::{SearchControl, SearchHandle};
use crate::listener::Listener;
use crate::steps::Steps;
use crate::time::TimePlan;
use crate::worker::{Job, Worker};
use crate::{Limits, TranspositionTable};
use bartizan_eval::Evaluator;
use bartizan_position::{Game, KeyHistory};
use bartizan_types::{Bound, Key, Ply, Value};
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use crossbeam::utils::CachePadded;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start search thread {number}: {source}")]
pub struct PoolError {
    number: usize,
    source: std::io::Error,
}

/// A search to be done.
#[derive(Clone, Debug)]
pub struct Search {
    /// The position to search and the game before it, for repetitions.
    pub game: Game,
    /// How long.
    pub limits: Limits,
    /// How many best lines to find, at least one.
    pub multipv: usize,
    /// What a draw costs the side to move, in centipawns: above zero it avoids draws, below zero it seeks them.
    pub contempt: i32,
    /// What the search does at all.
    pub steps: Steps,
    /// Whether to tell what becomes of the time as well.
    pub trace: bool,
    /// What is lost between the clock and us with every move.
    pub move_overhead: Duration,
    /// When the clock began to run.
    pub started: Instant,
}

impl Search {
    /// A search for the one best line, beginning now.
    pub fn new(game: Game, limits: Limits) -> Self {
        Self {
            game,
            limits,
            multipv: 1,
            contempt: 0,
            steps: Steps::default(),
            trace: false,
            move_overhead: Duration::ZERO,
            started: Instant::now(),
        }
    }
}

/// What a thread is told.
enum Order {
    Search(Arc<Job>, Role),
    Clear,
}

/// What a thread does in a search.
enum Role {
    /// Watches the limits, reports events, collects the helpers' reports and answers.
    Main(Receiver<Report>, Listener),
    /// Searches until it is stopped and reports.
    Helper(Sender<Report>),
}

/// What a thread found: its best line, `None` if there is no move or no iteration was completed.
struct Report {
    depth: i32,
    info: Option<SearchInfo>,
}

struct Thread {
    orders: Option<Sender<Order>>,
    handle: Option<JoinHandle<()>>,
}

/// The search threads. They keep what they learn from search to search until [`ThreadPool::clear`].
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

/// Any number will do that no two keys are likely to differ by.
const MATE_SALT: Key = Key(0x6d61_7465_2069_6e20);

/// The search recurses: at 128 plies with the lists of moves on the stack this is four times what it needs.
const STACK_SIZE: usize = 8 << 20;

impl ThreadPool {
    /// Starts so many threads (at least one), each with an evaluator of its own.
    ///
    /// # Errors
    /// [`PoolError`] when the system gives no more threads; those already started end.
    pub fn new<E: Evaluator + 'static>(threads: usize, evaluator: impl Fn() -> E) -> Result<Self, PoolError> {
        let mut pool = Self { threads: Vec::new(), jobs: Vec::new() };
        for number in 0..threads.max(1) {
            let (orders, inbox) = unbounded();
            let evaluator = evaluator();
            let handle = thread::Builder::new()
                .name(format!("search-{number}"))
                .stack_size(STACK_SIZE)
                .spawn(move || serve(number, evaluator, &inbox))
                .map_err(|source| PoolError { number: number + 1, source })?;
            pool.threads.push(Thread { orders: Some(orders), handle: Some(handle) });
        }
        Ok(pool)
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Starts a search and returns an iterator over its events.
    ///
    /// Searches queue: one that is still running ends first, so stop it unless it ends by itself.
    pub fn go(&mut self, search: Search, table: Arc<TranspositionTable>) -> SearchHandle {
        let (sender, events) = unbounded();
        // A send fails only when the handle has been dropped, and then there is no one to inform.
        let control = self.go_with(search, table, move |event| drop(sender.send(event)));
        SearchHandle::new(control, events)
    }

    /// Starts a search that passes each event to `listener`, for example to the sender of a channel.
    ///
    /// The last event is always [`SearchEvent::Finished`] or [`SearchEvent::Failed`], and comes exactly once. The listener
    /// runs on the search thread, so it must return quickly and must not wait for the pool. If it panics, the search thread
    /// ends and the listener is not called again.
    ///
    /// Searches queue: one that is still running ends first, so stop it unless it ends by itself.
    pub fn go_with(
        &mut self,
        search: Search,
        table: Arc<TranspositionTable>,
        listener: impl FnMut(SearchEvent) + Send + 'static,
    ) -> SearchControl {
        let Search { game, limits, multipv, contempt, steps, trace, move_overhead, started } = search;
        let root = game.position().clone();
        let mut moves = root.legal_moves().to_vec();
        let legal = moves.len();
        if limits.search_moves.iter().any(|mv| moves.contains(mv)) {
            moves.retain(|mv| limits.search_moves.contains(mv));
        }
        // A search for a mate must overlook nothing, and trust nothing that another kind of search has stored.
        let mut limits = limits;
        let (steps, salt) = match limits.mate {
            None => (steps, Key(0)),
            Some(moves) => {
                let plies = moves.saturating_mul(2).saturating_sub(1).max(1);
                limits.depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
                (Steps::FULL_WIDTH, MATE_SALT)
            }
        };
        table.age();
        let job = Arc::new(Job {
            keys: recent_keys(&game),
            plan: TimePlan::new(&limits, move_overhead, steps),
            control: Control::new(limits.ponder, started),
            nodes: self.threads.iter().map(|_| CachePadded::new(AtomicU64::new(0))).collect(),
            root,
            is_restricted: moves.len() < legal,
            moves,
            limits,
            multipv: multipv.max(1),
            contempt,
            steps,
            trace,
            table,
            salt,
        });
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

    /// Forgets what the threads learnt: a new game begins.
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
                // A thread that panicked has said so already.
                let _ = handle.join();
            }
        }
    }
}

/// The keys that a repetition can still reach, the root's last.
fn recent_keys(game: &Game) -> KeyHistory {
    game.keys().recent(game.position().halfmove_clock())
}

/// A thread's life: orders one after the other, until nobody can give any more.
fn serve<E: Evaluator>(id: usize, evaluator: E, orders: &Receiver<Order>) {
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
                        worker.answer(&reports);
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

    /// Ends the search: waits for a word from outside if the limits say so, for the other threads, and answers once.
    fn answer(&mut self, reports: &Receiver<Report>) {
        let job = self.job.clone();
        job.control.wait_until_released(job.limits.infinite);
        job.control.stop();
        // Each helper sends one report and drops its sender: the loop ends with the last of them.
        let helpers: Vec<Report> = reports.iter().collect();
        let own = self.report();
        let mut info = (!self.roots.is_empty()).then(|| self.info(0));
        let mut depth = own.depth;
        if job.multipv == 1
            && let Some(chosen) = vote(std::iter::once(own).chain(helpers), job.limits.depth.is_some())
        {
            (depth, info) = (chosen.depth, chosen.info);
        }
        let result = match info {
            None => {
                // No legal move: mated or stalemate, known without any search.
                let value = if job.root.in_check() { Value::mated_in(Ply::ZERO) } else { Value::DRAW };
                let info = SearchInfo {
                    depth: 0,
                    seldepth: 0,
                    multipv: 1,
                    value,
                    bound: Bound::Exact,
                    nodes: job.total_nodes(),
                    tablebase_hits: 0,
                    hashfull: job.table.hashfull(),
                    time: job.control.elapsed(),
                    pv: Vec::new(),
                };
                finish(info, 0)
            }
            Some(info) => {
                let depth = depth.max(0) as u32;
                // Nodes and time of the whole search, and the depth that the line belongs to.
                let nodes = job.total_nodes();
                finish(SearchInfo { nodes, time: job.control.elapsed(), depth: depth.max(1), ..info }, depth)
            }
        };
        let (info, result) = result;
        self.send(SearchEvent::Info(info));
        self.send(SearchEvent::Finished(result));
    }
}

/// Lazy SMP: every thread votes for its move, with the more weight the deeper it searched and the better it thinks of it;
/// of the threads that chose the winner the deepest speaks. A mate beats any vote, the shortest first (Stockfish). When a
/// depth was asked for, only those that came furthest vote.
fn vote(reports: impl Iterator<Item = Report>, by_depth: bool) -> Option<Report> {
    let mut reports: Vec<Report> = reports.filter(|report| report.info.is_some()).collect();
    if by_depth {
        let deepest = reports.iter().map(|report| report.depth).max()?;
        reports.retain(|report| report.depth == deepest);
    }
    let value = |report: &Report| report.info.as_ref().map_or(-Value::INFINITE, |info| info.value);
    let best_move = |report: &Report| report.info.as_ref().and_then(|info| info.pv.first().copied());
    let worst = reports.iter().map(value).min()?;
    let weight = |report: &Report| i64::from((value(report) - worst).0 + 20) * i64::from(report.depth);
    let votes = |wanted: &Report| -> i64 {
        reports.iter().filter(|report| best_move(report) == best_move(wanted)).map(weight).sum()
    };
    let rank = |report: &Report| {
        let mates = value(report).is_decisive() && value(report) > Value::ZERO;
        let decided = if mates { value(report).0 } else { 0 };
        (decided, votes(report), report.depth, value(report))
    };
    let chosen = (0..reports.len()).rev().max_by_key(|&index| rank(&reports[index]))?;
    reports.into_iter().nth(chosen)
}

fn finish(info: SearchInfo, depth: u32) -> (SearchInfo, SearchResult) {
    let result = SearchResult {
        best: info.pv.first().copied(),
        ponder: info.pv.get(1).copied(),
        value: info.value,
        depth,
        pv: info.pv.clone(),
        nodes: info.nodes,
        time: info.time,
    };
    (info, result)
}
