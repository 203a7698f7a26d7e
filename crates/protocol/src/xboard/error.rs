//! What a command can do wrong.

/// A line that is no command, or a command that cannot be obeyed. Long words are cut. The text fits into the brackets of
/// `Error (…): LINE`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CommandError {
    /// The line begins with no command, and is no move.
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
        /// What should have followed.
        argument: &'static str,
    },
    /// A word stands where another belongs.
    #[error("{command}: `{word}` is not {expected}")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        word: String,
    },
}
