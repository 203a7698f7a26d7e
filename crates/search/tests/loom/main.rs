//! Model checks: the code of the search with the locks and atomics of the loom crate, which runs it through every
//! interleaving of the threads. A model in which a thread waits for ever fails.
#![cfg(all(target_pointer_width = "64", not(miri)))]
// Parts of the included files are unused here. In a test a panic is the report.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

#[path = "../../src/control.rs"]
mod control;
#[path = "../../src/dispatch.rs"]
mod dispatch;
mod dispatching;
mod signals;
mod sync;
mod table;

// As in the crate, for the included files.
use bartizan_search::{Limits, Stopwatch};
