//! The exceptions. They are classes of the Python part, where their attributes are typed.

use bartizan_notation::pgn::{PgnError as ReadError, PgnErrorKind};
use bartizan_notation::san::SanError;
use bartizan_position::{FenError as FenFault, PositionError};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;

pyo3::import_exception!(bartizan._errors, InvalidMoveError);
pyo3::import_exception!(bartizan._errors, IllegalMoveError);
pyo3::import_exception!(bartizan._errors, AmbiguousMoveError);
pyo3::import_exception!(bartizan._errors, FenError);
pyo3::import_exception!(bartizan._errors, PgnError);
pyo3::import_exception!(bartizan._errors, EpdError);
pyo3::import_exception!(bartizan._errors, EngineError);
pyo3::import_exception!(bartizan._errors, EngineTerminatedError);
pyo3::import_exception!(bartizan._errors, TablebaseError);
pyo3::import_exception!(bartizan._errors, MissingTableError);

/// The exception of a text that is not the FEN of a legal position: message, column, and the reasons of illegality.
pub(crate) fn fen_error(error: &PositionError) -> PyErr {
    let column = match error {
        PositionError::Fen(
            FenFault::Unexpected { column, .. }
            | FenFault::RankWidth { column, .. }
            | FenFault::AdjacentNumbers { column }
            | FenFault::RepeatedRight { column, .. }
            | FenFault::TooLarge { column, .. }
            | FenFault::Trailing { column },
        ) => Some(*column),
        _ => None,
    };
    let reasons: Vec<String> = match error {
        PositionError::Illegal(setup) => setup.reasons().iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    FenError::new_err((error.to_string(), column, reasons))
}

/// The exception of a text that denotes no legal move.
pub(crate) fn san_error(error: &SanError) -> PyErr {
    let message = error.to_string();
    match error {
        SanError::Ambiguous { .. } => AmbiguousMoveError::new_err(message),
        SanError::Illegal { .. } => IllegalMoveError::new_err(message),
        _ => InvalidMoveError::new_err(message),
    }
}

/// The exception of a game that cannot be read. An error of the input is an `OSError`, or what its `read` has raised.
pub(crate) fn pgn_error(error: ReadError) -> PyErr {
    let ReadError { game, line, column, kind, .. } = error;
    match kind {
        PgnErrorKind::Io(error) => io_error(error),
        kind => PgnError::new_err((kind.to_string(), game, line, column)),
    }
}

/// The exception of an error of input or output: the one that Python code has raised, if it was that.
pub(crate) fn io_error(error: std::io::Error) -> PyErr {
    if error.get_ref().is_some_and(|inner| inner.is::<PyErr>()) {
        match error.into_inner().map(|inner| inner.downcast::<PyErr>()) {
            Some(Ok(raised)) => return *raised,
            _ => return PyRuntimeError::new_err("an unknown error of the input"),
        }
    }
    match error.raw_os_error() {
        // `OSError(number, text)` chooses the subclass, such as FileNotFoundError.
        Some(number) => PyOSError::new_err((number, error.to_string())),
        None => error.into(),
    }
}
