//! An optional log of all lines between the engines and the referee.

use crate::MatchError;
use bartizan_client::Log;
use parking_lot::Mutex;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The log, if there is one. Clones write to the same file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic(Option<Arc<Mutex<LogFile>>>);

#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    file: File,
    opened: Instant,
    state: State,
}

/// Whether the file has all lines.
#[derive(Debug)]
enum State {
    Whole,
    Failed(io::Error),
    Reported,
}

/// Whether a file is empty or begins like a log, with a time and a slot number.
fn begins_like_log(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut words = text.split_whitespace();
    let mut is = |is: fn(&str) -> bool| words.next().is_some_and(is);
    start.is_empty() || is(|time| time.parse::<f64>().is_ok()) && is(|slot| slot.parse::<usize>().is_ok())
}

impl Traffic {
    /// Appends to a file, which must be empty or a log. `others` are the other files of the match, each with its
    /// purpose.
    pub(crate) fn to<'a>(
        path: &Path,
        others: impl IntoIterator<Item = (&'static str, &'a Path)>,
    ) -> Result<Self, MatchError> {
        let file = others
            .into_iter()
            .find(|(_, other)| bartizan_files::is_same_target(path, other))
            .map_or(Ok(()), |(what, _)| Err(io::Error::new(ErrorKind::InvalidInput, format!("it is also the {what}"))))
            .and_then(|()| bartizan_files::check_kind(path, "a log of a match", begins_like_log))
            .and_then(|()| File::options().create(true).append(true).open(path));
        let file = file.map_err(|source| MatchError::Write { path: path.to_owned(), source })?;
        let log = LogFile { path: path.to_owned(), file, opened: Instant::now(), state: State::Whole };
        Ok(Self(Some(Arc::new(Mutex::new(log)))))
    }

    /// The log of one engine.
    pub(crate) fn log_of(&self, slot: usize, engine: &str) -> Option<Log> {
        let log = self.0.clone()?;
        let engine = engine.to_owned();
        Some(Log::new(move |direction, line| {
            let mut log = log.lock();
            let time = log.opened.elapsed().as_secs_f64();
            let record = format!("{time:10.3} {slot} {engine} {direction} {line}\n");
            // An unwritable log does not end the match. Only whole lines are written.
            if let Err(error) = bartizan_files::append(&mut log.file, record.as_bytes())
                && matches!(log.state, State::Whole)
            {
                log.state = State::Failed(error);
            }
        }))
    }

    /// Why the log is missing lines; returned only once.
    pub(crate) fn take_error(&self) -> Option<(PathBuf, io::Error)> {
        let mut log = self.0.as_ref()?.lock();
        if !matches!(log.state, State::Failed(_)) {
            return None;
        }
        match std::mem::replace(&mut log.state, State::Reported) {
            State::Failed(error) => Some((log.path.clone(), error)),
            State::Whole | State::Reported => None,
        }
    }
}
