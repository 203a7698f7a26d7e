//! Squares, colours and pieces as Python sees them: a square is an integer from 0 (a1) to 63 (h8), a colour a boolean
//! (`True` is White), a type of piece an integer from 1 (pawn) to 6 (king).

use bartizan_types::{Color, Piece, PieceType, Square};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};

/// An argument that is a square.
#[derive(Clone, Copy)]
pub(crate) struct SquareArg(pub(crate) Square);

/// An argument that is a colour.
#[derive(Clone, Copy)]
pub(crate) struct ColorArg(pub(crate) Color);

/// An argument that is a type of piece.
#[derive(Clone, Copy)]
pub(crate) struct PieceTypeArg(pub(crate) PieceType);

/// The value of an integer of any size; `None` if it is beyond every range.
fn integer(object: Borrowed<'_, '_, PyAny>, what: &str) -> PyResult<Option<i64>> {
    if object.is_instance_of::<PyInt>() || object.hasattr("__index__")? {
        return Ok(object.extract::<i64>().ok());
    }
    Err(PyTypeError::new_err(format!("{what} must be an integer, not {}", object.get_type().name()?)))
}

impl<'py> FromPyObject<'_, 'py> for SquareArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let index = integer(object, "a square")?.and_then(|index| usize::try_from(index).ok());
        let square = index.and_then(Square::try_from_index);
        square.map(Self).ok_or_else(|| PyValueError::new_err("square out of range: expected 0 to 63"))
    }
}

impl<'py> FromPyObject<'_, 'py> for ColorArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_white: bool =
            object.cast::<PyBool>().map_err(|_| PyTypeError::new_err("a colour is WHITE or BLACK"))?.is_true();
        Ok(Self(color(is_white)))
    }
}

impl<'py> FromPyObject<'_, 'py> for PieceTypeArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = integer(object, "a type of piece")?.and_then(|number| usize::try_from(number).ok());
        let found = number.and_then(|number| PieceType::try_from_index(number.checked_sub(1)?));
        found.map(Self).ok_or_else(|| PyValueError::new_err("piece type out of range: expected 1 (pawn) to 6 (king)"))
    }
}

/// The colour of a boolean.
pub(crate) const fn color(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// The number of a type of piece.
pub(crate) const fn number(piece_type: PieceType) -> u8 {
    piece_type.index() as u8 + 1
}

/// A piece with its colour: immutable, hashable, equal to every piece of its type and colour.
///
/// >>> from bartizan import Piece, KNIGHT, WHITE
/// >>> Piece(KNIGHT, WHITE)
/// Piece.from_symbol('N')
/// >>> Piece.from_symbol('q').unicode_symbol()
/// '♛'
#[pyclass(name = "Piece", module = "bartizan", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyPiece(pub(crate) Piece);

#[pymethods]
impl PyPiece {
    #[new]
    fn new(piece_type: PieceTypeArg, color: ColorArg) -> Self {
        Self(piece_type.0.of(color.0))
    }

    /// The piece of a letter of FEN: upper case is White.
    #[staticmethod]
    fn from_symbol(symbol: &str) -> PyResult<Self> {
        let mut letters = symbol.chars();
        let piece = letters.next().and_then(Piece::from_char).filter(|_| letters.next().is_none());
        piece.map(Self).ok_or_else(|| PyValueError::new_err("invalid symbol of a piece: expected one of PNBRQKpnbrqk"))
    }

    /// The type, from PAWN to KING.
    #[getter]
    fn piece_type(&self) -> u8 {
        number(self.0.piece_type())
    }

    /// The colour: WHITE or BLACK.
    #[getter]
    fn color(&self) -> bool {
        self.0.color().is_white()
    }

    /// The letter of FEN.
    fn symbol(&self) -> char {
        self.0.to_char()
    }

    /// The figurine; with `invert_color`, that of the other colour.
    #[pyo3(signature = (*, invert_color = false))]
    fn unicode_symbol(&self, invert_color: bool) -> char {
        if invert_color { self.0.flip_color().to_figurine() } else { self.0.to_figurine() }
    }

    fn __str__(&self) -> char {
        self.0.to_char()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.0.to_char())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u8, bool))> {
        Ok((py.get_type::<Self>().into_any(), (self.piece_type(), self.color())))
    }
}
