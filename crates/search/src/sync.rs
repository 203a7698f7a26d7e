//! The locks and atomics of the files that loom models check: `tests/loom` includes those files with loom's.

pub(crate) use parking_lot::{Condvar, Mutex};
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64};
