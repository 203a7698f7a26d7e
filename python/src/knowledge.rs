//! Syzygy tables, opening books and the names of openings.

use crate::board::Board;
use crate::errors::{MissingTableError, TablebaseError, io_error};
use crate::interrupt::detached;
use crate::moves::{Packed, PyMove};
use crate::state::State;
use bartizan_book::eco::{Classifier, Opening};
use bartizan_book::{Book, BookError, PolyglotKey};
use bartizan_tablebase::{TablebaseError as TableError, Tablebases, Wdl, WinRanking};
use bartizan_types::Move;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Syzygy tables. Distances and results are for the side to move.
#[pyclass(name = "Tablebase", module = "bartizan.syzygy", frozen)]
pub(crate) struct PyTablebase {
    tables: Mutex<Option<std::sync::Arc<Tablebases>>>,
}

impl PyTablebase {
    fn probe<T: Send>(
        &self,
        board: &Bound<'_, Board>,
        probe: impl FnOnce(&Tablebases, &bartizan_position::Position) -> Result<Option<T>, TableError> + Send,
    ) -> PyResult<Option<T>> {
        let position = board.try_borrow()?.position().clone();
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let tables = tables.ok_or_else(|| PyValueError::new_err("the tables have been closed"))?;
        let found = detached(board.py(), || probe(&tables, &position))?;
        found.map_err(|error| TablebaseError::new_err(error.to_string()))
    }
}

/// A move, its result and its distance.
type RatedMove = (Py<PyMove>, i8, Option<i32>);

fn missing() -> PyErr {
    MissingTableError::new_err("no table covers the position")
}

fn number(wdl: Wdl) -> i8 {
    wdl.to_int()
}

#[pymethods]
impl PyTablebase {
    /// Opens the tables in folders.
    #[new]
    fn new(py: Python<'_>, folders: Vec<PathBuf>) -> PyResult<Self> {
        let opened = detached(py, || Tablebases::open_folders(&folders))?;
        let tables = opened.map_err(|error| TablebaseError::new_err(error.to_string()))?;
        Ok(Self { tables: Mutex::new(Some(std::sync::Arc::new(tables))) })
    }

