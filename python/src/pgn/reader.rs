//! Reading games one after the other.

use super::Game;
use crate::errors::pgn_error;
use crate::interrupt::detached;
use crate::source::Source;
use bartizan_notation::pgn::{GameTree, PgnError, PgnErrorKind, Strictness, TreeReader};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// What to do with a game that cannot be read to its end.
#[derive(Clone, Copy, PartialEq)]
enum OnError {
    Keep,
    Raise,
    Skip,
}

/// The games of a source, one after the other.
#[pyclass(name = "PgnIterator", module = "bartizan.pgn", frozen)]
pub(crate) struct PgnIterator {
    reader: Mutex<TreeReader<Source>>,
    /// The thread that reads at the moment: the `read` of its source must not come back here.
    thread: Mutex<Option<ThreadId>>,
    on_error: OnError,
}

/// A game, and why it could not be read to its end.
type Read = (GameTree, Option<PgnError>);

impl PgnIterator {
    /// The next game; `None` at the end.
    fn read(&self) -> Option<Read> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        *self.thread() = Some(thread::current().id());
        let read = self.read_with(&mut reader);
        *self.thread() = None;
        read
    }

    fn thread(&self) -> MutexGuard<'_, Option<ThreadId>> {
        self.thread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_with(&self, reader: &mut TreeReader<Source>) -> Option<Read> {
        loop {
            let mut tree = GameTree::default();
            let error = reader.read_next(&mut tree)?.err();
            let is_input = matches!(&error, Some(PgnError { kind: PgnErrorKind::Io(_), .. }));
            if error.is_none() || is_input || self.on_error != OnError::Skip {
                return Some((tree, error));
            }
        }
    }
}

fn reentrant() -> PyErr {
    PyRuntimeError::new_err("the source reads from the iterator that reads it")
}

#[pymethods]
impl PgnIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Game>>> {
        if *self.thread() == Some(thread::current().id()) {
            return Err(reentrant());
        }
        let Some((tree, error)) = detached(py, || self.read())? else { return Ok(None) };
        match error {
            Some(error) if matches!(error.kind, PgnErrorKind::Io(_)) || self.on_error == OnError::Raise => {
                Err(pgn_error(error))
            }
            error => Game::object(py, tree, error).map(Some),
        }
    }

    /// The number of games read so far.
    #[getter]
    fn games(&self, py: Python<'_>) -> PyResult<usize> {
        if *self.thread() == Some(thread::current().id()) {
            return Err(reentrant());
        }
        detached(py, || self.reader.lock().unwrap_or_else(PoisonError::into_inner).games())
    }
}

/// Reads the games of a PGN file one after the other.
///
/// The source is a path, which may be compressed (gzip, bzip2, zstd), bytes, or an open file in text or binary mode.
///
/// Most faults cost nothing but a line, and are listed in `game.problems`. A game that cannot be read at all, such as
/// one of another variant, is kept with its tags and its `error`; `on_error` may be `"raise"` or `"skip"` instead.
/// With `strict`, every fault is such an error.
///
/// >>> from bartizan import read_pgn
/// >>> for game in read_pgn(b"1. e4 e5 2. Ke3 * 1. d4 d5 1/2-1/2"):
/// ...     print(len(game.mainline_moves()), game.result, *game.problems)
/// 2 * line 1, column 13: no legal move matches 'Ke3'; the rest of the line is kept as a comment
/// 2 1/2-1/2
#[pyfunction]
#[pyo3(signature = (source, *, strict = false, on_error = "keep"))]
pub(crate) fn read_pgn(source: &Bound<'_, PyAny>, strict: bool, on_error: &str) -> PyResult<PgnIterator> {
    let on_error = match on_error {
        "keep" => OnError::Keep,
        "raise" => OnError::Raise,
        "skip" => OnError::Skip,
        _ => return Err(PyValueError::new_err("on_error is 'keep', 'raise' or 'skip'")),
    };
    let strictness = if strict { Strictness::Strict } else { Strictness::Lenient };
    let reader = TreeReader::new(Source::open(source)?).strictness(strictness);
    Ok(PgnIterator { reader: Mutex::new(reader), thread: Mutex::new(None), on_error })
}
