//! Sets of squares.

use crate::basics::SquareArg;
use bartizan_types::{Bitboard, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// An immutable set of squares in 64 bits, a1 in the lowest.
///
/// >>> from bartizan import SquareSet, A1, H8
/// >>> corners = SquareSet([A1, H8])
/// >>> H8 in corners, len(corners), list(corners)
/// (True, 2, [0, 63])
/// >>> hex(int(corners | SquareSet([1])))
/// '0x8000000000000003'
#[pyclass(name = "SquareSet", module = "bartizan", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct SquareSet(pub(crate) Bitboard);

/// A set, its 64 bits, or squares.
#[derive(FromPyObject)]
pub(crate) enum SquaresArg<'py> {
    Set(PyRef<'py, SquareSet>),
    Bits(u64),
    Squares(Bound<'py, PyAny>),
}

impl SquaresArg<'_> {
    pub(crate) fn bitboard(&self) -> PyResult<Bitboard> {
        match self {
            Self::Set(set) => Ok(set.0),
            Self::Bits(bits) => Ok(Bitboard(*bits)),
            Self::Squares(squares) => {
                if squares.is_instance_of::<pyo3::types::PyInt>() {
                    return Err(PyValueError::new_err("a set of squares has 64 bits"));
                }
                let squares = squares.try_iter()?.map(|square| Ok(square?.extract::<SquareArg>()?.0));
                squares.collect::<PyResult<Bitboard>>()
            }
        }
    }
}

#[pymethods]
impl SquareSet {
    #[new]
    #[pyo3(signature = (squares = SquaresArg::Bits(0)))]
    fn new(squares: SquaresArg<'_>) -> PyResult<Self> {
        squares.bitboard().map(Self)
    }

    /// The bits.
    #[getter]
    fn mask(&self) -> u64 {
        self.0.0
    }

    /// The set mirrored top to bottom.
    fn mirror(&self) -> Self {
        Self(self.0.flip_ranks())
    }

    fn __contains__(&self, square: SquareArg) -> bool {
        self.0.contains(square.0)
    }

    fn __len__(&self) -> usize {
        self.0.count() as usize
    }

    fn __bool__(&self) -> bool {
        self.0.any()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let squares = self.0.into_iter().map(Square::index);
        Ok(PyList::new(py, squares)?.try_iter()?.into_any())
    }

    fn __int__(&self) -> u64 {
        self.0.0
    }

    fn __and__(&self, other: SquaresArg<'_>) -> PyResult<Self> {
        Ok(Self(self.0 & other.bitboard()?))
    }

    fn __or__(&self, other: SquaresArg<'_>) -> PyResult<Self> {
        Ok(Self(self.0 | other.bitboard()?))
    }

    fn __xor__(&self, other: SquaresArg<'_>) -> PyResult<Self> {
        Ok(Self(self.0 ^ other.bitboard()?))
    }

    fn __sub__(&self, other: SquaresArg<'_>) -> PyResult<Self> {
        Ok(Self(self.0 & !other.bitboard()?))
    }

    fn __invert__(&self) -> Self {
        Self(!self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("SquareSet(0x{:016x})", self.0.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
        Ok((py.get_type::<Self>().into_any(), (self.0.0,)))
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        Self(squares.into_iter().collect())
    }
}
