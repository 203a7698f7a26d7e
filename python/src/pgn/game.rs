//! Whole games.

use super::{GameNode, Headers, Problem, SharedTree};
use crate::board::Board;
use crate::errors::{PgnError, pgn_error};
use crate::state::State;
use bartizan_notation::pgn::{GameTree, PgnError as ReadError};
use bartizan_types::GameResult;
use pyo3::PyClassInitializer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// A game: its tags, its moves with variations, comments and glyphs, its result. It is the root of its moves.
///
/// >>> from bartizan import Move
/// >>> from bartizan.pgn import Game
/// >>> game = Game()
/// >>> game.headers["White"] = "Anna"
/// >>> node = game.add_variation(Move.from_uci("e2e4"), comment="best by test")
/// >>> print(game)
/// [Event "?"]
/// [Site "?"]
/// [Date "????.??.??"]
/// [Round "?"]
/// [White "Anna"]
/// [Black "?"]
/// [Result "*"]
/// <BLANKLINE>
/// 1. e4 {best by test} *
#[pyclass(name = "Game", module = "bartizan.pgn", frozen, extends = GameNode)]
#[derive(Default)]
pub(crate) struct Game {
    /// Why the game could not be read to its end: number, line, column and message.
    error: Option<(usize, usize, usize, String)>,
}

impl Game {
    /// The object of a tree.
    pub(crate) fn object(py: Python<'_>, tree: GameTree, error: Option<ReadError>) -> PyResult<Py<Self>> {
        let error = error.map(|error| (error.game, error.line, error.column, error.kind.to_string()));
        Py::new(py, Self { error }.over(tree))
    }

    fn over(self, tree: GameTree) -> PyClassInitializer<Self> {
        let id = tree.root();
        PyClassInitializer::from(GameNode { tree: SharedTree::new(tree), id }).add_subclass(self)
    }
}

