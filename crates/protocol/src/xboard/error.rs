//! Errors of the parser.

/// A line that is not a command, or a command with wrong arguments. Long words are truncated. The text fits into the
/// brackets of `Error (…): LINE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CommandError {
    /// The line is neither a command nor a move.
    #[error("unknown command")]
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
    #[error("{command}: '{word}' is not {expected}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The expected argument.
        expected: &'static str,
        /// The word found.
        word: String,
    },
    /// A number or time below zero where there is none.
    #[error("bad value")]
    Negative {
        /// The command.
        command: &'static str,
    },
}
