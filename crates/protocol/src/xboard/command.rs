//! The commands of a client.

use super::CommandError::{Missing, Negative, Unexpected, Unknown};
use super::result::parse_reason;
use super::time::{parse_base, parse_seconds};
use super::{CommandError, GameResult, MoveText};
use crate::number::{Limits, Number};
use crate::tokens::{Tokens, collapse, excerpt};
use std::time::Duration;

/// A line from a client to an engine.
///
/// ```
/// use bartizan_protocol::xboard::Command;
/// use std::time::Duration;
///
/// let command = Command::parse("level 40 5 0").unwrap().unwrap();
/// assert_eq!(command, Command::Level { moves: 40, base: Duration::from_secs(300), increment: Duration::ZERO });
/// assert_eq!(Command::Ping(7).to_string(), "ping 7");
/// let error = Command::parse("sd deep").unwrap_err();
/// assert_eq!(error.to_string(), "sd: 'deep' is not a number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Command {
    /// `xboard`: use this protocol.
    Xboard,
    /// `protover N`: the version of the protocol. The engine answers with its features.
    ProtoVer(u32),
    /// `accepted F`: the client supports a feature.
    Accepted(String),
    /// `rejected F`: the client does not support a feature.
    Rejected(String),
    /// `new`: set up the starting position; the engine plays Black.
    New,
    /// `variant V`: play by these rules.
    Variant(String),
    /// `quit`: exit.
    Quit,
    /// `random`: toggle random variation of the play.
    Random,
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side not to move.
    PlayOther,
    /// `white`: White is to move; the engine plays Black.
    White,
    /// `black`: Black is to move; the engine plays White.
    Black,
    /// `level MPS BASE INC`: the time control.
    Level {
        /// Moves per time control; 0 if `base` is for the whole game.
        moves: u32,
        /// The time per time control. Written in whole seconds, rounded up.
        base: Duration,
        /// The increment per move.
        increment: Duration,
    },
    /// `st T`: the time for each move.
    MoveTime(Duration),
    /// `sd D`: the maximum depth in plies.
    Depth(u32),
    /// `nps N`: measure time by nodes; this many are one second.
    Nps(u32),
    /// `time T`: the engine's remaining time in centiseconds; may be negative.
    Time(i64),
    /// `otim T`: the opponent's remaining time in centiseconds; may be negative.
    OpponentTime(i64),
    /// A move without `usermove`.
    Move(MoveText),
    /// `usermove M`: a move.
    UserMove(MoveText),
    /// `?`: move now.
    MoveNow,
    /// `ping N`: answer `pong N` when all earlier commands are done.
    Ping(u32),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result R {REASON}`: the game is over.
    Result {
        /// The result.
        result: GameResult,
        /// The reason.
        reason: String,
    },
    /// `setboard FEN`: set up a position. The FEN is not validated.
    SetBoard(String),
    /// `edit`: enter edit mode. [`EditLine`](super::EditLine)s follow.
    Edit,
    /// `hint`: suggest a move.
    Hint,
    /// `bk`: show the book moves.
    Book,
    /// `undo`: take back one ply.
    Undo,
    /// `remove`: take back two plies.
    Remove,
    /// `hard`: ponder.
    Hard,
    /// `easy`: do not ponder.
    Easy,
    /// `post`: send thinking output.
    Post,
    /// `nopost`: do not send thinking output.
    NoPost,
    /// `analyze`: analyse the position until `exit`.
    Analyze,
    /// `exit`: leave analysis.
    Exit,
    /// `.`: report the state of the analysis.
    Status,
    /// `name N`: the opponent's name.
    Name(String),
    /// `rating OWN OPPONENT`.
    Rating {
        /// The engine's rating; 0 if unknown.
        own: i32,
        /// The opponent's rating; 0 if unknown.
        opponent: i32,
    },
    /// `ics HOST`: the game is played on a server; `-` if not.
    Ics(String),
    /// `computer`: the opponent is an engine.
    Computer,
    /// `pause`.
    Pause,
    /// `resume`.
    Resume,
    /// `memory MB`: the size of all tables together.
    Memory(u64),
    /// `cores N`: the number of threads.
    Cores(u32),
    /// `egtpath TYPE PATH`: the path of endgame tablebases.
    EgtPath {
        /// The type, such as `syzygy` or `nalimov`.
        kind: String,
        /// One or several folders.
        path: String,
    },
    /// `option N=V`, or `option N` for a button.
    Option {
        /// The name as the engine declared it.
        name: String,
        /// The text after `=`; `None` for a button.
        value: Option<String>,
    },
    /// `exclude M`, or `exclude all` (`None`): do not search a move.
    Exclude(Option<MoveText>),
    /// `include M`, or `include all` (`None`): search a move again.
    Include(Option<MoveText>),
}

impl Command {
    /// Parses a line; `None` if it is blank. Text after a complete command is ignored.
    ///
    /// # Errors
    /// If the line is neither a command nor a move, or an argument is missing or wrong.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = Tokens::new(line);
        let Some(first) = words.next() else { return Ok(None) };
        let words = &mut words;
        let command = match first {
            "xboard" => Self::Xboard,
            "protover" => Self::ProtoVer(number(words, "protover")?),
            "accepted" => Self::Accepted(text(words)),
            "rejected" => Self::Rejected(text(words)),
            "new" => Self::New,
            "variant" => Self::Variant(word(words, "variant", "the variant")?.to_owned()),
            "quit" => Self::Quit,
            "random" => Self::Random,
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "white" => Self::White,
            "black" => Self::Black,
            "level" => parse_level(words)?,
            "st" => Self::MoveTime(duration(words, "st", parse_seconds, "a number of seconds")?),
            "sd" => Self::Depth(natural(words, "sd")?),
            "nps" => Self::Nps(natural(words, "nps")?),
            "time" => Self::Time(number(words, "time")?),
            "otim" => Self::OpponentTime(number(words, "otim")?),
            "usermove" => Self::UserMove(MoveText::parse(word(words, "usermove", "the move")?)),
            "?" => Self::MoveNow,
            "ping" => Self::Ping(number(words, "ping")?),
            "draw" => Self::Draw,
            "result" => parse_result(words)?,
            "setboard" => match words.rest() {
                "" => return Err(Missing { command: "setboard", argument: "the FEN" }),
                fen => Self::SetBoard(collapse(fen)),
            },
            "edit" => Self::Edit,
            "hint" => Self::Hint,
            "bk" => Self::Book,
            "undo" => Self::Undo,
            "remove" => Self::Remove,
            "hard" => Self::Hard,
            "easy" => Self::Easy,
            "post" => Self::Post,
            "nopost" => Self::NoPost,
            "analyze" => Self::Analyze,
            "exit" => Self::Exit,
            "." => Self::Status,
            "name" => Self::Name(text(words)),
            "rating" => Self::Rating { own: number(words, "rating")?, opponent: number(words, "rating")? },
            "ics" => Self::Ics(text(words)),
            "computer" => Self::Computer,
            "pause" => Self::Pause,
            "resume" => Self::Resume,
            "memory" => Self::Memory(natural(words, "memory")?),
            "cores" => Self::Cores(natural(words, "cores")?),
            "egtpath" => {
                let kind = word(words, "egtpath", "the type")?.to_owned();
                Self::EgtPath { kind, path: text(words) }
            }
            "option" => parse_option(words)?,
            "exclude" => Self::Exclude(move_or_all(words, "exclude")?),
            "include" => Self::Include(move_or_all(words, "include")?),
            _ => match MoveText::parse_bare(first) {
                Some(mv) => Self::Move(mv),
                None => return Err(Unknown { word: excerpt(first) }),
            },
        };
        Ok(Some(command))
    }
}

fn text(words: &Tokens<'_>) -> String {
    words.rest().to_owned()
}

fn word<'a>(words: &mut Tokens<'a>, command: &'static str, argument: &'static str) -> Result<&'a str, CommandError> {
    words.next().ok_or(Missing { command, argument })
}

fn number<T: Limits>(words: &mut Tokens<'_>, command: &'static str) -> Result<T, CommandError> {
    Ok(any_number(words, command)?.saturate())
}

/// A number that is not negative.
fn natural<T: Limits>(words: &mut Tokens<'_>, command: &'static str) -> Result<T, CommandError> {
    let number = any_number(words, command)?;
    if number.is_negative() { Err(Negative { command }) } else { Ok(number.saturate()) }
}

fn any_number(words: &mut Tokens<'_>, command: &'static str) -> Result<Number, CommandError> {
    let word = word(words, command, "the number")?;
    word.parse().map_err(|_| Unexpected { command, expected: "a number", word: excerpt(word) })
}

fn duration(
    words: &mut Tokens<'_>,
    command: &'static str,
    parse: fn(&str) -> Option<Duration>,
    expected: &'static str,
) -> Result<Duration, CommandError> {
    let word = word(words, command, expected)?;
    let (is_negative, amount) = word.strip_prefix('-').map_or((false, word), |amount| (true, amount));
    match parse(amount) {
        Some(time) if is_negative && !time.is_zero() => Err(Negative { command }),
        Some(time) => Ok(time),
        None => Err(Unexpected { command, expected, word: excerpt(word) }),
    }
}

fn parse_level(words: &mut Tokens<'_>) -> Result<Command, CommandError> {
    Ok(Command::Level {
        moves: natural(words, "level")?,
        base: duration(words, "level", parse_base, "a time in minutes")?,
        increment: duration(words, "level", parse_seconds, "a number of seconds")?,
    })
}

fn parse_result(words: &mut Tokens<'_>) -> Result<Command, CommandError> {
    let command = "result";
    let word = word(words, command, "the result")?;
    let expected = "'1-0', '0-1', '1/2-1/2' or '*'";
    let result = word.parse().map_err(|_| Unexpected { command, expected, word: excerpt(word) })?;
    Ok(Command::Result { result, reason: parse_reason(words) })
}

fn parse_option(words: &mut Tokens<'_>) -> Result<Command, CommandError> {
    let (name, value) = match words.rest().split_once('=') {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (words.rest(), None),
    };
    match collapse(name) {
        name if name.is_empty() => Err(Missing { command: "option", argument: "the option's name" }),
        name => Ok(Command::Option { name, value }),
    }
}

fn move_or_all(words: &mut Tokens<'_>, command: &'static str) -> Result<Option<MoveText>, CommandError> {
    match word(words, command, "the move")? {
        "all" => Ok(None),
        mv => Ok(Some(MoveText::parse(mv))),
    }
}