    /// The number of pieces that the tables cover.
    #[getter]
    fn max_pieces(&self) -> usize {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, |tables| tables.max_pieces())
    }

    /// The number of tables.
    fn __len__(&self) -> usize {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, |tables| tables.len())
    }

    /// The result: 2 win, 1 win that the fifty-move rule draws, 0 draw, -1 and -2 losses. Raises `MissingTableError`.
    fn probe_wdl(&self, board: &Bound<'_, Board>) -> PyResult<i8> {
        self.get_wdl(board)?.ok_or_else(missing)
    }

    /// The plies to the next capture or pawn move on the way to the result, negative for losses; 0 for draws. Raises
    /// `MissingTableError`.
    fn probe_dtz(&self, board: &Bound<'_, Board>) -> PyResult<i32> {
        self.get_dtz(board)?.ok_or_else(missing)
    }

    /// As `probe_wdl`; None if no table covers the position.
    fn get_wdl(&self, board: &Bound<'_, Board>) -> PyResult<Option<i8>> {
        self.probe(board, |tables, position| Ok(tables.probe_wdl(position)?.map(number)))
    }

    /// As `probe_dtz`; None if no table covers the position.
    fn get_dtz(&self, board: &Bound<'_, Board>) -> PyResult<Option<i32>> {
        self.probe(board, |tables, position| Ok(tables.probe_dtz(position)?.map(|dtz| dtz.0)))
    }

    /// The legal moves, best first, each with its result and its distance (None without DTZ tables), for the side that
    /// moves. Raises `MissingTableError`.
    fn moves(&self, board: &Bound<'_, Board>) -> PyResult<Vec<RatedMove>> {
        let found = self.probe(board, |tables, position| tables.probe_root(position, WinRanking::ByDistance))?;
        let chess960 = board.try_borrow()?.state.chess960;
        let row = |found: &bartizan_tablebase::RootMove| {
            let mv = Packed::of(found.mv, chess960).object(board.py())?;
            Ok((mv, number(found.outcome), found.dtz.map(|dtz| dtz.0)))
        };
        found.ok_or_else(missing)?.iter().map(row).collect()
    }

    /// Closes the files.
    fn close(&self) {
        drop(self.tables.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(&self, _type: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>, _traceback: &Bound<'_, PyAny>) {
        self.close();
    }
}

/// An entry of a book.
#[pyclass(name = "Entry", module = "bartizan.polyglot", frozen, get_all)]
pub(crate) struct Entry {
    /// The key of the position.
    key: u64,
    /// The move.
    r#move: Py<PyMove>,
    /// How often to play it, relative to the others.
    weight: u16,
    /// What some programs have learnt about it.
    learn: u32,
}

#[pymethods]
impl Entry {
    fn __repr__(&self) -> String {
        format!("<Entry {} weight {}>", self.r#move.get().0.text(), self.weight)
    }
}

/// An opening book in the Polyglot format.
#[pyclass(name = "BookReader", module = "bartizan.polyglot", frozen)]
pub(crate) struct BookReader {
    book: Book,
}

fn book_error(error: BookError) -> PyErr {
    match error {
        BookError::Io(error) => io_error(error),
        error => PyValueError::new_err(error.to_string()),
    }
}

/// The double step before a position, which Polyglot's keys depend on.
fn key(state: &State) -> PolyglotKey {
    PolyglotKey::after(state.position(), state.double_step())
}

#[pymethods]
impl BookReader {
    /// Opens a file, or the built-in book with None.
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Self> {
        let opened = detached(py, || path.map_or_else(Book::built_in, Book::open))?;
        Ok(Self { book: opened.map_err(book_error)? })
    }

    /// The number of entries.
    fn __len__(&self) -> usize {
        usize::try_from(self.book.len()).unwrap_or(usize::MAX)
    }

    /// The entries of a position, the heaviest first.
    fn find_all(&self, board: &Bound<'_, Board>) -> PyResult<Vec<Entry>> {
        let state = board.try_borrow()?.state.clone();
        let moves = self.book.moves(state.position(), state.double_step()).map_err(book_error)?;
        let entry = |found: &bartizan_book::BookMove| {
            let mv = Packed::of(found.mv, state.chess960).object(board.py())?;
            Ok(Entry { key: key(&state).0, r#move: mv, weight: found.weight, learn: found.learn })
        };
        let mut entries: Vec<Entry> = moves.iter().map(entry).collect::<PyResult<_>>()?;
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        Ok(entries)
    }

    /// The heaviest entry of a position. Raises `IndexError` without one.
    fn find(&self, board: &Bound<'_, Board>) -> PyResult<Entry> {
        let first = self.find_all(board)?.into_iter().next();
        first.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("the book does not know the position"))
    }

    /// The heaviest entry of a position, or None.
    fn get(&self, board: &Bound<'_, Board>) -> PyResult<Option<Entry>> {
        Ok(self.find_all(board)?.into_iter().next())
    }

    fn __contains__(&self, board: &Bound<'_, Board>) -> PyResult<bool> {
        Ok(!self.find_all(board)?.is_empty())
    }

    /// Does nothing: for programs that close what they open.
    fn close(&self) {}

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(&self, _type: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>, _traceback: &Bound<'_, PyAny>) {}
}

/// Polyglot's key of a position.
///
/// >>> from bartizan import Board
/// >>> from bartizan.polyglot import zobrist_hash
/// >>> hex(zobrist_hash(Board()))
/// '0x463b96181691fc9c'
#[pyfunction]
pub(crate) fn zobrist_hash(board: &Bound<'_, Board>) -> PyResult<u64> {
    Ok(key(&board.try_borrow()?.state).0)
}

/// An opening: its code in the Encyclopaedia of Chess Openings, its name, and a usual order of its moves.
#[pyclass(name = "Opening", module = "bartizan.eco", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PyOpening(&'static Opening);

#[pymethods]
impl PyOpening {
    /// The code, from A00 to E99.
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code()
    }

    /// The whole name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The name without the variation.
    #[getter]
    fn opening(&self) -> &'static str {
        self.0.opening()
    }

    /// The variation, or None.
    #[getter]
    fn variation(&self) -> Option<&'static str> {
        self.0.variation()
    }

    /// The moves in SAN with numbers.
    #[getter]
    fn moves(&self) -> &'static str {
        self.0.moves()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Opening {}>", self.0)
    }
}

