//! Reads the records of several files in turn.

use super::{LoadError, LoadErrorKind, Record, Records};
use crate::selfplay::ReadError;
use bartizan_parallel::StopFlag;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Files to read, possibly compressed.
pub struct RecordFiles<'a> {
    /// The files, in reading order.
    pub files: &'a [PathBuf],
    /// Whether to skip invalid games and lines.
    pub skip_errors: bool,
    /// Whether self-play files may end within a game because they are still being written.
    pub partial: bool,
    /// Ends reading before the next record.
    pub stop: &'a StopFlag,
    /// Opens a file.
    pub open: &'a dyn Fn(&Path) -> io::Result<Box<dyn Read + Send>>,
}

impl RecordFiles<'_> {
    /// Passes each record to `take`, until that breaks, and each skipped error to `warn`. Returns the number of records
    /// skipped; `None` if stopped.
    ///
    /// If files may be partial, an incomplete record at the end of a self-play file is passed to `warn` and not
    /// counted.
    ///
    /// # Errors
    /// [`LoadError`] if a file cannot be read, or has an invalid record and errors are not skipped.
    pub fn each(
        &self,
        mut take: impl FnMut(&Record) -> ControlFlow<()>,
        mut warn: impl FnMut(&LoadError),
    ) -> Result<Option<usize>, LoadError> {
        let mut skipped = 0;
        for file in self.files {
            let records = match self.records(file) {
                // Opening and reading fail after an interruption.
                _ if self.stop.is_stopped() => return Ok(None),
                records => records?,
            };
            for record in records {
                if self.stop.is_stopped() {
                    return Ok(None);
                }
                match record {
                    Ok(record) => {
                        if take(&record).is_break() {
                            return Ok(Some(skipped));
                        }
                    }
                    Err(error)
                        if self.partial
                            && matches!(error.kind, LoadErrorKind::Selfplay(ReadError::Incomplete { .. })) =>
                    {
                        warn(&error);
                    }
                    Err(error) if self.skip_errors && !error.kind.is_fatal() => {
                        skipped += 1;
                        warn(&error);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(Some(skipped))
    }

    fn records(&self, file: &Path) -> Result<Records, LoadError> {
        let error = |kind| LoadError { file: file.to_owned(), kind };
        let input = (self.open)(file).and_then(bartizan_files::decompress).map_err(|cause| error(cause.into()))?;
        // For 'games.pgn.gz', the name also tells the format of the content.
        let name = match bartizan_files::Compression::of_name(file) {
            Some(_) => Path::new(file.file_stem().unwrap_or_default()),
            None => file,
        };
        let mut records = Records::detect(name, BufReader::with_capacity(1 << 16, input)).map_err(error)?;
        file.clone_into(&mut records.file);
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"8/8/8/8/8/8/8/K1k5 w - - c9 \"1-0\";\nnothing\n8/8/8/8/8/8/8/K1k5 b - - c9 \"0-1\";\n";

    fn read(skip_errors: bool, most: usize, stop: &StopFlag) -> (Result<Option<usize>, LoadError>, usize, usize) {
        let files = ["a.epd", "b.epd"].map(PathBuf::from);
        let reading = RecordFiles { files: &files, skip_errors, partial: true, stop, open: &|_| Ok(Box::new(TEXT)) };
        let (mut taken, mut warnings) = (0, 0);
        let take = |_: &Record| {
            taken += 1;
            if taken < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let result = reading.each(take, |_| warnings += 1);
        (result, taken, warnings)
    }

    #[test]
    fn invalid_records_are_skipped_on_request() {
        let stop = StopFlag::new();
        assert!(matches!(read(true, 9, &stop), (Ok(Some(2)), 4, 2)));
        assert!(matches!(read(true, 3, &stop), (Ok(Some(1)), 3, 1)));
        let (result, taken, _) = read(false, 9, &stop);
        assert!(result.is_err_and(|error| error.to_string().starts_with("a.epd: line 2: ")));
        assert_eq!(taken, 1);
    }

    #[test]
    fn reading_is_stopped() {
        let stop = StopFlag::new();
        stop.stop();
        assert!(matches!(read(true, 9, &stop), (Ok(None), 0, 0)));
    }
}
