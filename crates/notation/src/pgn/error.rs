//! Errors of reading PGN.

use crate::san::SanError;
use bartizan_position::PositionError;
use std::io;

/// The error of reading a game, with its place in the file.
#[derive(Debug, thiserror::Error)]
#[error("game {game}, line {line}, column {column}: {kind}")]
#[non_exhaustive]
pub struct PgnError {
    /// The number of the game in the file, from 1. Invalid games count.
    pub game: usize,
    /// The number of the line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The kind of error.
    pub kind: PgnErrorKind,
}

/// The kind of error in a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A move is invalid, illegal or ambiguous.
    #[error(transparent)]
    San(#[from] SanError),
    /// The tag `FEN` does not contain a legal position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tag `Variant` names a variant other than chess and Chess960.
    #[error("unsupported variant '{}'", .0.escape_debug())]
    Variant(String),
    /// A tag is not of the form `[Name "value"]`.
    #[error("invalid tag: expected a name and a quoted value, such as [Event \"?\"]")]
    Tag,
    /// A character that is not valid in its place.
    #[error("unexpected '{}'", .0.escape_debug())]
    Unexpected(char),
    /// A comment lacks its `}`.
    #[error("unterminated comment")]
    UnterminatedComment,
    /// A variation lacks its `)`.
    #[error("unterminated variation")]
    UnterminatedVariation,
    /// A comment exceeds 1 MiB, a game 16 MiB, or a game tree 256 MiB of memory.
    #[error("the comment or game is too long")]
    TooLong,
    /// A text that should be one game has none.
    #[error("there is no game")]
    NoGame,
    /// A text that should be one game has more.
    #[error("there is more than one game")]
    SeveralGames,
}
