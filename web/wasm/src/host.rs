//! What the module asks of the program around it: the time, a pause, and an ear for what it says.

use bartizan_engine::Stopwatch;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The program around the module.
    pub type Host;

    /// Milliseconds since any moment, with fractions.
    #[wasm_bindgen(method)]
    fn now(this: &Host) -> f64;

    /// Lets the events of the program happen, if the module can be suspended, and returns whether to stop: not 0.
    #[wasm_bindgen(method)]
    fn pause(this: &Host) -> i32;

    /// Takes a line of the engine.
    #[wasm_bindgen(method)]
    fn line(this: &Host, text: &str);

    /// Takes the progress of a review: steps that are done, and their number.
    #[wasm_bindgen(method)]
    fn progress(this: &Host, stage: &str, done: u32, total: u32);
}

/// A search hands over this often, in milliseconds. With the time until the next check, 1,024 nodes, a stop is heard
/// after 7 ms.
const PAUSE_EVERY: f64 = 5.0;

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
    static LAST_PAUSE: Cell<f64> = const { Cell::new(0.0) };
}

/// Whether the running task is to stop. It lies outside the session, which is in use while it searches.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends the running task. It may be called while the module is suspended.
#[wasm_bindgen]
pub fn stop() {
    IS_STOPPED.store(true, Relaxed);
}

/// Begins a task, which nothing has stopped yet.
pub(crate) fn begin() {
    IS_STOPPED.store(false, Relaxed);
    LAST_PAUSE.set(now());
}

pub(crate) fn set(host: Host) {
    HOST.set(Some(host));
}

fn with<T>(use_host: impl FnOnce(&Host) -> T) -> Option<T> {
    HOST.with_borrow(|host| host.as_ref().map(use_host))
}

/// Milliseconds since any moment.
pub(crate) fn now() -> f64 {
    with(Host::now).unwrap_or_default()
}

/// Writes a line.
pub(crate) fn line(text: &str) {
    with(|host| host.line(text));
}

/// Reports the progress of a review.
pub(crate) fn progress(stage: &str, done: usize, total: usize) {
    with(|host| host.progress(stage, done as u32, total as u32));
}

/// Whether the task was stopped, after a pause if one is due.
pub(crate) fn is_stopped() -> bool {
    let time = now();
    if time - LAST_PAUSE.get() >= PAUSE_EVERY {
        if with(Host::pause).is_some_and(|stops| stops != 0) {
            stop();
        }
        LAST_PAUSE.set(now());
    }
    was_stopped()
}

/// Whether the task was stopped, without a pause.
pub(crate) fn was_stopped() -> bool {
    IS_STOPPED.load(Relaxed)
}

/// Starts now.
pub(crate) fn stopwatch() -> Stopwatch {
    let start = now();
    Stopwatch::of(move || Duration::from_secs_f64((now() - start).max(0.0) / 1000.0))
}
