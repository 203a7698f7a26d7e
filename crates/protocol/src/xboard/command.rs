//! What a client says to an engine.

use super::CommandError::{Missing, Unexpected, Unknown};
use super::result::parse_reason;
use super::time::{parse_base, parse_seconds};
use super::{CommandError, GameResult, MoveText};
use crate::number::{Limits, Number};
use crate::words::{Words, collapse, excerpt};
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
/// assert_eq!(error.to_string(), "sd: `deep` is not a number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Command {
    /// `xboard`: speak this protocol.
    Xboard,
    /// `protover N`: the version of the protocol; answer with the features.
    ProtoVer(u32),
    /// `accepted F`: a feature was understood.
    Accepted(String),
    /// `rejected F`: a feature was not.
    Rejected(String),
    /// `new`: the starting position, the engine plays Black.
    New,
    /// `variant V`: play by these rules.
    Variant(String),
    /// `quit`: end the program.
    Quit,
    /// `random`: vary the play.
    Random,
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side not to move.
    PlayOther,
    /// `white`: White is to move, the engine plays Black.
    White,
    /// `black`: Black is to move, the engine plays White.
    Black,
    /// `level MPS BASE INC`: the time control.
    Level {
        /// Moves until `base` is added again; 0 if it must last for the game.
        moves: u32,
        /// The time for them; written in whole seconds, of which a part counts as one.
        base: Duration,
        /// What each move adds.
        increment: Duration,
    },
    /// `st T`: this long for each move.
    MoveTime(Duration),
    /// `sd D`: no deeper than this, in plies.
    Depth(u32),
    /// `nps N`: so many nodes count as a second.
    Nps(u32),
    /// `time T`: the engine's clock, in centiseconds; may be negative.
    Time(i64),
    /// `otim T`: the opponent's clock, in centiseconds; may be negative.
    OpponentTime(i64),
    /// A move, bare; read with or without `usermove` before it.
    Move(MoveText),
    /// `usermove M`: a move, with the word before it.
    UserMove(MoveText),
    /// `?`: move now.
    MoveNow,
    /// `ping N`: answer `pong N` when all before it is done.
    Ping(u32),
    /// `draw`: the opponent offers a draw.
    Draw,
    /// `result R {REASON}`: the game is over.
    Result {
        /// Who won.
        result: GameResult,
        /// Why.
        reason: String,
    },
    /// `setboard FEN`; the FEN is not validated.
    SetBoard(String),
    /// `edit`: what follows are [`EditLine`](super::EditLine)s.
    Edit,
    /// `hint`: suggest a move.
    Hint,
    /// `bk`: tell what the book knows.
    Book,
    /// `undo`: take back one ply.
    Undo,
    /// `remove`: take back two plies.
    Remove,
    /// `hard`: think in the opponent's time.
    Hard,
    /// `easy`: do not.
    Easy,
    /// `post`: tell about the search.
    Post,
    /// `nopost`: do not.
    NoPost,
    /// `analyze`: think about any position until `exit`.
    Analyze,
    /// `exit`: leave analysis.
    Exit,
    /// `.`: tell how far the analysis is.
    Status,
    /// `name N`: the opponent.
    Name(String),
    /// `rating OWN OPPONENT`.
    Rating {
        /// The engine's rating; 0 if unknown.
        own: i32,
        /// The opponent's rating; 0 if unknown.
        opponent: i32,
    },
    /// `ics HOST`: played on a server; `-` when not.
    Ics(String),
    /// `computer`: the opponent is an engine.
    Computer,
    /// `pause`.
    Pause,
    /// `resume`.
    Resume,
    /// `memory MB`: for all tables together.
    Memory(u64),
    /// `cores N`: so many threads.
    Cores(u32),
    /// `egtpath TYPE PATH`: where endgame tables are.
    EgtPath {
        /// `syzygy`, `nalimov`, ….
        kind: String,
        /// The folder, or folders.
        path: String,
    },
    /// `option N=V`, or `option N` for a button.
    Option {
        /// The option, as the engine declared it.
        name: String,
        /// The text after the sign; `None` without one.
        value: Option<String>,
    },
    /// `exclude M`, or `exclude all` (`None`): do not search this move.
    Exclude(Option<MoveText>),
    /// `include M`, or `include all` (`None`): search it again.
    Include(Option<MoveText>),
}

impl Command {
    /// Reads a line; `None` if it is blank. What follows a complete command is ignored.
    ///
    /// # Errors
    /// If the line begins with no command and is no move, or what follows the command is wrong.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = Words::new(line);
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
            "sd" => Self::Depth(number(words, "sd")?),
            "nps" => Self::Nps(number(words, "nps")?),
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
            "memory" => Self::Memory(number(words, "memory")?),
            "cores" => Self::Cores(number(words, "cores")?),
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

fn text(words: &Words<'_>) -> String {
    words.rest().to_owned()
}

fn word<'a>(words: &mut Words<'a>, command: &'static str, argument: &'static str) -> Result<&'a str, CommandError> {
    words.next().ok_or(Missing { command, argument })
}

fn number<T: Limits>(words: &mut Words<'_>, command: &'static str) -> Result<T, CommandError> {
    let word = word(words, command, "the number")?;
    let number: Number = word.parse().map_err(|_| Unexpected { command, expected: "a number", word: excerpt(word) })?;
    Ok(number.saturate())
}

fn duration(
    words: &mut Words<'_>,
    command: &'static str,
    parse: fn(&str) -> Option<Duration>,
    expected: &'static str,
) -> Result<Duration, CommandError> {
    let word = word(words, command, expected)?;
    parse(word).ok_or_else(|| Unexpected { command, expected, word: excerpt(word) })
}

fn parse_level(words: &mut Words<'_>) -> Result<Command, CommandError> {
    Ok(Command::Level {
        moves: number(words, "level")?,
        base: duration(words, "level", parse_base, "a time in minutes")?,
        increment: duration(words, "level", parse_seconds, "a number of seconds")?,
    })
}

fn parse_result(words: &mut Words<'_>) -> Result<Command, CommandError> {
    let command = "result";
    let word = word(words, command, "the result")?;
    let expected = "`1-0`, `0-1`, `1/2-1/2` or `*`";
    let result = word.parse().map_err(|_| Unexpected { command, expected, word: excerpt(word) })?;
    Ok(Command::Result { result, reason: parse_reason(words) })
}

fn parse_option(words: &mut Words<'_>) -> Result<Command, CommandError> {
    let (name, value) = match words.rest().split_once('=') {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (words.rest(), None),
    };
    match collapse(name) {
        name if name.is_empty() => Err(Missing { command: "option", argument: "the option's name" }),
        name => Ok(Command::Option { name, value }),
    }
}

fn move_or_all(words: &mut Words<'_>, command: &'static str) -> Result<Option<MoveText>, CommandError> {
    match word(words, command, "the move")? {
        "all" => Ok(None),
        mv => Ok(Some(MoveText::parse(mv))),
    }
}
