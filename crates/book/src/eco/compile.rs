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
    /// The keys of the positions after each move.
    pub(crate) keys: Vec<u64>,
    /// The number of pieces after the last move.
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
        if let Some(other) = line.keys.last().and_then(|&key| seen.insert(key, number)) {
            return Err(fault(format!("line {other} has the same position")));
        }
        lines.push(line);
    }
    Ok(lines)
}

/// The line that names each position of the table, by its index.
///
/// A position at the end of a line has this line. A position that lines only go through has the line that ends last
/// before it: of several the longest, of equally long ones the last of the table, which has the greatest code.
pub(crate) fn names(lines: &[Line<'_>]) -> BTreeMap<u64, usize> {
    let ends: BTreeMap<u64, usize> =
        (0..).zip(lines).filter_map(|(index, line)| Some((*line.keys.last()?, index))).collect();
    let mut best: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for line in lines {
        let mut before = None;
        for (plies, key) in (1..).zip(&line.keys) {
            before = ends.get(key).map(|&index| (plies, index)).or(before);
            if let Some(named) = before {
                best.entry(*key).and_modify(|other| *other = named.max(*other)).or_insert(named);
            }
        }
    }
    best.into_iter().map(|(key, (_, index))| (key, index)).collect()
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
    let (mut position, mut keys) = (Position::startpos(), Vec::new());
    for san in split_moves(moves) {
        let mv = parse_san(&position, san).map_err(|error| error.to_string())?;
        position = position.play_unchecked(mv);
        keys.push(position.key().0);
    }
    if keys.is_empty() {
        return Err("there are no moves".to_owned());
    }
    Ok(Line { code, name, moves, keys, pieces: position.occupied().count() })
}

fn is_code(code: &str) -> bool {
    matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'])
}
