//! Errors of reading a move.

use super::San;
use alloc::string::String;
use alloc::vec::Vec;
use bartizan_types::Move;
use core::fmt;

/// The error of reading a move of a position. `text` holds the beginning of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is not a move in any supported notation.
    #[error("invalid move '{text}'")]
    Syntax {
        /// The text.
        text: String,
    },
    /// No piece that the text may denote can reach the target square.
    #[error("no legal move matches '{text}'")]
    NoSuchMove {
        /// The text.
        text: String,
    },
    /// Several legal moves match.
    #[error("ambiguous move '{text}': it could be {}", Alternatives(.candidates))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that match.
        candidates: Vec<Move>,
    },
    /// The move would leave the king in check, or castling is not possible.
    #[error("illegal move '{text}'")]
    Illegal {
        /// The text.
        text: String,
    },
    /// The move is legal, but the text is not that of the standard. Only strict reading returns it.
    #[error("'{text}' is not standard notation: expected '{san}'")]
    NotStandard {
        /// The text.
        text: String,
        /// The text in the standard.
        san: San,
    },
    /// A null move (`--`, `Z0`), as annotators write it.
    #[error("a null move cannot be played")]
    NullMove,
}

struct Alternatives<'a>(&'a [Move]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mv) in self.0.iter().enumerate() {
            write!(f, "{}{mv}", if i == 0 { "" } else { " or " })?;
        }
        Ok(())
    }
}
