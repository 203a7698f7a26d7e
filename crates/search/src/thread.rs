//! A search thread: the loop that waits for searches and runs them.

use crate::conclude::conclude;
use crate::dispatch::{Dispatch, Task, ThreadProgress};
use crate::error::PoolError;
use crate::job::Job;
use crate::listener::Listener;
use crate::main_thread::{Caller, run_main_thread};
use crate::thread_memory::{LEFT_MIB, THREAD_MIB, has_addresses};
use crate::worker::{Worker, WorkerState};
use bartizan_eval::Evaluator;
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What all threads of a pool share.
pub(crate) struct ThreadContext<F> {
    pub(crate) dispatch: Arc<Dispatch<Arc<Job>, Listener>>,
    /// Creates the evaluator of a thread.
    pub(crate) evaluator: F,
    /// Held while a thread allocates, so that no other thread takes the memory that it has found available.
    pub(crate) allocation: Mutex<()>,
}

impl<E: Evaluator, F: Fn() -> E> ThreadContext<F> {
    /// Thread loop; ends when the pool is dropped, or at once if there is no memory.
    pub(crate) fn run(&self, index: usize, started: Sender<(usize, Result<(), PoolError>)>) {
        let mut state = match self.state(index) {
            Ok(state) => Some(state),
            Err(error) => return drop(started.send((index, Err(error)))),
        };
        let _ = started.send((index, Ok(())));
        drop(started);
        let mut done = ThreadProgress::default();
        loop {
            let task = if index == 0 {
                self.dispatch.next_for_main(&mut done)
            } else {
                self.dispatch.next_for_helper(&mut done)
            };
            match task {
                None => return,
                Some(Task::Clear) => {
                    if let Some(state) = &mut state {
                        state.clear();
                    }
                }
                // After a panic the thread begins with a new state.
                Some(Task::Run(job, listener)) => {
                    state = self.lead(state.take().or_else(|| self.state(index).ok()), job, listener);
                    self.dispatch.finish_main();
                }
                Some(Task::Join(job)) => {
                    state = state.take().or_else(|| self.state(index).ok()).and_then(|state| assist(index, state, job));
                    self.dispatch.finish_helper();
                }
            }
        }
    }

    /// Allocates the state that a thread keeps between searches.
    fn state(&self, index: usize) -> Result<WorkerState<E>, PoolError> {
        let number = index + 1;
        let left = if index == 0 { 1 } else { LEFT_MIB };
        let mut state = {
            let _turn = self.allocation.lock();
            // If an ordinary allocation failed, it would abort the program.
            if !has_addresses(THREAD_MIB + left) {
                return Err(PoolError::Memory { number });
            }
            catch(|| WorkerState::new((self.evaluator)())).ok_or(PoolError::Evaluator { number })?
        };
        // The system provides each page when it is first written to: better now than during a search.
        state.clear();
        Ok(state)
    }

    /// Runs a search on the main thread. Returns the state unless the search panicked.
    fn lead(&self, state: Option<WorkerState<E>>, job: Arc<Job>, mut listener: Listener) -> Option<WorkerState<E>> {
        let state = state.and_then(|state| {
            let call_helpers = || {
                if job.is_shared() {
                    self.dispatch.offer();
                }
            };
            let caller = Caller { on_event: Some(&mut |event| listener.send(event)), is_stopped: &|| false };
            catch(|| run_main_thread(state, &job, caller, &call_helpers))
        });
        // After a panic the search still ends with its results so far; dropping the listener reports a failure.
        let conclude = move || {
            let time = job.control.wait_until_released(&job.limits, job.least_time);
            conclude(&job, time, &mut |event| listener.send(event));
        };
        catch(conclude).and(state)
    }
}

/// Calls `work`; `None` if it panics. The panic hook has then reported the panic, and the caller discards everything
/// that `work` has changed.
fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Takes part in a search as a helper. Returns the state unless the search panicked.
fn assist<E: Evaluator>(index: usize, state: WorkerState<E>, job: Arc<Job>) -> Option<WorkerState<E>> {
    catch(|| {
        let mut worker = Worker::new(index, state, job, None);
        worker.iterate(&|| {});
        worker.into_state()
    })
}