/// The opening of a board with its moves, of a game, or of a list of moves from the initial position; None if it has
/// none.
///
/// >>> from bartizan import eco, pgn
/// >>> str(eco.classify(pgn.loads("1. d4 d5 2. c4 e6 *")))
/// "D30 Queen's Gambit Declined"
#[pyfunction]
pub(crate) fn classify(game: &Bound<'_, PyAny>) -> PyResult<Option<PyOpening>> {
    let mut classifier = Classifier::new();
    if let Ok(board) = game.cast::<Board>() {
        let state = board.try_borrow()?.state.clone();
        for position in state.positions() {
            classifier.see(position);
        }
    } else if let Ok(node) = game.cast::<crate::pgn::GameNode>() {
        let (mut position, moves): (_, Vec<Option<Move>>) = {
            let tree = node.get().tree.lock();
            (tree.start().clone(), tree.main_line().map(|id| tree.mv(id)).collect())
        };
        classifier.see(&position);
        for mv in moves.into_iter().map_while(|mv| mv) {
            position.make_unchecked(mv);
            classifier.see(&position);
        }
    } else {
        let mut state = State::new(bartizan_position::Position::startpos(), false);
        for mv in game.try_iter()? {
            state.push(mv?.cast::<PyMove>()?.get().0)?;
            classifier.see(state.position());
        }
    }
    Ok(classifier.opening().map(PyOpening))
}

/// All openings.
#[pyfunction]
pub(crate) fn openings() -> Vec<PyOpening> {
    bartizan_book::eco::openings().iter().map(PyOpening).collect()
}

/// The opening with this name. Raises `KeyError` without one.
#[pyfunction]
pub(crate) fn by_name(name: &str) -> PyResult<PyOpening> {
    let found = bartizan_book::eco::openings().iter().find(|opening| opening.name() == name);
    found.map(PyOpening).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
}

/// The planes of boards: bytes of 0 and 1, in the order board, plane, rank, file.
#[pyfunction]
pub(crate) fn planes_of(
    py: Python<'_>,
    boards: Vec<Bound<'_, Board>>,
    relative: bool,
) -> PyResult<Py<pyo3::types::PyByteArray>> {
    use bartizan_types::{CastlingSide, Color, PieceType, Square};
    let mut bytes = vec![0u8; boards.len() * PLANES * 64];
    for (board, planes) in boards.iter().zip(bytes.chunks_exact_mut(PLANES * 64)) {
        let board = board.try_borrow()?;
        let position = board.position();
        let us = if relative { position.turn() } else { Color::White };
        let place = |square: Square| square.relative_to(us).index();
        for (square, piece) in position.placement() {
            let side = usize::from(piece.color() != us);
            planes[64 * (6 * side + piece.piece_type().index()) + place(square)] = 1;
        }
        let mut plane = 12;
        for color in [us, !us] {
            for side in [CastlingSide::King, CastlingSide::Queen] {
                let may = position.castling().rook(color, side, position.king(color)).is_some();
                planes[64 * plane..64 * (plane + 1)].fill(u8::from(may));
                plane += 1;
            }
        }
        if let Some(square) = position.en_passant() {
            planes[64 * 16 + place(square)] = 1;
        }
        let is_white = position.turn() == Color::White;
        planes[64 * 17..64 * 18].fill(u8::from(is_white));
        debug_assert_eq!(PieceType::COUNT, 6);
    }
    Ok(pyo3::types::PyByteArray::new(py, &bytes).unbind())
}

/// The planes of a board: twelve of pieces, four of castling rights, en passant, and the side to move.
const PLANES: usize = 18;
