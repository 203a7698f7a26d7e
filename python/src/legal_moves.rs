//! The legal moves of a board.

use crate::board::Board;
use crate::moves::PyMove;
use bartizan_notation::san::San;
use pyo3::prelude::*;

/// The legal moves of a board, which they follow: iterable, with `in`, `len` and `count()`.
///
/// >>> from bartizan import Board, Move
/// >>> board = Board()
/// >>> len(board.legal_moves), Move.from_uci("e2e4") in board.legal_moves
/// (20, True)
#[pyclass(name = "LegalMoves", module = "bartizan", frozen)]
pub(crate) struct LegalMoves {
    board: Py<Board>,
}

impl LegalMoves {
    pub(crate) fn new(board: Py<Board>) -> Self {
        Self { board }
    }
}

#[pymethods]
impl LegalMoves {
    /// The number of legal moves.
    fn count(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.board.try_borrow(py)?.position().count_legal_moves())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)? as usize)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.board.try_borrow(py)?.position().has_legal_move())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.board.try_borrow(py)?.list(py, |_| true)
    }

    fn __contains__(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(mv) = r#move.cast::<PyMove>() else { return Ok(false) };
        Ok(self.board.try_borrow(py)?.state.is_legal(mv.get().0).is_some())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let board = self.board.try_borrow(py)?;
        let position = board.position();
        let moves: Vec<String> = position.legal_moves().iter().map(|&mv| San::new(position, mv).to_string()).collect();
        Ok(format!("<LegalMoves ({})>", moves.join(", ")))
    }
}
