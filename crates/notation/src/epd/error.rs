//! What can be wrong with a line, and with a file of lines.

use crate::san::SanError;
use bartizan_position::PositionError;
use std::io;

/// What is wrong with an EPD. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The position is wrong. Where the text is, the error names the column.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An operation must begin with an opcode: a letter, then letters, digits and underscores.
    #[error("column {column}: '{}' is no opcode", .found.escape_debug())]
    Opcode {
        /// What stands there instead.
        found: String,
        /// Where it begins.
        column: usize,
    },
    /// A string without its second quotation mark.
    #[error("column {column}: the string that begins here has no end")]
    UnterminatedString {
        /// Where the string begins.
        column: usize,
    },
    /// `hmvc` or `fmvn` without a number up to 9,999.
    #[error("column {column}: {opcode} needs a number up to 9999")]
    Counter {
        /// The opcode.
        opcode: String,
        /// Where the operation begins.
        column: usize,
    },
    /// An operand that should be a move is none.
    #[error("{opcode}: {error}")]
    Move {
        /// The opcode.
        opcode: String,
        /// What is wrong with the move.
        error: SanError,
    },
    /// An operand is missing, or is no number of the kind that belongs there.
    #[error("{opcode}: '{}' is no {expected}", .found.escape_debug())]
    Operand {
        /// The opcode.
        opcode: String,
        /// The operand; empty if it is missing.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// The line is longer than 1 MiB.
    #[error("the line is too long")]
    TooLong,
}

/// What is wrong with a file of EPDs, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
pub struct EpdReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: EpdReadErrorKind,
}

/// What is wrong with a file of EPDs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EpdReadErrorKind {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The line is no EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
}
