//! Extended Position Description (EPD): positions with annotations, one per line.
//!
//! The standard: Steven J. Edwards, "PGN Specification and Implementation Guide" (1994), section 16.2. The reader also
//! accepts a complete FEN before the operations and a missing last semicolon.
//!
//! ```
//! use bartizan_notation::epd::{Epd, read_epd};
//!
//! let sts = r#"1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; c0 "f5=10, Be5+=2, Bf2=3";"#;
//! let epd = Epd::parse(sts)?;
//! let points = epd.points("c0")?;
//! assert_eq!(points[0], (epd.best_moves()?[0], 10));
//! assert_eq!(points.len(), 3);
//! assert_eq!(epd.to_string(), sts);
//!
//! // A perft suite.
//! let start = Epd::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400")?;
//! assert_eq!(start.perft_counts()?, [(1, 20), (2, 400)]);
//!
//! // Errors of a file name the line.
//! let file = "8/8/8/8/8/8/8/K1k5 w - - id \"bare kings\";\n\n8/8/8/8/8/8/8/8 w - - dm 3;\n";
//! let mut lines = read_epd(file.as_bytes());
//! assert!(lines.next().unwrap().is_ok());
//! let error = lines.next().unwrap().unwrap_err();
//! assert_eq!(error.to_string(), "line 3: illegal position: white has no king; black has no king");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod operation;
mod parse;
mod problem;
mod reader;
mod values;
mod write;

pub use error::{EpdError, EpdReadError, EpdReadErrorKind};
pub use operation::{Operation, OperationError};
pub use problem::Problem;
pub use reader::{EpdReader, read_epd};

use bartizan_position::Position;

/// A position and its annotations, called operations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Epd {
    /// The position. The opcodes `hmvc` and `fmvn` set its counters.
    pub position: Position,
    /// The operations in order. `hmvc` and `fmvn` are not included: they are part of the position.
    #[cfg_attr(feature = "serde", serde(default))]
    pub operations: Vec<Operation>,
}

impl Epd {
    /// Creates an EPD without operations.
    pub fn new(position: Position) -> Self {
        Self { position, operations: Vec::new() }
    }

    /// The first operation with the given opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode == opcode)
    }

    /// The first operand of the first operation with the given opcode.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        self.operation(opcode)?.operands.first().map(String::as_str)
    }

    /// Adds an operation, or replaces the first one with the same opcode.
    pub fn set(&mut self, operation: Operation) {
        match self.operations.iter_mut().find(|old| old.opcode == operation.opcode) {
            Some(old) => *old = operation,
            None => self.operations.push(operation),
        }
    }
}

/// The starting position, without operations.
impl Default for Epd {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

impl From<Position> for Epd {
    fn from(position: Position) -> Self {
        Self::new(position)
    }
}
