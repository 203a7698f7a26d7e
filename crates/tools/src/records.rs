//! Reads game files with a progress display.

use crate::files::cannot_read;
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::progress;
use bartizan_games::records::{LoadError, LoadErrorKind, Record, RecordFiles};
use bartizan_games::selfplay::ReadError;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Number of errors that are reported; further ones are only counted.
const SHOWN: usize = 10;

/// What to do about a file that ends within a game.
pub(crate) const CUT_OFF: &str = "a file is cut off (--partial reads one that is still being written)";

/// Files to read, and how.
pub(crate) struct Reading<'a> {
    pub(crate) files: &'a [PathBuf],
    /// Whether broken games and lines are skipped.
    pub(crate) skip_errors: bool,
    /// Whether self-play files may end within a game.
    pub(crate) partial: bool,
    /// Whether the progress display is hidden.
    pub(crate) quiet: bool,
    pub(crate) interrupt: &'a Interrupt,
}

impl Reading<'_> {
    /// Lets `read` read the files. It calls the first function with the number of positions taken so far, after each
    /// record, and the second with each skipped error. `None` if interrupted.
    pub(crate) fn with<T>(
        &self,
        read: impl FnOnce(
            &RecordFiles<'_>,
            &mut dyn FnMut(usize),
            &mut dyn FnMut(&LoadError),
        ) -> Result<Option<T>, LoadError>,
    ) -> anyhow::Result<Option<T>> {
        let bar = progress::bar(None, "{spinner} {msg}  {elapsed} elapsed", self.quiet)?;
        let files = RecordFiles {
            files: self.files,
            skip_errors: self.skip_errors,
            partial: self.partial,
            stop: &self.interrupt.stop(),
            open: &|file: &Path| input::open(file, self.interrupt),
        };
        let (mut records, mut warnings) = (0, 0);
        let mut progress = |taken: usize| {
            records += 1;
            if records % 500 == 0 {
                bar.set_message(format!("{records} records read, {taken} positions taken"));
                bar.tick();
            }
        };
        let mut warn = |error: &LoadError| {
            warnings += 1;
            if warnings <= SHOWN {
                note!("warning: {error}, skipped");
            }
        };
        let found = read(&files, &mut progress, &mut warn).map_err(explained)?;
        if found.is_some() {
            bar.finish_and_clear();
        }
        Ok(found)
    }

    /// Passes every record to `take`, which returns the number of positions taken so far, or breaks when it has enough.
    /// Returns the number of records skipped; `None` if interrupted.
    pub(crate) fn each(
        &self,
        mut take: impl FnMut(&Record) -> ControlFlow<(), usize>,
    ) -> anyhow::Result<Option<usize>> {
        self.with(|files, progress, warn| files.each(|record| take(record).map_continue(&mut *progress), warn))
    }
}

/// The error for a user.
fn explained(error: LoadError) -> anyhow::Error {
    match error {
        LoadError { file, kind: LoadErrorKind::Io(source) } => anyhow::Error::new(source).context(cannot_read(&file)),
        LoadError { kind: LoadErrorKind::Selfplay(ReadError::Incomplete { .. }), .. } => {
            anyhow::Error::from(error).context(CUT_OFF)
        }
        // An error that hides the rest of a file cannot be skipped.
        error if error.kind.is_fatal() => error.into(),
        error => anyhow::Error::from(error).context("broken data (--skip-errors skips it)"),
    }
}
