//! Work shared by threads, in chunks.

use super::{GenerateError, Step, VerifyError};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The number of indices that a thread takes at once: the unit of progress and of interruption.
const CHUNK: usize = 1 << 15;

/// How work is done: by how many threads, until when, and who is told.
pub(super) struct Work<'a> {
    pub(super) threads: usize,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
    pub(super) report: &'a (dyn Fn(Step) + Sync),
}

/// The work was stopped before its end.
#[derive(Debug)]
pub(super) struct Interrupted;

impl From<Interrupted> for GenerateError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

impl From<Interrupted> for VerifyError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

impl Work<'_> {
    /// Calls `body` with ranges that cover `0..size`, from several threads. `step` is told how many indices are done.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub(super) fn parallel(
        &self,
        size: usize,
        step: impl Fn(usize) -> Step + Sync,
        body: impl Fn(Range<usize>) + Sync,
    ) -> Result<(), Interrupted> {
        // Relaxed: each chunk is handed out once; the end of the scope orders the rest.
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            while !(self.stop)() {
                let start = next.fetch_add(CHUNK, Relaxed);
                if start >= size {
                    break;
                }
                let end = size.min(start + CHUNK);
                body(start..end);
                (self.report)(step(done.fetch_add(end - start, Relaxed) + end - start));
            }
        };
        let threads = self.threads.clamp(1, size.div_ceil(CHUNK).max(1));
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        if done.into_inner() == size { Ok(()) } else { Err(Interrupted) }
    }
}
