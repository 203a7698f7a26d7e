//! The messages of an engine.

use super::moves::NULL_MOVE;
use super::{Info, MessageError, OptionDecl};
use crate::tokens::{Tokens, excerpt, write_text};
use bartizan_types::UciMove;
use std::fmt;

/// A line from an engine to its client.
///
/// ```
/// use bartizan_protocol::uci::Message;
///
/// let message = Message::parse("bestmove e2e4 ponder e7e5\n").unwrap().unwrap();
/// let Message::BestMove { best, ponder } = &message else { panic!() };
/// assert_eq!(*best, "e2e4".parse().ok());
/// assert_eq!(*ponder, "e7e5".parse().ok());
/// assert_eq!(message.to_string(), "bestmove e2e4 ponder e7e5");
/// assert_eq!(Message::BestMove { best: None, ponder: None }.to_string(), "bestmove (none)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Message {
    /// `id name …` or `id author …`.
    Id(Id),
    /// `option name … type …`.
    Option(OptionDecl),
    /// `uciok`: the end of the answer to `uci`.
    UciOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `bestmove M [ponder M]`: the end of a search.
    BestMove {
        /// The move; `None`, written `(none)`, if there is no legal move.
        best: Option<UciMove>,
        /// The expected reply. Not written without a best move.
        ponder: Option<UciMove>,
    },
    /// `info …`.
    Info(Info),
    /// `copyprotection …`.
    CopyProtection(CheckStatus),
    /// `registration …`.
    Registration(CheckStatus),
}

/// The identity of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Id {
    /// The name and version.
    Name(String),
    /// The authors.
    Author(String),
}

/// The state of a check of copy protection or registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum CheckStatus {
    /// Running.
    Checking,
    /// Passed.
    Ok,
    /// Failed.
    Error,
}

impl Message {
    /// `info string …`: free text for the user.
    pub fn info_string(text: impl Into<String>) -> Self {
        Self::Info(Info { string: Some(text.into()), ..Info::default() })
    }

    /// Parses a line; `None` if it is blank.
    ///
    /// Unlike a command, a message must begin with its keyword: engines print free text, in which words such as
    /// `option` or `id` have no meaning. An invalid `ponder` move is dropped, since the best move is still valid.
    ///
    /// # Errors
    /// If the line is not a message, or an argument is missing or wrong. `info` is never an error.
    pub fn parse(line: &str) -> Result<Option<Self>, MessageError> {
        let mut words = Tokens::new(line);
        let Some(first) = words.next() else { return Ok(None) };
        Ok(Some(match first {
            "id" => Self::Id(parse_id(&mut words)?),
            "option" => Self::Option(OptionDecl::parse(&mut words)?),
            "uciok" => Self::UciOk,
            "readyok" => Self::ReadyOk,
            "bestmove" => parse_bestmove(&mut words)?,
            "info" => Self::Info(Info::parse(&mut words)),
            "copyprotection" => Self::CopyProtection(parse_status(&mut words, "copyprotection")?),
            "registration" => Self::Registration(parse_status(&mut words, "registration")?),
            _ => return Err(MessageError::Unknown { word: excerpt(first) }),
        }))
    }
}

fn parse_id(words: &mut Tokens<'_>) -> Result<Id, MessageError> {
    let expected = "'name' or 'author'";
    match words.next() {
        Some("name") => Ok(Id::Name(words.rest().to_owned())),
        Some("author") => Ok(Id::Author(words.rest().to_owned())),
        Some(word) => {
            Err(MessageError::Unexpected { message: "id", expected, word: excerpt(word), number: words.number() })
        }
        None => Err(MessageError::Missing { message: "id", argument: expected }),
    }
}

fn parse_bestmove(words: &mut Tokens<'_>) -> Result<Message, MessageError> {
    let best = match words.next() {
        None => return Err(MessageError::Missing { message: "bestmove", argument: "the move" }),
        Some("(none)" | "none" | "NULL" | "null" | NULL_MOVE) => None,
        Some(word) => Some(word.parse().map_err(|_| MessageError::Move { word: excerpt(word) })?),
    };
    let ponder = match (best, words.next()) {
        (Some(_), Some("ponder")) => words.next().and_then(|word| word.parse().ok()),
        _ => None,
    };
    Ok(Message::BestMove { best, ponder })
}

