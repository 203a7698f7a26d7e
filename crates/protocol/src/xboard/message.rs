//! The messages of an engine.

use super::result::parse_reason;
use super::{Feature, GameResult, MoveText, Thinking};
use crate::number::Number;
use crate::tokens::{Tokens, is_blank};

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
    /// `move M`. Also parsed from `N ... M`, `N. ... M` and `My move is : M` of version 1 of the protocol.
    Move(MoveText),
    /// `Hint: M`: the answer to `hint`.
    Hint(MoveText),
    /// `Illegal move (REASON): M`: the engine rejects a move. Also parsed from `illegal move`, and without the colon.
    IllegalMove {
        /// The reason; may be empty.
        reason: String,
        /// The move.
        mv: String,
    },
    /// `Error (REASON): COMMAND`: the engine does not know a command or cannot execute it.
    Error {
        /// The reason.
        reason: String,
        /// The command.
        command: String,
    },
    /// `resign`. Also parsed from `computer resigns` of version 1.
    Resign,
    /// `offer draw`. Also parsed from any other line of words, among them `offer` and `draw`.
    OfferDraw,
    /// `1-0 {REASON}`: the game is over, or a draw is claimed. Also parsed from `White resigns`, `White mates`,
    /// `game is a draw` and the like of version 1; the reason is the line then.
    Result {
        /// The result.
        result: GameResult,
        /// The reason.
        reason: String,
    },
    /// `telluser T`.
    TellUser(String),
    /// `tellusererror T`. Engines also reject positions by it.
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
    /// `askuser TAG T`: a question, which the client answers with `TAG ANSWER`.
    AskUser {
        /// The tag: one word.
        tag: String,
        /// The question.
        question: String,
    },
    /// Thinking output.
    Thinking(Thinking),
    /// `stat01: …`: the answer to `.`.
    Status(Status),
    /// `# T`: a comment for the log.
    Debug(String),
    /// Any other text.
    Other(String),
}

/// The state of an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Status {
    /// The time spent in centiseconds.
    pub time: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// The depth in plies.
    pub ply: u32,
    /// The number of root moves that are still to be searched at this depth.
    pub moves_left: u32,
    /// The number of root moves.
    pub moves: u32,
    /// The root move that is being searched; may be empty.
    pub current: String,
}

impl Message {
    /// Parses a line; `None` if it is blank. Text that is not a message is [`Message::Other`].
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = Tokens::new(line);
        let whole = words.rest();
        let first = words.next()?;
        let text = |words: &Tokens<'_>| words.rest().to_owned();
        let message = match first {
            "feature" => Some(Self::Features(Feature::parse_list(words.rest()))),
            "pong" => {
                words.next().and_then(|word| word.parse().ok()).map(|number: Number| Self::Pong(number.saturate()))
            }
            "move" => words.next().map(|word| Self::Move(MoveText::parse(word))),
            "My" | "my" => parse_my_move(&words),
            "Hint:" => words.next().map(|word| Self::Hint(MoveText::parse(word))),
            "Illegal" | "illegal" => parse_illegal(words.rest()),
            "Error" => parse_bracket(words.rest()).map(|(reason, command)| Self::Error { reason, command }),
            "resign" => Some(Self::Resign),
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

/// How engines of version 1 end a game. More may follow, as in `game is a draw by the 50 move rule`. What does not name
/// the winner, such as `checkmate`, is missing: the board shows it.
const OLD_CLAIMS: [(&str, GameResult); 5] = [
    ("White resigns", GameResult::BlackWins),
    ("Black resigns", GameResult::WhiteWins),
    ("White mates", GameResult::WhiteWins),
    ("Black mates", GameResult::BlackWins),
    ("game is a draw", GameResult::Draw),
];

/// Parses results, thinking output and offers, and what engines of version 1 say.
fn parse_unnamed(first: &str, words: &Tokens<'_>, whole: &str) -> Option<Message> {
    // An engine claims a result in full: neither `1/2` nor `*` is a claim.
    if matches!(first, "1-0" | "0-1" | "1/2-1/2")
        && let Ok(result) = first.parse()
    {
        return Some(Message::Result { result, reason: parse_reason(words) });
    }
    if let Some(thinking) = Thinking::parse(whole) {
        return Some(Message::Thinking(thinking));
    }
    let number = first.strip_suffix('.').unwrap_or(first);
    let mut after_number = words.clone();
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && after_number.next() == Some("...") {
        return after_number.next().map(|word| Message::Move(MoveText::parse(word)));
    }
    let has = |sought| first == sought || words.clone().any(|word| word == sought);
    match OLD_CLAIMS.iter().find(|(beginning, _)| whole.starts_with(beginning)) {
        Some(&(_, result)) => Some(Message::Result { result, reason: whole.to_owned() }),
        None if whole.starts_with("computer resigns") => Some(Message::Resign),
        None => (has("offer") && has("draw")).then_some(Message::OfferDraw),
    }
}

/// Parses `My move is : e7e5`, without its first word.
fn parse_my_move(words: &Tokens<'_>) -> Option<Message> {
    let rest = words.rest().strip_prefix("move is")?.trim_start_matches(|c| c == ':' || is_blank(c));
    Tokens::new(rest).next().map(|word| Message::Move(MoveText::parse(word)))
}

/// Parses `move: M`, `move M` or `move (REASON): M`.
fn parse_illegal(rest: &str) -> Option<Message> {
    let rest = rest.strip_prefix("move").filter(|rest| !rest.starts_with(char::is_alphanumeric))?;
    let rest = rest.trim_start_matches(is_blank);
    let (reason, mv) = match parse_bracket(rest) {
        Some(parts) => parts,
        None => (String::new(), rest.strip_prefix(':').unwrap_or(rest).trim().to_owned()),
    };
    Some(Message::IllegalMove { reason, mv })
}

/// Parses `(REASON): REST`. The reason may contain brackets.
fn parse_bracket(rest: &str) -> Option<(String, String)> {
    let rest = rest.strip_prefix('(')?;
    let (reason, rest) = rest.split_once("):").or_else(|| rest.split_once(')')).unwrap_or((rest, ""));
    Some((reason.trim().to_owned(), rest.trim_start_matches(':').trim().to_owned()))
}

fn parse_status(words: &mut Tokens<'_>) -> Option<Status> {
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
