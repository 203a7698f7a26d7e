//! Which thread works on which search. `tests/loom` runs this file through every interleaving.
//!
//! Searches wait in a queue for the main thread. It offers its search to the helpers once there is a first result, and
//! withdraws it when it has the final one. Nothing waits for the helpers: one that was not scheduled meanwhile never
//! sees the search. [`Dispatch::settle`] waits for those that have not left yet.

use crate::sync::{Condvar, Mutex};
use std::collections::VecDeque;

/// A search, shared by the threads that work on it.
pub(crate) trait Shared: Clone {
    /// Whether it has ended or is about to end.
    fn is_stopped(&self) -> bool;
}

/// What a thread does next.
#[derive(Debug)]
pub(crate) enum Task<J, L> {
    /// The main thread: run a search and report to its listener.
    Run(J, L),
    /// A helper: join a search.
    Join(J),
    /// Clear histories and caches.
    Clear,
}

/// Distributes searches to one main thread and any number of helpers.
#[derive(Debug)]
pub(crate) struct Dispatch<J, L> {
    state: Mutex<State<J, L>>,
    /// For the main thread: there is something to do.
    for_main: Condvar,
    /// For the helpers: there is something to do.
    for_helpers: Condvar,
    /// For [`Dispatch::settle`]: a thread has finished its task.
    finished: Condvar,
}

#[derive(Debug)]
struct State<J, L> {
    /// The searches that have not begun, each with the value of `clears` when it was queued.
    queue: VecDeque<(J, L, u64)>,
    /// The search of the main thread.
    running: Option<J>,
    /// The search that helpers may join.
    offered: Option<J>,
    /// The number of searches offered so far.
    offers: u64,
    /// The number of requests to clear.
    clears: u64,
    /// The number of threads that work on a search.
    busy: usize,
    /// Whether the threads are to end.
    is_closed: bool,
}

/// The progress of one thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadProgress {
    offers: u64,
    clears: u64,
}

impl<J: Shared, L> Dispatch<J, L> {
    pub(crate) fn new() -> Self {
        let state = State {
            queue: VecDeque::new(),
            running: None,
            offered: None,
            offers: 0,
            clears: 0,
            busy: 0,
            is_closed: false,
        };
        Self {
            state: Mutex::new(state),
            for_main: Condvar::new(),
            for_helpers: Condvar::new(),
            finished: Condvar::new(),
        }
    }

    /// Queues a search.
    pub(crate) fn push(&self, job: J, listener: L) {
        let mut state = self.state.lock();
        let clears = state.clears;
        state.queue.push_back((job, listener, clears));
        self.for_main.notify_one();
    }

    /// Makes all threads clear their histories and caches before any search that is queued from now on.
    pub(crate) fn clear(&self) {
        self.state.lock().clears += 1;
        self.for_main.notify_one();
        self.for_helpers.notify_all();
    }

    /// Makes the threads end; the main thread first completes the searches in the queue.
    pub(crate) fn close(&self) {
        self.state.lock().is_closed = true;
        self.for_main.notify_one();
        self.for_helpers.notify_all();
    }

    /// Waits until no thread holds a search that has ended. Returns at once if a search that was not stopped is running
    /// or queued, because it may never end.
    pub(crate) fn settle(&self) {
        let mut state = self.state.lock();
        while state.busy > 0 || !state.queue.is_empty() {
            let mut searches = state.running.iter().chain(state.queue.iter().map(|(job, ..)| job));
            if searches.any(|job| !job.is_stopped()) {
                return;
            }
            self.finished.wait(&mut state);
        }
    }

    /// Waits for the next task of the main thread; `None` if the thread is to end.
    pub(crate) fn next_for_main(&self, done: &mut ThreadProgress) -> Option<Task<J, L>> {
        let mut state = self.state.lock();
        loop {
            // A search that was queued before the request to clear still runs first.
            let due = state.queue.front().map_or(state.clears, |&(.., clears)| clears);
            if done.clears < due {
                done.clears = due;
                return Some(Task::Clear);
            }
            if let Some((job, listener, _)) = state.queue.pop_front() {
                state.running = Some(job.clone());
                state.busy += 1;
                return Some(Task::Run(job, listener));
            }
            if state.is_closed {
                return None;
            }
            self.for_main.wait(&mut state);
        }
    }

    /// Offers the search of the main thread to the helpers.
    pub(crate) fn offer(&self) {
        let mut state = self.state.lock();
        state.offered = state.running.clone();
        state.offers += 1;
        self.for_helpers.notify_all();
    }

    /// The main thread has finished its search and has released it.
    pub(crate) fn finish_main(&self) {
        let mut state = self.state.lock();
        let held = (state.running.take(), state.offered.take());
        // Dropping a search takes time and may need locks.
        drop(state);
        drop(held);
        self.finish_helper();
    }

    /// Waits for the next task of a helper; `None` if the thread is to end.
    pub(crate) fn next_for_helper(&self, done: &mut ThreadProgress) -> Option<Task<J, L>> {
        let mut state = self.state.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if done.clears < state.clears {
                done.clears = state.clears;
                return Some(Task::Clear);
            }
            if done.offers < state.offers {
                done.offers = state.offers;
                if let Some(job) = state.offered.as_ref().filter(|job| !job.is_stopped()) {
                    let job = job.clone();
                    state.busy += 1;
                    return Some(Task::Join(job));
                }
            }
            self.for_helpers.wait(&mut state);
        }
    }

    /// A helper has finished its part of a search and has released it.
    pub(crate) fn finish_helper(&self) {
        self.state.lock().busy -= 1;
        self.finished.notify_all();
    }
}
