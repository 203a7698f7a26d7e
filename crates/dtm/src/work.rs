//! Splits work into chunks for several threads.

use crate::VerifyError;
use bartizan_parallel::{FeedOptions, StopFlag, run};
use std::ops::Range;

/// The number of indices that a thread takes at once: the unit of progress and of interruption.
const CHUNK: usize = 1 << 15;

/// How to do the work: the number of threads, progress and interruption.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    pub(crate) threads: usize,
    pub(crate) stop: &'a StopFlag,
}

/// The work was stopped before its end.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl From<Interrupted> for VerifyError {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

impl Work<'_> {
    /// Calls `body` with ranges that cover `0..size`, from several threads, and passes the results to `take` in the
    /// order of the ranges. `progress` receives the number of indices done.
    ///
    /// # Errors
    /// [`Interrupted`], or the first error of `take`.
    pub(crate) fn parallel<R: Send, E: From<Interrupted>>(
        self,
        size: usize,
        progress: impl Fn(usize),
        body: impl Fn(Range<usize>) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let chunks = (0..size).step_by(CHUNK).map(|start| start..size.min(start + CHUNK));
        let threads = self.threads.clamp(1, size.div_ceil(CHUNK).max(1));
        let work = |range: Range<usize>| (!self.stop.is_stopped()).then(|| (range.len(), body(range)));
        let mut done = 0;
        run(chunks, (0..threads).map(|_| &work), FeedOptions::kept(4 * threads), |(len, result)| {
            take(result)?;
            done += len;
            progress(done);
            Ok::<(), E>(())
        })?;
        if done == size { Ok(()) } else { Err(Interrupted.into()) }
    }
}
