//! What a line can do wrong.

use bartizan_types::ParseError;

/// A line that is no command, or a command that cannot be obeyed. Long words are cut, so that the text fits into an
/// `info string`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("unknown command `{word}`")]
    Unknown {
        /// The first word of the line.
        word: String,
    },
    /// The line ends too early.
    #[error("{command}: {argument} is missing")]
    Missing {
        /// The command.
        command: &'static str,
        /// What should have followed.
        argument: &'static str,
    },
    /// A word stands where another belongs.
    #[error("{command}: word {number} is `{word}`, expected {expected}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
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
    /// A word after a keyword of `go` is no number.
    #[error("go {keyword}: word {number} is `{word}`, expected a number")]
    Number {
        /// The keyword.
        keyword: &'static str,
        /// What follows it.
        word: String,
        /// Which word of the line it is, counted from 1.
        number: usize,
    },
    /// A word in a list of moves is no move.
    #[error("{command}: move {number} `{word}` is {source}")]
    Move {
        /// The command, or the keyword of `go`.
        command: &'static str,
        /// What stands in the list.
        word: String,
        /// Which move of the list it is, counted from 1.
        number: usize,
        /// What is wrong with it.
        source: ParseError,
    },
    /// A list of moves holds the null move, which no player can make.
    #[error("{command}: move {number} is the null move 0000, which cannot be played")]
    NullMove {
        /// The command, or the keyword of `go`.
        command: &'static str,
        /// Which move of the list it is, counted from 1.
        number: usize,
    },
}

/// A line of an engine that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MessageError {
    /// The line begins with no word of the protocol. Many engines greet with such a line; a client may skip it.
    #[error("unknown message `{word}`")]
    Unknown {
        /// The first word of the line.
        word: String,
    },
    /// The line ends too early.
    #[error("{message}: {argument} is missing")]
    Missing {
        /// The first word of the message.
        message: &'static str,
        /// What should have followed.
        argument: &'static str,
    },
    /// A word stands where another belongs.
    #[error("{message}: word {number} is `{word}`, expected {expected}")]
    Unexpected {
        /// The first word of the message.
        message: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        word: String,
        /// Which word of the line it is, counted from 1.
        number: usize,
    },
    /// The best move is no move.
    #[error("bestmove: `{word}` is {source}")]
    Move {
        /// What stands there.
        word: String,
        /// What is wrong with it.
        source: ParseError,
    },
}
