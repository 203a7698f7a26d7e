//! The log of everything that engines and runner say to each other, on request.

use anyhow::Context;
use bartizan_client::Log;
use parking_lot::Mutex;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The log, or none.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic(Option<Arc<Mutex<LogFile>>>);

/// The file, and when it was begun.
type LogFile = (BufWriter<File>, Instant);

impl Traffic {
    /// Begins a log.
    pub(super) fn to(path: &Path) -> anyhow::Result<Self> {
        let file = File::options().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write the log {}", path.display()))?;
        Ok(Self(Some(Arc::new(Mutex::new((BufWriter::new(file), Instant::now()))))))
    }

    /// The log of one engine.
    pub(super) fn log_of(&self, slot: usize, engine: &str) -> Option<Log> {
        let log = self.0.clone()?;
        let engine = engine.to_owned();
        Some(Log::new(move |direction, line| {
            let mut log = log.lock();
            let time = log.1.elapsed().as_secs_f64();
            // A log that cannot be written must not end a match.
            let _ = writeln!(log.0, "{time:10.3} {slot} {engine} {direction} {line}").and_then(|()| log.0.flush());
        }))
    }
}
