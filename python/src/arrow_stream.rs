//! Tables of games, passed on by the Arrow C stream interface:
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>.

use crate::errors::io_error;
use crate::source::Source;
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ArrowError;
use arrow_schema::ffi::FFI_ArrowSchema;
use bartizan_games::table::{GameTable, MoveForm, TableOptions};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// `EIO`, for errors of the input.
const INPUT_ERROR: c_int = 5;
/// `EINVAL`, for all others.
const OTHER_ERROR: c_int = 22;

type Table = GameTable<Source>;

/// The struct `ArrowArrayStream`.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Self, *mut FFI_ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Self, *mut FFI_ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Self) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

/// What `private_data` points to.
struct Private {
    table: Table,
    error: Option<CString>,
}

// SAFETY: the only pointer is that to a `Private`, which is `Send` and owned.
unsafe impl Send for Stream {}

impl Stream {
    fn new(table: Table) -> Self {
        let private = Box::new(Private { table, error: None });
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release),
            private_data: Box::into_raw(private).cast(),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a stream that has `release` has not been released.
            unsafe { release(self) };
        }
    }
}

/// Whether Ctrl-C ended the input.
fn is_interrupt(error: &std::io::Error) -> bool {
    let raised = error.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>());
    raised.is_some_and(|raised| Python::attach(|py| raised.is_instance_of::<PyKeyboardInterrupt>(py)))
}

impl Private {
    fn fail(&mut self, error: &dyn std::fmt::Display, code: c_int) -> c_int {
        self.error = CString::new(error.to_string().replace('\0', " ")).ok();
        code
    }
}

/// Does some work for the consumer, which must not see a panic.
///
/// # Safety
/// `stream` was made by [`Stream::new`] and has not been released.
unsafe fn guarded(stream: *mut Stream, work: impl FnOnce(&mut Private) -> c_int) -> c_int {
    // SAFETY: by the caller's promise; the interface forbids concurrent calls.
    let private = unsafe { &mut *(*stream).private_data.cast::<Private>() };
    match catch_unwind(AssertUnwindSafe(|| work(private))) {
        Ok(code) => code,
        Err(_) => private.fail(&"internal error", OTHER_ERROR),
    }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut FFI_ArrowSchema) -> c_int {
    let work = |private: &mut Private| match FFI_ArrowSchema::try_from(&**private.table.schema()) {
        Ok(schema) => {
            // SAFETY: the consumer passes memory for a struct, which may be uninitialised.
            unsafe { out.write(schema) };
            0
        }
        Err(error) => private.fail(&error, OTHER_ERROR),
    };
    // SAFETY: the consumer passes a stream that it has not released.
    unsafe { guarded(stream, work) }
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut FFI_ArrowArray) -> c_int {
    let work = |private: &mut Private| {
        let array = match private.table.next() {
            None => FFI_ArrowArray::empty(),
            Some(Ok(batch)) => FFI_ArrowArray::new(&batch),
            Some(Err(error)) => {
                let ArrowError::IoError(_, source) = &error else { return private.fail(&error, OTHER_ERROR) };
                if is_interrupt(source) {
                    // The consumer raises an exception of its own; Ctrl-C is heard again when its call has returned.
                    // SAFETY: sets a flag of the interpreter.
                    unsafe { pyo3::ffi::PyErr_SetInterrupt() };
                }
                return private.fail(&error, INPUT_ERROR);
            }
        };
        // SAFETY: as for the schema.
        unsafe { out.write(array) };
        0
    };
    // SAFETY: as for the schema.
    unsafe { guarded(stream, work) }
}