fn parse_status(words: &mut Tokens<'_>, message: &'static str) -> Result<CheckStatus, MessageError> {
    let expected = "'checking', 'ok' or 'error'";
    match words.next() {
        Some("checking") => Ok(CheckStatus::Checking),
        Some("ok") => Ok(CheckStatus::Ok),
        Some("error") => Ok(CheckStatus::Error),
        Some(word) => Err(MessageError::Unexpected { message, expected, word: excerpt(word), number: words.number() }),
        None => Err(MessageError::Missing { message, argument: expected }),
    }
}

/// `checking`, `ok` or `error`.
impl fmt::Display for CheckStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        })
    }
}

/// One line, without its end.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(Id::Name(name)) => {
                f.write_str("id name")?;
                write_text(f, name)
            }
            Self::Id(Id::Author(author)) => {
                f.write_str("id author")?;
                write_text(f, author)
            }
            Self::Option(option) => write!(f, "option {option}"),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::BestMove { best: None, .. } => f.write_str("bestmove (none)"),
            Self::BestMove { best: Some(best), ponder: None } => write!(f, "bestmove {best}"),
            Self::BestMove { best: Some(best), ponder: Some(ponder) } => write!(f, "bestmove {best} ponder {ponder}"),
            Self::Info(info) => {
                f.write_str("info")?;
                info.write(f)
            }
            Self::CopyProtection(status) => write!(f, "copyprotection {status}"),
            Self::Registration(status) => write!(f, "registration {status}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Message {
        Message::parse(line).unwrap().unwrap()
    }

    fn error(line: &str) -> String {
        Message::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn plain_messages() {
        let messages = [
            (Message::UciOk, "uciok"),
            (Message::ReadyOk, "readyok"),
            (Message::CopyProtection(CheckStatus::Checking), "copyprotection checking"),
            (Message::CopyProtection(CheckStatus::Ok), "copyprotection ok"),
            (Message::Registration(CheckStatus::Error), "registration error"),
        ];
        for (message, line) in messages {
            assert_eq!(message.to_string(), line);
            assert_eq!(parse(&format!("  {line}\r\n")), message);
        }
        assert_eq!(Message::parse("\r\n"), Ok(None));
    }

    #[test]
    fn id() {
        assert_eq!(parse("id name Bartizan  0.1 "), Message::Id(Id::Name("Bartizan  0.1".to_owned())));
        assert_eq!(parse("id author A. B. and C"), Message::Id(Id::Author("A. B. and C".to_owned())));
        assert_eq!(Message::Id(Id::Name("Bartizan 0.1\nuciok".to_owned())).to_string(), "id name Bartizan 0.1 uciok");
        assert_eq!(Message::Id(Id::Author(String::new())).to_string(), "id author");
        assert_eq!(parse("id author"), Message::Id(Id::Author(String::new())));
        assert_eq!(error("id"), "id: 'name' or 'author' is missing");
        assert_eq!(error("id country X"), "id: expected 'name' or 'author', found 'country' (word 2)");
    }

    #[test]
    fn bestmove() {
        let none = Message::BestMove { best: None, ponder: None };
        for line in ["bestmove (none)", "bestmove 0000", "bestmove NULL", "bestmove (none) ponder e2e4"] {
            assert_eq!(parse(line), none, "{line}");
        }
        let best = "e7e8q".parse().ok();
        let alone = Message::BestMove { best, ponder: None };
        for rest in ["", " ponder", " ponder (none)", " ponder 0000", " ponder later", " and more"] {
            assert_eq!(parse(&format!("bestmove e7e8q{rest}")), alone, "{rest}");
        }
        let both = Message::BestMove { best, ponder: "a2a3".parse().ok() };
        assert_eq!(parse("bestmove e7e8q ponder a2a3"), both);
        assert_eq!(both.to_string(), "bestmove e7e8q ponder a2a3");
        assert_eq!(error("bestmove"), "bestmove: the move is missing");
        assert!(error("bestmove Nf3").starts_with("bestmove: invalid move 'Nf3': "));
    }

    #[test]
    fn greetings_are_no_messages() {
        assert_eq!(error("Deep Thing 3 by Someone, option id info ready"), "unknown message 'Deep'");
        assert_eq!(
            error("copyprotection maybe"),
            "copyprotection: expected 'checking', 'ok' or 'error', found 'maybe' (word 2)"
        );
        assert_eq!(error("registration"), "registration: 'checking', 'ok' or 'error' is missing");
    }
}
