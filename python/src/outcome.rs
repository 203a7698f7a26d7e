//! How games end.

use crate::state::State;
use bartizan_types::Color;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// An ending: the name of `Termination`, and who has won.
#[derive(Clone, Copy)]
pub(crate) struct Ending {
    termination: &'static str,
    winner: Option<Color>,
}

impl Ending {
    pub(crate) fn result(self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The `Outcome`.
    pub(crate) fn object<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static OUTCOME: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static TERMINATION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = OUTCOME.import(py, "bartizan._outcome", "Outcome")?;
        let termination = TERMINATION.import(py, "bartizan._outcome", "Termination")?.getattr(self.termination)?;
        class.call1((termination, self.winner.map(Color::is_white)))
    }
}

/// How the game of a board has ended.
pub(crate) fn of(state: &State, claims: bool) -> Option<Ending> {
    let position = state.position();
    let draw = |termination| Some(Ending { termination, winner: None });
    if !position.has_legal_move() {
        return match position.in_check() {
            true => Some(Ending { termination: "CHECKMATE", winner: Some(!position.turn()) }),
            false => draw("STALEMATE"),
        };
    }
    if position.is_insufficient_material() {
        return draw("INSUFFICIENT_MATERIAL");
    }
    if position.halfmove_clock() >= 150 {
        return draw("SEVENTYFIVE_MOVES");
    }
    if state.occurrences() >= 5 {
        return draw("FIVEFOLD_REPETITION");
    }
    if claims && state.can_claim_fifty() {
        return draw("FIFTY_MOVES");
    }
    if claims && state.can_claim_repetition() {
        return draw("THREEFOLD_REPETITION");
    }
    None
}