unsafe extern "C" fn get_last_error(stream: *mut Stream) -> *const c_char {
    // SAFETY: the consumer passes a stream that it has not released.
    let private = unsafe { &*(*stream).private_data.cast::<Private>() };
    private.error.as_ref().map_or(std::ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release(stream: *mut Stream) {
    // SAFETY: the consumer passes a stream that it has not released; the memory is that of `Stream::new`.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private_data.cast::<Private>()));
    }
}

/// A table of games that is read as it is consumed, once: see `pgn_to_arrow`.
///
/// Data frames take it by the Arrow PyCapsule interface: `polars.DataFrame(table)`, `pyarrow.table(table)`,
/// `pandas.DataFrame.from_arrow(table)`, `duckdb.sql("from table")`.
#[pyclass(name = "GameTable", module = "bartizan", frozen)]
pub(crate) struct PyTable {
    /// In a box, because Python's allocator aligns objects to 16 bytes, and the reader wants 64.
    table: Box<Mutex<Option<Table>>>,
    columns: Vec<String>,
}

impl PyTable {
    fn with<T>(&self, work: impl FnOnce(&mut Option<Table>) -> PyResult<T>) -> PyResult<T> {
        work(&mut self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn spent() -> PyErr {
    PyRuntimeError::new_err("the table has been read already: call pgn_to_arrow again")
}

#[pymethods]
impl PyTable {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.columns.clone()
    }

    /// Passes the table on. The types of the columns are not negotiable.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let table = self.with(|table| table.take().ok_or_else(spent))?;
        PyCapsule::new_with_value(py, Stream::new(table), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = self.with(|table| Ok(table.as_ref().ok_or_else(spent)?.schema().clone()))?;
        let schema = FFI_ArrowSchema::try_from(&*schema).map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Reads the table to its end and returns the number of rows, for measurements.
    fn _exhaust(&self, py: Python<'_>) -> PyResult<usize> {
        let table = self.with(|table| table.take().ok_or_else(spent))?;
        let rows = table.map(|batch| batch.map(|batch: ArrayData| batch.len()));
        let sum = crate::interrupt::detached(py, || rows.sum::<Result<usize, _>>())?;
        sum.map_err(|error| match error {
            ArrowError::IoError(_, error) => io_error(error),
            error => PyValueError::new_err(error.to_string()),
        })
    }

    fn __repr__(&self) -> String {
        format!("<GameTable {}>", self.columns.join(", "))
    }
}

/// Reads a PGN file as a table: a row for each game, or with `by_moves` a row for each move with the position before.
///
/// The source is a path, which may be compressed, bytes, or an open file. `tags` are columns; those that end with `Elo`
/// are numbers. `moves` is `"uci"`, `"san"`, `"packed"` (integers, see `Move.from_int`) or None. `clocks` are seconds;
/// `evals` are centipawns and moves to mate from White's view. `problems` lists the faults of each game.
///
/// >>> from bartizan import pgn_to_arrow
/// >>> pgn_to_arrow(b"1. e4 e5 *", tags=["White", "WhiteElo"])
/// <GameTable game, White, WhiteElo, plies, fen, moves>
#[pyfunction]
#[pyo3(signature = (
    source, *, tags = None, moves = Some("uci"), clocks = false, evals = false, problems = false, by_moves = false,
    batch_size = 16_384,
))]
#[allow(clippy::too_many_arguments, reason = "the columns")]
pub(crate) fn pgn_to_arrow(
    source: &Bound<'_, PyAny>,
    tags: Option<Vec<String>>,
    moves: Option<&str>,
    clocks: bool,
    evals: bool,
    problems: bool,
    by_moves: bool,
    batch_size: usize,
) -> PyResult<PyTable> {
    let moves = match moves {
        None => None,
        Some("uci") => Some(MoveForm::Uci),
        Some("san") => Some(MoveForm::San),
        Some("packed") => Some(MoveForm::Packed),
        Some(_) => return Err(PyValueError::new_err("moves is 'uci', 'san', 'packed' or None")),
    };
    let tags = tags.unwrap_or_else(|| TableOptions::default().tags);
    let rows = batch_size.clamp(1, 1 << 24);
    let options = TableOptions { tags, moves, clocks, evals, problems, by_moves, rows };
    let table = GameTable::new(Source::open(source)?, options);
    let columns = table.schema().fields().iter().map(|field| field.name().clone()).collect();
    Ok(PyTable { table: Box::new(Mutex::new(Some(table))), columns })
}
