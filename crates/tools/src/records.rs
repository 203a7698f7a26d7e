//! Reading files of games, one record after the other, with what a user sees of it.

use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_data::ReadError;
use bartizan_tuner::games::{LoadErrorKind, Record, Records};
use indicatif::{ProgressBar, ProgressStyle};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Errors beyond are counted only.
const SHOWN: usize = 10;

/// Which files, and how.
pub(crate) struct Reading<'a> {
    pub(crate) files: &'a [PathBuf],
    /// Whether broken games and lines are passed over.
    pub(crate) skip_errors: bool,
    /// Whether nothing is shown meanwhile.
    pub(crate) quiet: bool,
    pub(crate) interrupt: &'a Interrupt,
}

impl Reading<'_> {
    /// Gives every record to `take`, until that has enough; it says how many positions it has. How many records were passed
    /// over; `None` if interrupted.
    ///
    /// A last record that is unfinished is left out and said: the file may still be written to.
    pub(crate) fn each(
        &self,
        mut take: impl FnMut(&Record) -> ControlFlow<(), usize>,
    ) -> anyhow::Result<Option<usize>> {
        let bar = if self.quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}  {elapsed} elapsed").context("progress style")?);
        let (mut skipped, mut records) = (0, 0);
        'files: for file in self.files {
            for record in Records::open(file, None)? {
                let mut taken = None;
                match record {
                    Ok(record) => match take(&record) {
                        ControlFlow::Break(()) => break 'files,
                        ControlFlow::Continue(positions) => taken = Some(positions),
                    },
                    Err(error) if matches!(error.kind, LoadErrorKind::Selfplay(ReadError::Incomplete { .. })) => {
                        eprintln!("{error}, left out");
                    }
                    Err(error) if self.skip_errors && !matches!(error.kind, LoadErrorKind::Io(_)) => {
                        skipped += 1;
                        if skipped <= SHOWN {
                            eprintln!("{error}, passed over");
                        }
                    }
                    Err(error) => {
                        return Err(anyhow::Error::new(error).context("broken data (--skip-errors passes over it)"));
                    }
                }
                records += 1;
                if records % 500 == 0 {
                    if let Some(taken) = taken {
                        bar.set_message(format!("{records} records read, {taken} positions taken"));
                    }
                    bar.tick();
                    if self.interrupt.is_set() {
                        return Ok(None);
                    }
                }
            }
        }
        bar.finish_and_clear();
        Ok(Some(skipped))
    }
}
