//! Checks a table of openings and finds the position of each line. Used by the build script and the tests.

use bartizan_notation::san::{parse_san, split_moves};
use bartizan_position::Position;
use std::collections::BTreeMap;
use std::fmt;

/// A line of the table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) code: &'a str,
    pub(crate) name: &'a str,
    pub(crate) moves: &'a str,
    /// The key of the position after the moves.
    pub(crate) key: u64,
    /// The number of pieces in that position.
    pub(crate) pieces: u32,
}

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The number of the line, from 1; 0 for the table as a whole.
    line: usize,
    what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Parses a table: in each line a code, a name and the moves, separated by tabs.
///
/// # Errors
/// A malformed line, an illegal move, or a position that another line has as well.
pub(crate) fn compile(text: &str) -> Result<Vec<Line<'_>>, Fault> {
    let mut lines = Vec::new();
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    for (number, text) in (1..).zip(text.lines()) {
        let fault = |what: String| Fault { line: number, what };
        let line = parse(text).map_err(fault)?;
        if let Some(other) = seen.insert(line.key, number) {
            return Err(fault(format!("line {other} has the same position")));
        }
        lines.push(line);
    }
    Ok(lines)
}

fn parse(text: &str) -> Result<Line<'_>, String> {
    let mut fields = text.split('\t');
    let (Some(code), Some(name), Some(moves), None) = (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err("expected a code, a name and moves, separated by tabs".to_owned());
    };
    if !is_code(code) {
        return Err(format!("'{code}' is not a code from A00 to E99"));
    }
    if name.is_empty() || !name.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
        return Err(format!("'{name}' is not a name of printable ASCII characters without quotes"));
    }
    let mut position = Position::startpos();
    for san in split_moves(moves) {
        let mv = parse_san(&position, san).map_err(|error| error.to_string())?;
        position = position.play_unchecked(mv);
    }
    if position == Position::startpos() {
        return Err("there are no moves".to_owned());
    }
    Ok(Line { code, name, moves, key: position.key().0, pieces: position.occupied().count() })
}

fn is_code(code: &str) -> bool {
    matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'])
}
