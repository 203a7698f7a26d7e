//! What can be wrong with a game, and where.

use crate::san::SanError;
use bartizan_position::PositionError;
use std::io;

/// What is wrong with a game, and where.
#[derive(Debug, thiserror::Error)]
#[error("game {game}, line {line}, column {column}: {kind}")]
pub struct PgnError {
    /// The number of the game in the file, from 1; faulty games count.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What can be wrong with a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A move that cannot be played.
    #[error(transparent)]
    San(#[from] SanError),
    /// The tag `FEN` holds no legal position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tag `Variant` names a game that is not chess.
    #[error("the variant '{}' is not known", .0.escape_debug())]
    Variant(String),
    /// `[` without a name, a value in quotation marks and `]` behind it.
    #[error("a tag must be a name and a text in quotation marks: [Event \"?\"]")]
    Tag,
    /// A character that means nothing where it stands.
    #[error("'{}' is out of place", .0.escape_debug())]
    Unexpected(char),
    /// A comment without `}`.
    #[error("the comment that begins here has no end")]
    UnterminatedComment,
    /// A variation without `)`.
    #[error("a variation has no end")]
    UnterminatedVariation,
    /// A line above 1 MiB, or a game above 16 MiB.
    #[error("too long")]
    TooLong,
}
