//! Reading one game at a time from an open file, which stays behind that game.

use super::{Game, Headers, SharedTree};
use crate::errors::pgn_error;
use crate::interrupt::detached;
use bartizan_notation::pgn::{GameTree, PgnErrorKind, TreeReader};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Where a line of PGN begins: in a comment, and how deep in variations.
#[derive(Default)]
struct Place {
    in_comment: bool,
    depth: usize,
}

impl Place {
    fn pass(&mut self, line: &[u8]) {
        for &byte in line {
            match (byte, self.in_comment) {
                (b'}', _) => self.in_comment = false,
                (b'{', false) => self.in_comment = true,
                (b'(', false) => self.depth += 1,
                (b')', false) => self.depth = self.depth.saturating_sub(1),
                (b';', false) => return,
                _ => {}
            }
        }
    }
}

/// The text of the next game: tags and the paragraph of moves behind them. Empty at the end of the file.
fn next_text(handle: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let readline = handle.getattr("readline")?;
    let (mut text, mut place, mut has_moves) = (Vec::new(), Place::default(), false);
    loop {
        let read = readline.call0()?;
        let line: Vec<u8> = if let Ok(line) = read.cast::<PyString>() {
            match line.to_str() {
                Ok(line) => line.as_bytes().to_vec(),
                Err(_) => read.call_method1("encode", ("utf-8", "surrogateescape"))?.extract()?,
            }
        } else if let Ok(line) = read.cast::<PyBytes>() {
            line.as_bytes().to_vec()
        } else {
            return Err(PyTypeError::new_err("readline() returned neither str nor bytes"));
        };
        if line.is_empty() {
            return Ok(text);
        }
        let content = line.trim_ascii();
        if content.is_empty() && has_moves && !place.in_comment && place.depth == 0 {
            return Ok(text);
        }
        let is_tag = !has_moves && content.first() == Some(&b'[');
        if !content.is_empty() && !is_tag && content.first() != Some(&b'%') {
            has_moves = true;
            place.pass(&line);
        }
        if !text.is_empty() || !content.is_empty() {
            text.extend_from_slice(&line);
        }
    }
}

/// Reads the next game of an open file, in text or binary mode; None at its end. The file then stands behind the game,
/// so that `handle.tell()` says where the next one begins.
///
/// For whole files, `read_pgn` is faster.
///
/// >>> import io
/// >>> from bartizan.pgn import read_game
/// >>> handle = io.StringIO("1. e4 e5 *\n\n1. d4 *\n")
/// >>> read_game(handle).end().san(), read_game(handle).end().san(), read_game(handle)
/// ('e5', 'd4', None)
#[pyfunction]
pub(crate) fn read_game(handle: &Bound<'_, PyAny>) -> PyResult<Option<Py<Game>>> {
    let py = handle.py();
    let text = next_text(handle)?;
    let mut tree = GameTree::default();
    let read = detached(py, || TreeReader::new(text.as_slice()).read_next(&mut tree))?;
    match read {
        None => Ok(None),
        Some(Ok(())) => Game::object(py, tree, None).map(Some),
        Some(Err(error)) if matches!(error.kind, PgnErrorKind::Io(_)) => Err(pgn_error(error)),
        Some(Err(error)) => Game::object(py, tree, Some(error)).map(Some),
    }
}

/// Reads the tags of the next game of an open file, and passes its moves; None at the end.
#[pyfunction]
pub(crate) fn read_headers(handle: &Bound<'_, PyAny>) -> PyResult<Option<Headers>> {
    let text = next_text(handle)?;
    let mut tree = GameTree::default();
    match detached(handle.py(), || TreeReader::new(text.as_slice()).read_next(&mut tree))? {
        None => Ok(None),
        Some(Err(error)) if matches!(error.kind, PgnErrorKind::Io(_)) => Err(pgn_error(error)),
        _ => Ok(Some(Headers { tree: SharedTree::new(tree) })),
    }
}

/// Passes the next game of an open file; False at the end.
#[pyfunction]
pub(crate) fn skip_game(handle: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(!next_text(handle)?.is_empty())
}
