//! EPD: positions with operations.

use crate::errors::EpdError;
use crate::moves::{Packed, PyMove};
use crate::state::State;
use bartizan_notation::epd::{Epd, Operation};
use bartizan_notation::san::San;
use bartizan_position::{FenStyle, Setup};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// The operations whose operands are moves of the position.
const MOVES: [&str; 3] = ["bm", "am", "sm"];

fn error(message: impl ToString) -> PyErr {
    EpdError::new_err(message.to_string())
}

/// The position of a line, and its operations.
pub(crate) fn read<'py>(py: Python<'py>, line: &str, chess960: bool) -> PyResult<(State, Bound<'py, PyDict>)> {
    let epd = Epd::parse(line).map_err(error)?;
    let operations = PyDict::new(py);
    let position = &epd.position;
    for operation in &epd.operations {
        let name = operation.opcode.as_str();
        let value = if MOVES.contains(&name) {
            let moves = epd.moves(name).map_err(error)?;
            let objects = moves.iter().map(|&mv| Packed::of(mv, chess960).object(py));
            objects.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)?
        } else if name == "pv" {
            let moves = epd.principal_variation().map_err(error)?;
            let objects = moves.iter().map(|&mv| Packed::of(mv, chess960).object(py));
            objects.collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)?
        } else {
            match operation.operands.as_slice() {
                [] => py.None().into_bound(py),
                [one] => operand(py, one)?,
                several => PyList::new(py, several)?.into_any(),
            }
        };
        operations.set_item(name, value)?;
    }
    // The counters that some programs write as operations, and a passed square that no pawn can capture on.
    let mut setup = position.to_setup();
    let number = |name| epd.operand(name).and_then(|text| text.parse().ok());
    setup.halfmove_clock = number("hmvc").unwrap_or(setup.halfmove_clock);
    setup.fullmove_number = number("fmvn").unwrap_or(setup.fullmove_number);
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    if let Ok(read) = Setup::from_fen(&fields.join(" ")) {
        setup.en_passant = read.en_passant;
    }
    let state = State::of_setup(setup, chess960).map_err(|error| crate::errors::fen_error(&error))?;
    Ok((state, operations))
}

/// An integer, a number with a point, or a text.
fn operand<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(number) = text.parse::<i64>() {
        return number.into_bound_py_any(py);
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    match text.parse::<f64>() {
        Ok(number) if is_number => number.into_bound_py_any(py),
        _ => text.into_bound_py_any(py),
    }
}

/// The line of a position with operations.
pub(crate) fn write(state: &State, shredder: bool, operations: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let style = if shredder { FenStyle::Shredder } else { FenStyle::XFen };
    let fen = state.position().to_fen_style(style);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let mut line = fields.join(" ");
    for (name, value) in operations.into_iter().flatten() {
        let name: String = name.extract()?;
        let mut operands = Vec::new();
        if name == "pv" {
            let mut along = state.flat();
            for mv in value.try_iter()? {
                let packed = mv?.cast_into::<PyMove>()?.get().0;
                operands.push(san(&along, packed)?);
                along.push(packed)?;
            }
        } else {
            flatten(state, &value, &mut operands)?;
        }
        let operation = Operation::new(name, operands).map_err(error)?;
        line.push_str(&format!(" {operation}"));
    }
    Ok(line)
}

fn san(state: &State, mv: Packed) -> PyResult<String> {
    let mv = state.resolve(mv)?.ok_or_else(|| error("a null move cannot be written"))?;
    Ok(San::new(state.position(), mv).to_string())
}

/// The operands of a value: a move, a number, a text, or several of them.
fn flatten(state: &State, value: &Bound<'_, PyAny>, operands: &mut Vec<String>) -> PyResult<()> {
    if value.is_none() {
        return Ok(());
    }
    if let Ok(mv) = value.cast::<PyMove>() {
        operands.push(san(state, mv.get().0)?);
    } else if let Ok(text) = value.cast::<PyString>() {
        operands.push(text.to_str()?.to_owned());
    } else if !value.is_instance_of::<PyBool>()
        && (value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>())
    {
        operands.push(value.str()?.to_str()?.to_owned());
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        for value in value.try_iter()? {
            let value = value?;
            if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
                return Err(PyTypeError::new_err("an operand is a move, a number or a text"));
            }
            flatten(state, &value, operands)?;
        }
    } else {
        return Err(PyTypeError::new_err("an operand is a move, a number or a text"));
    }
    Ok(())
}
