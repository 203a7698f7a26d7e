//! Long work without the interpreter's lock, which Ctrl-C ends.

use bartizan_parallel::StopFlag;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often signals are looked for.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// The stack of a thread that searches, in bytes.
pub(crate) const STACK: usize = 8 << 20;

/// Does some work on another thread while other Python threads run. A signal, such as Ctrl-C, requests a stop, waits
/// for the work to end and raises its exception.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&StopFlag) -> T + Send) -> PyResult<T> {
    let stop = StopFlag::default();
    run_with(py, &stop, || work(&stop))
}

/// As [`run`], for work that knows its flag already.
pub(crate) fn run_with<T: Send>(py: Python<'_>, stop: &StopFlag, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, done) = channel::<()>();
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = work();
                drop(sender);
                result
            })?;
            let mut raised = None;
            // The channel closes at the end of the work, also by a panic.
            while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(POLL) {
                if raised.is_none()
                    && let Err(signal) = Python::attach(|py| py.check_signals())
                {
                    stop.stop();
                    raised = Some(signal);
                }
            }
            let result = worker.join().map_err(|panic| failure(&*panic));
            raised.map_or(result, Err)
        })
    })
}

/// Does some work while other Python threads run. A panic becomes an exception.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|panic| failure(&*panic))
}

/// The exception of a panic, which is a bug of this program.
pub(crate) fn failure(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    PyRuntimeError::new_err(format!("internal error: {}", text.unwrap_or("unknown")))
}
