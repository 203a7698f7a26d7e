//! The commands of a client.

use super::moves::write_moves;
use super::option::{EMPTY, read_value};
use super::position::parse_position;
use super::{CommandError, GoParams, StartPosition};
use crate::tokens::{OneLine, Tokens, collapse, excerpt, write_text};
use bartizan_types::UciMove;
use std::fmt;

/// A line from a client to an engine.
///
/// ```
/// use bartizan_protocol::uci::{Command, StartPosition};
///
/// let command = Command::parse("position startpos moves e2e4").unwrap().unwrap();
/// let moves = vec!["e2e4".parse().unwrap()];
/// assert_eq!(command, Command::Position { start: StartPosition::Startpos, moves });
/// assert_eq!(command.to_string(), "position startpos moves e2e4");
///
/// let error = Command::parse("position startpos moves e2e4 e7e9").unwrap_err();
/// assert!(error.to_string().starts_with("position: invalid move 'e7e9' (move 2 of the list)"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Command {
    /// `uci`: send the identity and the options, then `uciok`.
    Uci,
    /// `debug on` or `debug off`: send additional `info string` messages, or not.
    Debug(bool),
    /// `isready`: answer `readyok` when earlier commands are done; during a search, at once.
    IsReady,
    /// `setoption name N [value V]`.
    SetOption {
        /// The option as the client spells it. Compare it with [`same_option_name`](super::same_option_name).
        name: String,
        /// The text after the word `value` with all its spaces, which file paths may contain. `<empty>` and no text are
        /// `""`. `None` without the word `value`, which presses a button.
        value: Option<String>,
    },
    /// `register later` or `register name N code C`; the text after `register`.
    Register(String),
    /// `ucinewgame`: the next position belongs to another game.
    UciNewGame,
    /// `position startpos|fen F [moves …]`. A FEN without the word `fen` is accepted too.
    Position {
        /// The start of the game.
        start: StartPosition,
        /// The moves since then, not checked against the rules.
        moves: Vec<UciMove>,
    },
    /// `go …`: search. Also `go perft N`.
    Go(GoParams),
    /// `stop`: end the search and send the best move.
    Stop,
    /// `ponderhit`: the expected move was played; continue the search in the engine's own time.
    PonderHit,
    /// `quit`: exit.
    Quit,
}

impl Command {
    /// Parses a line, with or without its line break; `None` if it is blank.
    ///
    /// As the specification requires, unknown words before a command are skipped (`joho debug on` is `debug on`). Text
    /// after a complete command is ignored.
    ///
    /// # Errors
    /// If no word is a command, or an argument is missing or wrong.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = Tokens::new(line);
        let Some(first) = words.peek() else { return Ok(None) };
        while let Some(word) = words.next() {
            let command = match word {
                "uci" => Self::Uci,
                "debug" => parse_debug(&mut words)?,
                "isready" => Self::IsReady,
                "setoption" => parse_setoption(&mut words)?,
                "register" => Self::Register(words.rest().to_owned()),
                "ucinewgame" => Self::UciNewGame,
                "position" => parse_position(&mut words)?,
                "go" => Self::Go(GoParams::parse(&mut words)),
                "stop" => Self::Stop,
                "ponderhit" => Self::PonderHit,
                "quit" => Self::Quit,
                _ => continue,
            };
            return Ok(Some(command));
        }
        Err(CommandError::Unknown { word: excerpt(first) })
    }
}

fn parse_debug(words: &mut Tokens<'_>) -> Result<Command, CommandError> {
    let expected = "'on' or 'off'";
    match words.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        Some(word) => {
            Err(CommandError::Unexpected { command: "debug", expected, word: excerpt(word), number: words.number() })
        }
        None => Err(CommandError::Missing { command: "debug", argument: expected }),
    }
}

fn parse_setoption(words: &mut Tokens<'_>) -> Result<Command, CommandError> {
    let command = "setoption";
    match words.next() {
        Some("name") => {}
        Some(word) => {
            let number = words.number();
            return Err(CommandError::Unexpected { command, expected: "'name'", word: excerpt(word), number });
        }
        None => return Err(CommandError::Missing { command, argument: "'name'" }),
    }
    let name = collapse(words.until(|word, _| word == "value"));
    if name.is_empty() {
        return Err(CommandError::Missing { command, argument: "the option's name" });
    }
    let value = words.next().map(|_| read_value(words.rest()));
    Ok(Command::SetOption { name, value })
}

