//! What is wrong in the text of a game.

use bartizan_notation::pgn::PgnProblem;
use pyo3::prelude::*;

/// A fault in the text of a game, and what the reader made of it.
#[pyclass(name = "Problem", module = "bartizan.pgn", frozen, eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Problem {
    /// The line, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
    /// What is wrong, and what was done.
    message: String,
}

#[pymethods]
impl Problem {
    fn __str__(&self) -> String {
        let Self { line, column, message } = self;
        format!("line {line}, column {column}: {message}")
    }

    fn __repr__(&self) -> String {
        format!("<Problem {}>", self.__str__())
    }
}

impl From<&PgnProblem> for Problem {
    fn from(problem: &PgnProblem) -> Self {
        let (line, column) = (problem.line, problem.column);
        let text = problem.to_string();
        let place = format!("line {line}, column {column}: ");
        Self { line, column, message: text.strip_prefix(&place).unwrap_or(&text).to_owned() }
    }
}

impl Problem {
    pub(crate) fn new(line: usize, column: usize, message: String) -> Self {
        Self { line, column, message }
    }
}
