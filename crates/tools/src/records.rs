//! Reads files of games with a progress display.

use crate::files::cannot_read;
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::progress;
use bartizan_data::ReadError;
use bartizan_tuner::games::{Format, LoadError, LoadErrorKind, Record, Records};
use std::io::BufReader;
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
    ///
    /// An incomplete record at the end of a file is skipped with a warning, because the file may still be written to.
    pub(crate) fn each(
        &self,
        mut take: impl FnMut(&Record) -> ControlFlow<(), usize>,
    ) -> anyhow::Result<Option<usize>> {
        let bar = progress::bar(None, "{spinner} {msg}  {elapsed} elapsed", self.quiet)?;
        let (mut skipped, mut records) = (0, 0);
        'files: for file in self.files {
            let opened = open(file, self.interrupt);
            if self.interrupt.is_set() {
                return Ok(None);
            }
            for record in opened.map_err(explained)? {
                // Reading fails after an interruption.
                if record.is_err() && self.interrupt.is_set() {
                    return Ok(None);
                }
                let mut taken = None;
                match record {
                    Ok(record) => match take(&record) {
                        ControlFlow::Break(()) => break 'files,
                        ControlFlow::Continue(positions) => taken = Some(positions),
                    },
                    Err(error) if matches!(error.kind, LoadErrorKind::Selfplay(ReadError::Incomplete { .. })) => {
                        note!("warning: {error}, skipped");
                    }
                    Err(error) if self.skip_errors && !error.kind.is_fatal() => {
                        skipped += 1;
                        if skipped <= SHOWN {
                            note!("warning: {error}, skipped");
                        }
                    }
                    Err(error) => {
                        // What hides the rest of a file cannot be skipped.
                        let is_fatal = error.kind.is_fatal();
                        let error = explained(error);
                        let skips = "broken data (--skip-errors skips it)";
                        return Err(if is_fatal { error } else { error.context(skips) });
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

/// The error for a user.
fn explained(error: LoadError) -> anyhow::Error {
    match error {
        LoadError { file, kind: LoadErrorKind::Io(source) } => anyhow::Error::new(source).context(cannot_read(&file)),
        error => error.into(),
    }
}

/// Opens a file of games or positions, which may be compressed.
fn open(file: &Path, interrupt: &Interrupt) -> Result<Records, LoadError> {
    let failed = |kind| LoadError { file: file.to_owned(), kind };
    let input =
        input::open(file, interrupt).and_then(bartizan_files::decompress).map_err(|error| failed(error.into()))?;
    let input = BufReader::with_capacity(1 << 16, input);
    let is_packed = bartizan_files::Compression::of_name(file).is_some();
    let is_pgn =
        Path::new(file.file_stem().unwrap_or_default()).extension().is_some_and(|extension| extension == "pgn");
    // Only the name of 'games.pgn.gz' tells what its content is named.
    let records =
        if is_packed && is_pgn { Records::of(file, input, Format::Pgn) } else { Records::detect(file, input) };
    records.map_err(failed)
}
