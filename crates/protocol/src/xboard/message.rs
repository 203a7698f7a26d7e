//! What an engine says to its client.

use super::result::parse_reason;
use super::{Feature, GameResult, MoveText, Thinking};
use crate::number::Number;
use crate::words::{Words, is_blank};

/// A line from an engine to its client.
///
/// ```
/// use bartizan_protocol::xboard::{Message, MoveText};
/// assert_eq!(Message::parse("move e2e4\n"), Some(Message::Move(MoveText::Move("e2e4".parse().unwrap()))));
/// assert_eq!(Message::Pong(4).to_string(), "pong 4");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Message {
    /// `feature …`.
    Features(Vec<Feature>),
    /// `pong N`: the answer to `ping`.
    Pong(u32),
    /// `move M`; `N. ... M` and `My move is : M` of the first version of the protocol are read too.
    Move(MoveText),
    /// `Hint: M`: the answer to `hint`.
    Hint(MoveText),
    /// `Illegal move (REASON): M`: the engine refuses a move.
    IllegalMove {
        /// Why; empty when it does not say.
        reason: String,
        /// The move.
        mv: String,
    },
    /// `Error (REASON): COMMAND`: the engine does not understand, or cannot obey.
    Error {
        /// Why.
        reason: String,
        /// The command.
        command: String,
    },
    /// `resign`.
    Resign,
    /// `offer draw`.
    OfferDraw,
    /// `1-0 {REASON}`: the game is over, or a draw is claimed.
    Result {
        /// Who won.
        result: GameResult,
        /// Why.
        reason: String,
    },
    /// `telluser T`.
    TellUser(String),
    /// `tellusererror T`: also how an engine refuses a position.
    TellUserError(String),
    /// `tellopponent T`.
    TellOpponent(String),
    /// `tellothers T`.
    TellOthers(String),
    /// `tellall T`.
    TellAll(String),
    /// `tellics T`.
    TellIcs(String),
    /// `tellicsnoalias T`.
    TellIcsNoAlias(String),
    /// `askuser TAG T`: the client answers `TAG answer`.
    AskUser {
        /// One word.
        tag: String,
        /// The question.
        question: String,
    },
    /// The search so far.
    Thinking(Thinking),
    /// `stat01: …`: the answer to `.`.
    Status(Status),
    /// `# T`: for whoever reads the log.
    Debug(String),
    /// Any other text.
    Other(String),
}

/// How far an analysis is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Status {
    /// The time spent, in centiseconds.
    pub time: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// The depth of the search, in plies.
    pub ply: u32,
    /// Root moves not yet searched at this depth.
    pub moves_left: u32,
    /// Root moves.
    pub moves: u32,
    /// The move now being searched; empty when the engine does not say.
    pub current: String,
}

impl Message {
    /// Reads a line; `None` if it is blank. Nothing is an error: what is no message is [`Message::Other`].
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = Words::new(line);
        let whole = words.rest();
        let first = words.next()?;
        let text = |words: &Words<'_>| words.rest().to_owned();
        let message = match first {
            "feature" => Some(Self::Features(Feature::parse_list(words.rest()))),
            "pong" => {
                words.next().and_then(|word| word.parse().ok()).map(|number: Number| Self::Pong(number.saturate()))
            }
            "move" => words.next().map(|word| Self::Move(MoveText::parse(word))),
            "My" | "my" => parse_my_move(&words),
            "Hint:" => words.next().map(|word| Self::Hint(MoveText::parse(word))),
            "Illegal" => parse_illegal(words.rest()),
            "Error" => parse_bracket(words.rest()).map(|(reason, command)| Self::Error { reason, command }),
            "resign" => Some(Self::Resign),
            "offer" => (words.next() == Some("draw")).then_some(Self::OfferDraw),
            "telluser" => Some(Self::TellUser(text(&words))),
            "tellusererror" => Some(Self::TellUserError(text(&words))),
            "tellopponent" => Some(Self::TellOpponent(text(&words))),
            "tellothers" => Some(Self::TellOthers(text(&words))),
            "tellall" => Some(Self::TellAll(text(&words))),
            "tellics" if words.rest() == "resign" => Some(Self::Resign),
            "tellics" => Some(Self::TellIcs(text(&words))),
            "tellicsnoalias" => Some(Self::TellIcsNoAlias(text(&words))),
            "askuser" => words.next().map(|tag| Self::AskUser { tag: tag.to_owned(), question: text(&words) }),
            "stat01:" => parse_status(&mut words).map(Self::Status),
            _ => match first.strip_prefix('#') {
                Some(_) => Some(Self::Debug(whole.get(1..).unwrap_or_default().trim_matches(is_blank).to_owned())),
                None => parse_unnamed(first, &words, whole),
            },
        };
        Some(message.unwrap_or_else(|| Self::Other(whole.to_owned())))
    }
}

/// Results, thinking lines and moves of version 1, which all begin with a digit.
fn parse_unnamed(first: &str, words: &Words<'_>, whole: &str) -> Option<Message> {
    // An engine claims a result in full: neither `1/2` nor `*` is a claim.
    if matches!(first, "1-0" | "0-1" | "1/2-1/2")
        && let Ok(result) = first.parse()
    {
        return Some(Message::Result { result, reason: parse_reason(words) });
    }
    if let Some(thinking) = Thinking::parse(whole) {
        return Some(Message::Thinking(thinking));
    }
    let number = first.strip_suffix('.')?;
    let mut words = words.clone();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && words.next() == Some("...")).then(|| words.next().map(|word| Message::Move(MoveText::parse(word))))?
}

/// `My move is : e7e5`.
fn parse_my_move(words: &Words<'_>) -> Option<Message> {
    let rest = words.rest().strip_prefix("move is")?.trim_start_matches(|c| c == ':' || is_blank(c));
    Words::new(rest).next().map(|word| Message::Move(MoveText::parse(word)))
}

/// `move: M` or `move (REASON): M`.
fn parse_illegal(rest: &str) -> Option<Message> {
    let rest = rest.strip_prefix("move")?.trim_start_matches(is_blank);
    let (reason, mv) = match rest.strip_prefix(':') {
        Some(mv) => (String::new(), mv.trim().to_owned()),
        None if rest.is_empty() => Default::default(),
        None => parse_bracket(rest)?,
    };
    Some(Message::IllegalMove { reason, mv })
}

/// `(REASON): REST`; reasons may hold brackets themselves.
fn parse_bracket(rest: &str) -> Option<(String, String)> {
    let rest = rest.strip_prefix('(')?;
    let (reason, rest) = rest.split_once("):").or_else(|| rest.split_once(')')).unwrap_or((rest, ""));
    Some((reason.trim().to_owned(), rest.trim_start_matches(':').trim().to_owned()))
}

fn parse_status(words: &mut Words<'_>) -> Option<Status> {
    let mut number = || words.next()?.parse::<Number>().ok();
    let (time, nodes, ply, left, moves) = (number()?, number()?, number()?, number()?, number()?);
    Some(Status {
        time: time.saturate(),
        nodes: nodes.saturate(),
        ply: ply.saturate(),
        moves_left: left.saturate(),
        moves: moves.saturate(),
        current: words.rest().to_owned(),
    })
}
