//! Reads files of games with a progress display.

use crate::files::cannot_read;
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::progress;
use bartizan_games::records::{LoadError, LoadErrorKind, Record, RecordFiles};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Number of errors that are printed; further ones are only counted.
const SHOWN: usize = 10;

/// Files to read, and how.
pub(crate) struct Reading<'a> {
    pub(crate) files: &'a [PathBuf],
    /// Whether broken games and lines are skipped.
    pub(crate) skip_errors: bool,
    /// Whether the progress display is hidden.
    pub(crate) quiet: bool,
    pub(crate) interrupt: &'a Interrupt,
}

impl Reading<'_> {
    /// Passes every record to `take`, which returns the number of positions it has taken so far, or breaks when it has
    /// enough. Returns the number of records skipped; `None` if interrupted.
    pub(crate) fn each(
        &self,
        mut take: impl FnMut(&Record) -> ControlFlow<(), usize>,
    ) -> anyhow::Result<Option<usize>> {
        let bar = progress::bar(None, "{spinner} {msg}  {elapsed} elapsed", self.quiet)?;
        let reading = RecordFiles {
            files: self.files,
            skip_errors: self.skip_errors,
            stop: &self.interrupt.flag().into(),
            open: &|file: &Path| input::open(file, self.interrupt),
        };
        let (mut records, mut warnings) = (0, 0);
        let take = |record: &Record| {
            let taken = match take(record) {
                ControlFlow::Continue(taken) => taken,
                ControlFlow::Break(()) => return ControlFlow::Break(()),
            };
            records += 1;
            if records % 500 == 0 {
                bar.set_message(format!("{records} records read, {taken} positions taken"));
                bar.tick();
            }
            ControlFlow::Continue(())
        };
        let warn = |error: &LoadError| {
            warnings += 1;
            if warnings <= SHOWN {
                note!("warning: {error}, skipped");
            }
        };
        let skipped = reading.each(take, warn).map_err(explained)?;
        if skipped.is_some() {
            bar.finish_and_clear();
        }
        Ok(skipped)
    }
}

/// The error for a user.
fn explained(error: LoadError) -> anyhow::Error {
    match error {
        LoadError { file, kind: LoadErrorKind::Io(source) } => anyhow::Error::new(source).context(cannot_read(&file)),
        // What hides the rest of a file cannot be skipped.
        error if error.kind.is_fatal() => error.into(),
        error => anyhow::Error::from(error).context("broken data (--skip-errors skips it)"),
    }
}