/// The tree of a board's moves.
fn of_state(state: &State) -> PyResult<GameTree> {
    let mut tree = GameTree::new(state.start().clone());
    tree.chess960 = state.chess960;
    let mut node = tree.root();
    for (position, &mv) in state.positions().iter().zip(state.moves()) {
        let resolved = mv.to_uci().map(|mv| position.resolve_uci(mv)).transpose();
        let added = match resolved.map_err(|error| PyValueError::new_err(error.to_string()))? {
            Some(mv) => tree.add_move(node, mv),
            None => tree.add_null_move(node),
        };
        node = added.map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    let ending = crate::outcome::of(state, false).map(crate::outcome::Ending::result);
    tree.result = ending.and_then(|result| result.parse().ok()).unwrap_or(GameResult::Unknown);
    Ok(tree)
}

#[pymethods]
impl Game {
    /// A game without moves, from the initial position.
    #[new]
    #[pyo3(signature = (headers = None))]
    fn new(headers: Option<&Bound<'_, PyAny>>) -> PyResult<PyClassInitializer<Self>> {
        let tree = SharedTree::new(GameTree::default());
        if let Some(tags) = headers {
            Headers { tree: tree.clone() }.update(tags)?;
        }
        let id = tree.lock().root();
        Ok(PyClassInitializer::from(GameNode { tree, id }).add_subclass(Self::default()))
    }

    /// A game of the moves of a board.
    #[staticmethod]
    fn from_board(py: Python<'_>, board: PyRef<'_, Board>) -> PyResult<Py<Self>> {
        Self::object(py, of_state(&board.state)?, None)
    }

    /// The tags.
    #[getter]
    fn headers(slf: PyRef<'_, Self>) -> Headers {
        Headers { tree: slf.as_super().tree.clone() }
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(slf: PyRef<'_, Self>) -> &'static str {
        slf.as_super().tree.lock().result.as_str()
    }

    #[setter]
    fn set_result(slf: PyRef<'_, Self>, result: &str) -> PyResult<()> {
        let result = result.parse().map_err(|_| PyValueError::new_err("a result is 1-0, 0-1, 1/2-1/2 or *"))?;
        slf.as_super().tree.lock().result = result;
        Ok(())
    }

    /// What was wrong in the text that the game was read from, at most 100 faults.
    #[getter]
    fn problems(slf: PyRef<'_, Self>) -> Vec<Problem> {
        let mut problems: Vec<Problem> = slf.as_super().tree.lock().problems().iter().map(Problem::from).collect();
        if let Some((_, line, column, message)) = &slf.error {
            problems.push(Problem::new(*line, *column, message.clone()));
        }
        problems
    }

    /// The same: the name that other libraries use.
    #[getter]
    fn errors(slf: PyRef<'_, Self>) -> Vec<Problem> {
        Self::problems(slf)
    }

    /// The `PgnError` of a game that could not be read to its end, such as one of another variant; or None.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let (game, line, column, message) = self.error.clone()?;
        let error = PgnError::new_err((message, game, line, column));
        Some(error.into_value(py).into_bound(py).into_any())
    }

    /// Sets the position in which the game begins: a board or a FEN. The game must have no moves.
    fn setup(slf: PyRef<'_, Self>, board: &Bound<'_, PyAny>) -> PyResult<()> {
        let state = match board.cast::<PyString>() {
            Ok(fen) => State::of_fen(fen.to_str()?, false)?,
            Err(_) => board.cast::<Board>()?.try_borrow()?.state.clone(),
        };
        let mut tree = slf.as_super().tree.lock();
        tree.restart(state.position().clone(), state.chess960).map_err(super::tree::tree_error)
    }

    /// The game as PGN. With `marks`, glyphs are written as `!?` instead of `$5`.
    #[pyo3(signature = (*, headers = true, comments = true, variations = true, marks = false))]
    fn pgn(slf: PyRef<'_, Self>, headers: bool, comments: bool, variations: bool, marks: bool) -> PyResult<String> {
        let mut tree = slf.as_super().tree.lock().clone();
        let nodes: Vec<_> = std::iter::once(tree.root()).chain(tree.descendants(tree.root())).collect();
        let fail = |error| super::tree::tree_error(error);
        for node in nodes {
            if !variations && tree.contains(node) {
                let others: Vec<_> = tree.children(node).skip(1).collect();
                others.into_iter().try_for_each(|other| tree.delete(other)).map_err(fail)?;
            }
            if !comments && tree.contains(node) {
                tree.comment_mut(node).map_err(fail)?.clear();
                tree.comment_before_mut(node).map_err(fail)?.clear();
            }
        }
        let text = if marks { format!("{tree:#}") } else { tree.to_string() };
        let moves = if headers { &text } else { text.split_once("\n\n").map_or("", |(_, moves)| moves) };
        Ok(moves.trim_end().to_owned())
    }

    /// Lets an exporter write the game: see `StringExporter`.
    fn accept<'py>(slf: &Bound<'py, Self>, exporter: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        exporter.call_method1("_export", (slf,))
    }

    /// Adds the lines of another game as variations.
    fn merge(slf: PyRef<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let theirs = other.borrow().as_super().tree.lock().clone();
        let is_same_start = slf.as_super().tree.lock().merge(&theirs);
        is_same_start.then_some(()).ok_or_else(|| PyValueError::new_err("the games begin with different positions"))
    }

    /// A copy that shares nothing.
    fn copy(slf: PyRef<'_, Self>) -> PyResult<Py<Self>> {
        let tree = slf.as_super().tree.lock().clone();
        Py::new(slf.py(), Self { error: slf.error.clone() }.over(tree))
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyResult<Py<Self>> {
        Self::copy(slf)
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyResult<Py<Self>> {
        Self::copy(slf)
    }

    fn __str__(slf: PyRef<'_, Self>) -> String {
        slf.as_super().tree.lock().to_string().trim_end().to_owned()
    }

    /// The last board of the game, for notebooks.
    fn _repr_svg_(slf: PyRef<'_, Self>) -> PyResult<String> {
        let node = slf.as_super();
        let last = {
            let tree = node.tree.lock();
            tree.main_line().last().unwrap_or_else(|| tree.root())
        };
        Ok(crate::svg::of_board(&node.tree.board(last)?))
    }

    /// Restores a pickled game.
    #[staticmethod]
    fn _restore(py: Python<'_>, text: &str) -> PyResult<Py<Self>> {
        let tree: GameTree = text.parse().map_err(pgn_error)?;
        Self::object(py, tree, None)
    }

    fn __reduce__<'py>(slf: PyRef<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let text = slf.as_super().tree.lock().to_string();
        Ok((py.get_type::<Self>().getattr("_restore")?, (text,).into_pyobject(py)?))
    }
}
