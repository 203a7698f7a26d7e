//! Why a text is no move of a position.

use bartizan_types::Move;
use std::fmt;

/// Why a text is no move of a position. The texts are cut to their first 20 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text is no move in any notation known here.
    #[error("'{}' is no move", .text.escape_debug())]
    Syntax {
        /// The text.
        text: String,
    },
    /// It is a move, but no such piece can go there.
    #[error("{text}: no such move here")]
    NoSuchMove {
        /// The text.
        text: String,
    },
    /// Several legal moves fit.
    #[error("{text}: ambiguous, it may be {}", Alternatives(.candidates))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that fit.
        candidates: Vec<Move>,
    },
    /// A piece could go there, were it not for the king's safety; or castling is not allowed.
    #[error("{text}: not legal here")]
    Illegal {
        /// The text.
        text: String,
    },
    /// A null move (`--`, `Z0`): somebody passes, which is no move of chess.
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