/// One line without a line break.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {}", OneLine(name))?;
                match value.as_deref() {
                    Some("") => write!(f, " value {EMPTY}"),
                    Some(value) => write!(f, " value {}", OneLine(value)),
                    None => Ok(()),
                }
            }
            Self::Register(text) => {
                f.write_str("register")?;
                write_text(f, text)
            }
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Position { start, moves } => {
                write!(f, "position {start}")?;
                if moves.is_empty() {
                    return Ok(());
                }
                f.write_str(" moves")?;
                write_moves(f, moves)
            }
            Self::Go(go) => {
                f.write_str("go")?;
                go.write(f)
            }
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn error(line: &str) -> String {
        Command::parse(line).unwrap_err().to_string()
    }

    fn option(name: &str, value: Option<&str>) -> Command {
        Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
    }

    #[test]
    fn plain_commands() {
        let commands =
            [Command::Uci, Command::IsReady, Command::UciNewGame, Command::Stop, Command::PonderHit, Command::Quit];
        for command in commands {
            let line = command.to_string();
            assert_eq!(parse(&line), command);
            assert_eq!(parse(&format!(" \t{line}\t and more\r\n")), command);
        }
    }

    #[test]
    fn blank_lines() {
        for line in ["", " ", "\r\n", " \t \n", "\u{feff}"] {
            assert_eq!(Command::parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn unknown_words_in_front_are_skipped() {
        assert_eq!(parse("joho debug on"), Command::Debug(true));
        assert_eq!(parse("\u{feff}uci"), Command::Uci);
        assert_eq!(error("joho the rest"), "unknown command 'joho'");
        assert_eq!(error("UCI"), "unknown command 'UCI'");
        assert!(error(&"x".repeat(100_000)).len() < 100);
    }

    #[test]
    fn debug() {
        assert_eq!(parse("debug off"), Command::Debug(false));
        assert_eq!(error("debug"), "debug: 'on' or 'off' is missing");
        assert_eq!(error("well debug maybe"), "debug: expected 'on' or 'off', found 'maybe' (word 3)");
    }

    #[test]
    fn setoption_names_and_values() {
        assert_eq!(parse("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(parse("setoption name  Move \t Overhead  value  30 "), option("Move Overhead", Some("30")));
        assert_eq!(parse("setoption name A value b value c"), option("A", Some("b value c")));
        assert_eq!(parse("setoption name Value value value"), option("Value", Some("value")));
        let path = r"C:\My  Tables\a   b;/tmp/é ü";
        assert_eq!(parse(&format!("setoption name SyzygyPath value {path}\r\n")), option("SyzygyPath", Some(path)));
    }

    #[test]
    fn setoption_empty_value() {
        assert_eq!(parse("setoption name BookFile value <empty>"), option("BookFile", Some("")));
        assert_eq!(parse("setoption name BookFile value"), option("BookFile", Some("")));
        assert_eq!(option("BookFile", Some("")).to_string(), "setoption name BookFile value <empty>");
    }

    #[test]
    fn setoption_without_a_name() {
        assert_eq!(error("setoption"), "setoption: 'name' is missing");
        assert_eq!(error("setoption Hash value 3"), "setoption: expected 'name', found 'Hash' (word 2)");
        assert_eq!(error("setoption name"), "setoption: the option's name is missing");
        assert_eq!(error("setoption name value 3"), "setoption: the option's name is missing");
    }

    #[test]
    fn register() {
        assert_eq!(parse("register later"), Command::Register("later".to_owned()));
        let with_code = Command::Register("name A  B code 4359874324".to_owned());
        assert_eq!(parse("register name A  B code 4359874324\n"), with_code);
        assert_eq!(with_code.to_string(), "register name A  B code 4359874324");
        assert_eq!(parse("register"), Command::Register(String::new()));
        assert_eq!(Command::Register(String::new()).to_string(), "register");
    }

    #[test]
    fn a_line_end_inside_a_text_stays_inside() {
        let command = option("Log\nFile", Some("a\r\nquit"));
        assert_eq!(command.to_string(), "setoption name Log File value a  quit");
        let start = StartPosition::Fen("8/8\nquit".to_owned());
        assert_eq!(Command::Position { start, moves: Vec::new() }.to_string(), "position fen 8/8 quit");
    }
}
