//! Errors of reading PGN, and problems that a reader can live with.

use super::MoveText;
use crate::san::SanError;
use bartizan_position::{Position, PositionError};
use bartizan_types::{CastlingRights, GameResult, Move};
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
    /// The tag `FEN` does not contain a legal position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tag `Variant` names a variant other than chess and Chess960.
    #[error("unsupported variant '{0}'")]
    Variant(String),
    /// A comment exceeds 1 MiB, a game 16 MiB, or a game tree 256 MiB of memory. The text says which.
    #[error("too long: {0}")]
    TooLong(&'static str),
    /// A text that should be one game has none.
    #[error("there is no game")]
    NoGame,
    /// A text that should be one game has more.
    #[error("there is more than one game")]
    SeveralGames,
    /// Something that a reader mends. Only a strict reader returns it as an error.
    #[error("{0}")]
    Problem(#[from] PgnProblemKind),
}

impl From<SanError> for PgnErrorKind {
    fn from(error: SanError) -> Self {
        Self::Problem(error.into())
    }
}

/// A fault in the text of a game that did not keep the game from being read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}{}", .kind.remedy())]
#[non_exhaustive]
pub struct PgnProblem {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: PgnProblemKind,
}

impl PgnProblem {
    /// The most problems of a game that are kept.
    const LIMIT: usize = 100;

    /// Adds the problem to those of a game.
    pub(super) fn add_to(self, problems: &mut Vec<Self>) {
        if problems.len() < Self::LIMIT {
            problems.push(self);
        }
    }
}

/// What a reader does about a problem in the text of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// It mends the text and tells the problem.
    #[default]
    Lenient,
    /// As [`Strictness::Lenient`], but a game whose moves cannot all be read is an error.
    Moves,
    /// Every problem is an error, and so is every move that is not written as the standard says.
    Strict,
}

impl Strictness {
    /// Finds the move that a text denotes.
    #[inline]
    pub(super) fn find(self, text: MoveText<'_>, position: &Position) -> Result<Move, SanError> {
        if self == Self::Strict { text.find_strict(position) } else { text.find(position) }
    }

    /// Whether a problem is an error.
    pub(super) fn refuses(self, kind: &PgnProblemKind) -> bool {
        match self {
            Self::Lenient => false,
            Self::Moves => kind.ends_line() || matches!(kind, PgnProblemKind::UnterminatedComment),
            Self::Strict => true,
        }
    }
}

/// What is wrong in the text of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PgnProblemKind {
    /// A word is not a move, or the move is illegal or ambiguous. The line ends before it: the main line or the
    /// variation. Its remaining text is kept as a comment.
    #[error(transparent)]
    Move(#[from] SanError),
    /// A capture by a pawn is written as an advance. It is played.
    #[error("'{text}' is a capture in this position")]
    HiddenCapture {
        /// The text of the move.
        text: String,
    },
    /// The tag `FEN` has castling rights that standard chess does not have, and no tag `Variant` names Chess960. They
    /// are dropped.
    #[error("castling rights {0} exist only in Chess960, which no tag Variant names")]
    Castling(CastlingRights),
    /// A character that is not valid in its place. The line ends before it, as before an invalid move.
    #[error("unexpected '{0}'")]
    Unexpected(char),
    /// A `)` without a `(`. It is skipped.
    #[error("unexpected ')'")]
    Parenthesis,
    /// A `}` without a `{`. It is skipped.
    #[error("unexpected '}}'")]
    Brace,
    /// A glyph whose number is missing or above 255. It is skipped.
    #[error("no glyph has this number: '{0}'")]
    Glyph(String),
    /// The move numbers of a line go back, or one comes again behind two moves. It is read as one line, but it may be
    /// two games, the first of them without a result.
    #[error("move number {number} behind {previous}: perhaps a result is missing before it")]
    Number {
        /// The number.
        number: u32,
        /// The number before it.
        previous: u32,
    },
    /// Text in angle brackets, which the standard reserves for later use. It is skipped.
    #[error("'<' is reserved for extensions of PGN")]
    Reserved,
    /// A tag is not of the form `[Name "value"]`. It is skipped.
    #[error("invalid tag: expected a name and a quoted value, such as [Event \"?\"]")]
    Tag,
    /// A tag of more than 128 KiB. It is skipped.
    #[error("the tag is longer than 128 KiB")]
    TagTooLong,
    /// The game has a tag of this name already. The first one counts.
    #[error("repeated tag '{0}'")]
    RepeatedTag(String),
    /// The tag `Result` and the result behind the moves differ. The latter counts, unless it is `*`.
    #[error("the tag Result says {tag}, the movetext {movetext}")]
    Result {
        /// The value of the tag.
        tag: GameResult,
        /// The result behind the moves.
        movetext: GameResult,
    },
    /// The game ends without a result behind the moves: it may have been cut off. The value of the tag `Result` counts.
    #[error("the game ends without a result{}", tag_result(*.0))]
    NoResult(GameResult),
    /// There is text between the result and the next game. It is skipped.
    #[error("unexpected text after the result: '{0}'")]
    AfterResult(String),
    /// A comment lacks its `}`. It ends with the input, or before a line that begins the next game.
    #[error("unterminated comment")]
    UnterminatedComment,
    /// A comment contains `{`: perhaps another one lacks its `}`. It is kept.
    #[error("'{{' in a comment")]
    NestedComment,
    /// A variation lacks its `)`. It ends with the game.
    #[error("unterminated variation")]
    UnterminatedVariation,
}

impl PgnProblemKind {
    /// Whether the line ends at the problem.
    pub(super) fn ends_line(&self) -> bool {
        matches!(self, Self::Move(_) | Self::Unexpected(_))
    }

    /// What a reader does about the problem, as the end of a message.
    fn remedy(&self) -> &'static str {
        match self {
            Self::Move(_) | Self::Unexpected(_) => "; the rest of the line is kept as a comment",
            Self::Parenthesis
            | Self::Brace
            | Self::Glyph(_)
            | Self::Reserved
            | Self::Tag
            | Self::TagTooLong
            | Self::AfterResult(_) => "; skipped",
            Self::HiddenCapture { .. } => "; played",
            Self::Number { .. } => "; read as one game",
            Self::Castling(_) => "; dropped",
            Self::RepeatedTag(_) => "; the first one counts",
            Self::NoResult(GameResult::Unknown) => "; it may have been cut off",
            Self::Result { movetext: GameResult::Unknown, .. } | Self::NoResult(_) => "; the tag counts",
            Self::Result { .. } => "; the movetext counts",
            Self::NestedComment => "; kept",
            Self::UnterminatedComment => "; it ends before the next game",
            Self::UnterminatedVariation => "; it ends with the game",
        }
    }
}

/// What the tag `Result` says of a game that ends without a result, for a message.
fn tag_result(tag: GameResult) -> String {
    if tag == GameResult::Unknown { String::new() } else { format!(", where the tag Result says {tag}") }
}
