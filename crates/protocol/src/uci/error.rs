//! Errors of the parsers.

/// A line that is not a command, or a command with wrong arguments. Long words are truncated, so that the text fits
/// into an `info string`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CommandError {
    /// The line contains no command.
    #[error("unknown command '{word}'")]
    Unknown {
        /// The first word of the line.
        word: String,
    },
    /// The line ends too early.
    #[error("{command}: {argument} is missing")]
    Missing {
        /// The command.
        command: &'static str,
        /// The missing argument.
        argument: &'static str,
    },
    /// A word is not the expected one.
    #[error("{command}: expected {expected}, found '{word}' (word {number})")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The expected word.
        expected: &'static str,
        /// The word found.
        word: String,
        /// Which word of the line it is, counted from 1.
        number: usize,
    },
    /// The line ends after a keyword of `go` that needs a number.
    #[error("go {keyword}: the number is missing")]
    MissingNumber {
        /// The keyword.
        keyword: &'static str,
    },
    /// The word after a keyword of `go` is not a number.
    #[error("go {keyword}: expected a number, found '{word}' (word {number})")]
    Number {
        /// The keyword.
        keyword: &'static str,
        /// The word found.
        word: String,
        /// Which word of the line it is, counted from 1.
        number: usize,
    },
    /// A word in a list of moves is not a move.
    #[error("{command}: invalid move '{word}' (move {number} of the list): expected a move such as e2e4 or e7e8q")]
    Move {
        /// The command, or the keyword of `go`.
        command: &'static str,
        /// The word found.
        word: String,
        /// Which move of the list it is, counted from 1.
        number: usize,
    },
    /// A list of moves contains the null move, which is not legal in a game.
    #[error("{command}: move {number} is the null move 0000, which cannot be played")]
    NullMove {
        /// The command, or the keyword of `go`.
        command: &'static str,
        /// Which move of the list it is, counted from 1.
        number: usize,
    },
}

impl CommandError {
    /// The command with the fault; `None` if the line contains no command.
    pub fn command(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } => None,
            Self::Missing { command, .. }
            | Self::Unexpected { command, .. }
            | Self::Move { command, .. }
            | Self::NullMove { command, .. } => Some(command),
            Self::MissingNumber { .. } | Self::Number { .. } => Some("go"),
        }
    }
}

/// A line of an engine that is not a valid message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MessageError {
    /// The line does not begin with a keyword of the protocol. Many engines print such a line when they start; a client
    /// may skip it.
    #[error("unknown message '{word}'")]
    Unknown {
        /// The first word of the line.
        word: String,
    },
    /// The line ends too early.
    #[error("{message}: {argument} is missing")]
    Missing {
        /// The first word of the message.
        message: &'static str,
        /// The missing argument.
        argument: &'static str,
    },
    /// A word is not the expected one.
    #[error("{message}: expected {expected}, found '{word}' (word {number})")]
    Unexpected {
        /// The first word of the message.
        message: &'static str,
        /// The expected word.
        expected: &'static str,
        /// The word found.
        word: String,
        /// Which word of the line it is, counted from 1.
        number: usize,
    },
    /// The best move is not a move.
    #[error("bestmove: invalid move '{word}': expected a move such as e2e4 or e7e8q")]
    Move {
        /// The word.
        word: String,
    },
}
