//! Errors of reading EPDs.

use crate::san::SanError;
use bartizan_position::PositionError;
use std::io;

/// The error of reading an EPD. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The position is invalid or illegal.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// An operation does not begin with an opcode: a letter, then letters, digits and underscores.
    #[error("column {column}: invalid opcode '{found}'")]
    Opcode {
        /// The text in its place.
        found: String,
        /// The column of the text.
        column: usize,
    },
    /// A string lacks its closing quotation mark.
    #[error("column {column}: unterminated string")]
    UnterminatedString {
        /// The column of the opening quotation mark.
        column: usize,
    },
    /// The operand of `hmvc` or `fmvn` is not a number from 0 to 9,999.
    #[error("column {column}: '{opcode}' needs a number from 0 to 9999")]
    Counter {
        /// The opcode.
        opcode: String,
        /// The column of the operation.
        column: usize,
    },
    /// An operand is not a legal move.
    #[error("{opcode}: {error}")]
    Move {
        /// The opcode.
        opcode: String,
        /// The error of the move.
        error: SanError,
    },
    /// An operand is missing or of the wrong type.
    #[error("{opcode}: expected {expected}, found '{found}'")]
    Operand {
        /// The opcode.
        opcode: String,
        /// The operand; empty if it is missing.
        found: String,
        /// The expected operand.
        expected: &'static str,
    },
    /// The line is longer than 1 MiB.
    #[error("the line is too long")]
    TooLong,
}

/// The error of reading a file of EPDs, with its line.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {kind}")]
#[non_exhaustive]
pub struct EpdReadError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The kind of error.
    pub kind: EpdReadErrorKind,
}

/// The kind of error in a file of EPDs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EpdReadErrorKind {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The line is not a valid EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
}
