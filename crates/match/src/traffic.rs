//! An optional log of all lines between the engines and the referee.

use crate::MatchError;
use bartizan_client::Log;
use parking_lot::Mutex;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The log, if there is one. Clones write to the same file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic(Option<Arc<Mutex<LogFile>>>);

/// The file and the time at which it was opened.
type LogFile = (BufWriter<File>, Instant);

impl Traffic {
    /// Appends to a file.
    pub(crate) fn to(path: &Path) -> Result<Self, MatchError> {
        let file = File::options().create(true).append(true).open(path);
        let file = file.map_err(|source| MatchError::Write { path: path.to_owned(), source })?;
        Ok(Self(Some(Arc::new(Mutex::new((BufWriter::new(file), Instant::now()))))))
    }

    /// The log of one engine.
    pub(crate) fn log_of(&self, slot: usize, engine: &str) -> Option<Log> {
        let log = self.0.clone()?;
        let engine = engine.to_owned();
        Some(Log::new(move |direction, line| {
            let mut log = log.lock();
            let time = log.1.elapsed().as_secs_f64();
            // A log that cannot be written does not end the match.
            let _ = writeln!(log.0, "{time:10.3} {slot} {engine} {direction} {line}").and_then(|()| log.0.flush());
        }))
    }
}
