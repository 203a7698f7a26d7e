//! The commands of a game.

use super::{Ending, InteractiveGame, Pending, did_you_mean, ending, record, resolve_move};
use crate::ConfigError;
use crate::console::{LEVEL_NAMES, looks_like_move};
use crate::why_illegal;
use crate::words::unquoted;
use bartizan_engine::{Level, Limits};
use bartizan_notation::pgn::GameResult;
use bartizan_notation::san::numbered;
use bartizan_position::{Game, Position, PositionError, Setup};
use bartizan_types::{Color, Escaped, Excerpt, Move, Value};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) const HELP: &str = "\
Enter a move: e4, Nf3, O-O, exd5, e8=Q, or in coordinates: e2e4, e1g1, e7e8q.

  board              draw the board
  moves              list the moves of the game
  hint               suggest a move
  eval               evaluate the position by a search
  explain            judge your last move, with the reason if it was bad;
                     otherwise say what counts in the position
  warn on|off        warn you after a blunder, before the engine moves
  go                 let the engine move after a warning
  takeback           take back your last move and the reply
  flip               turn the board around
  draw               offer or claim a draw
  resign             resign the game
  new [white|black]  start a new game, with this colour for you
  elo [RATING|full]  set the rating of the engine, from 600 to 3000, or let
                     it play at full strength; alone: print the level
  time SECONDS       set the engine's time per move
  depth PLIES        set the engine's search depth, instead of a time
  fen                print the position as FEN
  save FILE          append the game to a PGN file
  report [FILE]      review the game so far: accuracy, graph, bad moves;
                     FILE: write it as an HTML page
  stop               make the engine move now
  quit               exit";

/// The names of all commands, for completion and suggestions.
pub(super) const NAMES: [&str; 22] = [
    "board", "moves", "hint", "eval", "explain", "warn", "go", "takeback", "undo", "flip", "draw", "resign", "new",
    "elo", "time", "depth", "fen", "save", "report", "stop", "help", "quit",
];

/// No draw is accepted before this move.
const FIRST_DRAW_MOVE: u16 = 12;
/// A draw is accepted in a level game from this move on; before it, only in a bad position.
const LEVEL_DRAW_MOVE: u16 = 30;
/// The greatest value of a bad position, in internal centipawns.
const BAD: Value = Value(-100);

/// Why a command of the game was refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlayError {
    #[error("unknown command or illegal move '{word}'{suggestion}")]
    Unknown { word: String, suggestion: String },
    #[error("illegal move '{word}': {reason}")]
    Illegal { word: String, reason: String },
    #[error("{command}: '{value}' is not {expected}")]
    Argument { command: &'static str, value: String, expected: &'static str },
    #[error("{command}: {expected} is missing")]
    Missing { command: &'static str, expected: &'static str },
    #[error("the game is over; enter takeback or new")]
    Over,
    #[error("it is Bartizan's turn; enter takeback to take your move back, or go")]
    NotYourTurn,
    #[error("it is your turn; enter a move")]
    YourTurn,
    #[error("no move to take back")]
    NothingToTakeBack,
    #[error("save: no moves to save yet")]
    NothingToSave,
    #[error("report: no moves to review yet")]
    NothingToReview,
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("fen: {0}")]
    Fen(#[from] PositionError),
    #[error("cannot write '{}': {source}", Escaped(.path.display()))]
    Write { path: PathBuf, source: io::Error },
}

impl InteractiveGame {
    /// The arguments of `bartizan play`.
    pub const USAGE: &'static str = "\
usage: bartizan play [RATING|full] [white|black] [warn on|off]
                     [time SECONDS | depth PLIES] [fen FEN]
example: bartizan play 1500 black time 2";

    /// The names of the commands, for completion.
    pub fn command_names() -> Vec<&'static str> {
        NAMES.to_vec()
    }

    /// Applies the command-line arguments; each may begin with `--`.
    pub(super) fn configure(&mut self, arguments: &[String]) -> Result<(), PlayError> {
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word.trim_start_matches("--").to_lowercase().as_str() {
                "white" => self.person = Color::White,
                "black" => self.person = Color::Black,
                "elo" => self.set_level(words.next().unwrap_or_default())?,
                "full" => self.set_level(word)?,
                number if looks_like_number(number) => self.set_level(word)?,
                "time" => self.set_time(words.next().unwrap_or_default())?,
                "depth" => self.set_depth(words.next().unwrap_or_default())?,
                "warn" => self.set_warnings(words.next().unwrap_or_default())?,
                "fen" => {
                    let fen = words.by_ref().collect::<Vec<_>>().join(" ");
                    let setup = Setup::from_fen(&fen).map_err(PositionError::from)?;
                    let game = self.session.engine.game_from(setup).map_err(PositionError::from)?;
                    self.session.engine.set_game(game);
                }
                _ => {
                    let names = ["white", "black", "elo", "full", "time", "depth", "warn", "fen"];
                    let suggestion = format!("{}\n{}", did_you_mean(word, names), Self::USAGE);
                    return Err(PlayError::Unknown { word: word.to_owned(), suggestion });
                }
            }
        }
        self.bottom = self.person;
        Ok(())
    }

    /// Executes a line; the engine is idle.
    pub(super) fn execute(&mut self, line: &str) {
        if let Err(error) = self.try_execute(line) {
            self.fail(error);
        }
    }

    fn try_execute(&mut self, line: &str) -> Result<(), PlayError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_lowercase().as_str() {
            "help" | "?" => self.print(HELP),
            "board" | "d" => self.print_board(),
            "moves" => self.print_moves(),
            "fen" => self.print(self.position().to_fen()),
            "hint" => self.on_turn(|play| play.search(Pending::Hint))?,
            "eval" => self.playing(|play| play.search(Pending::Score))?,
            "explain" => self.explain()?,
            "warn" => self.set_warnings(rest)?,
            "go" if self.ending.is_some() => return Err(PlayError::Over),
            "go" if self.awaits_decision() => self.continue_game(),
            "go" => return Err(PlayError::YourTurn),
            "takeback" | "undo" => self.take_back()?,
            "flip" => {
                self.bottom = !self.bottom;
                self.print_board();
            }
            "draw" => self.playing(Self::offer_draw)?,
            "resign" => self.playing(|play| {
                let text = format!("{} resigns: {} wins", play.person.name(), (!play.person).name());
                play.end(GameResult::won_by(!play.person), text);
            })?,
            "new" => self.new_game(rest)?,
            "elo" if rest.is_empty() => self.print(format_args!("Bartizan plays at {}.", self.level())),
            "elo" => self.set_level(rest)?,
            "time" => self.set_time(rest)?,
            "depth" => self.set_depth(rest)?,
            "save" => self.save(rest)?,
            "report" => self.report(rest)?,
            _ if self.awaits_decision() && looks_like_move(line) => return Err(PlayError::NotYourTurn),
            _ => {
                let Some(mv) = find_move(self.position(), line) else {
                    let word = Excerpt::new(line).to_string();
                    if let Some(reason) = why_illegal(self.position(), line) {
                        return Err(PlayError::Illegal { word, reason });
                    }
                    let suggestion = did_you_mean(&word, NAMES);
                    return Err(PlayError::Unknown { word, suggestion });
                };
                self.playing(|play| play.play(mv))?;
            }
        }
        Ok(())
    }

    /// Does something that only makes sense while the game lasts.
    fn playing(&mut self, action: impl FnOnce(&mut Self)) -> Result<(), PlayError> {
        if self.ending.is_some() {
            return Err(PlayError::Over);
        }
        action(self);
        Ok(())
    }

    /// As [`Self::playing`], for what only makes sense when it is the player's turn.
    fn on_turn(&mut self, action: impl FnOnce(&mut Self)) -> Result<(), PlayError> {
        if self.awaits_decision() { Err(PlayError::NotYourTurn) } else { self.playing(action) }
    }

    pub(super) fn end(&mut self, result: GameResult, text: String) {
        self.ending = Some(Ending { result, text });
        self.continue_game();
    }

    fn print_moves(&mut self) {
        let game = self.session.engine.game();
        let moves: Vec<Move> = game.moves().collect();
        // The moves of a game are legal.
        let text = numbered(game.start(), &moves).unwrap_or_default();
        self.print(if text.is_empty() { "No moves yet.".to_owned() } else { text });
    }

    /// Takes back the player's last move and the engine's answer.
    fn take_back(&mut self) -> Result<(), PlayError> {
        let engine = &mut self.session.engine;
        let own = if engine.position().turn() == self.person { 2 } else { 1 };
        if engine.game().moves().len() < own {
            return Err(PlayError::NothingToTakeBack);
        }
        for _ in 0..own {
            engine.undo();
        }
        self.ending = None;
        self.forget_scores();
        self.log_game();
        self.print_board();
        Ok(())
    }

    fn offer_draw(&mut self) {
        let fullmove = self.position().fullmove_number();
        let greatest = match fullmove {
            ..FIRST_DRAW_MOVE => None,
            FIRST_DRAW_MOVE..LEVEL_DRAW_MOVE => Some(BAD),
            LEVEL_DRAW_MOVE.. => Some(Value::DRAW),
        };
        let accepts = self.last_value.is_some_and(|value| {
            let of_level = self.level().agrees_to_draw(value, fullmove.into());
            of_level.unwrap_or_else(|| greatest.is_some_and(|greatest| value <= greatest))
        });
        if ending(self.session.engine.game()).is_some() {
            self.continue_game();
        } else if accepts {
            self.end(GameResult::Draw, "Draw by agreement".to_owned());
        } else {
            self.print("Bartizan declines the draw.");
        }
    }

    fn new_game(&mut self, side: &str) -> Result<(), PlayError> {
        match side.to_lowercase().as_str() {
            "" => {}
            "white" => self.person = Color::White,
            "black" => self.person = Color::Black,
            _ => return Err(argument("new", side, "white or black")),
        }
        self.bottom = self.person;
        self.ending = None;
        self.forget_scores();
        self.saved = None;
        self.session.new_game();
        self.session.engine.set_game(Game::default());
        self.start();
        Ok(())
    }

    fn set_level(&mut self, value: &str) -> Result<(), PlayError> {
        let level = Level::named(value).ok_or_else(|| argument("elo", value, LEVEL_NAMES))?;
        Ok(self.session.configure(|config| config.engine.set_level(level))?)
    }

    fn set_time(&mut self, value: &str) -> Result<(), PlayError> {
        let time = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = time.filter(|time| !time.is_zero());
        self.limits = Limits::move_time(time.ok_or_else(|| argument("time", value, "a number of seconds above 0"))?);
        Ok(())
    }

    fn set_depth(&mut self, value: &str) -> Result<(), PlayError> {
        let depth = value.parse().ok().filter(|&depth| depth > 0);
        self.limits = Limits::depth(depth.ok_or_else(|| argument("depth", value, "a number of plies above 0"))?);
        Ok(())
    }

    fn set_warnings(&mut self, value: &str) -> Result<(), PlayError> {
        self.warns = match value.to_lowercase().as_str() {
            "on" => true,
            "off" => false,
            _ => return Err(argument("warn", value, "on or off")),
        };
        Ok(())
    }

    fn save(&mut self, file: &str) -> Result<(), PlayError> {
        let file = unquoted(file);
        if file.is_empty() {
            return Err(PlayError::Missing { command: "save", expected: "the file" });
        }
        let game = self.session.engine.game();
        if game.last_move().is_none() {
            return Err(PlayError::NothingToSave);
        }
        let result = self.result();
        let saved = record::save(Path::new(file), game, self.person, result, self.saved.as_ref());
        self.saved = Some(saved.map_err(|source| PlayError::Write { path: file.into(), source })?);
        self.print(format_args!("Saved to '{file}'."));
        Ok(())
    }
}

fn argument(command: &'static str, value: &str, expected: &'static str) -> PlayError {
    match value {
        "" => PlayError::Missing { command, expected },
        _ => PlayError::Argument { command, value: Excerpt::new(value).to_string(), expected },
    }
}

/// Whether a word is meant as a number.
fn looks_like_number(word: &str) -> bool {
    word.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit())
}

/// The move that a user means: pieces and castling may be in lower case where that is not a pawn move.
pub(crate) fn find_move(position: &Position, text: &str) -> Option<Move> {
    resolve_move(position, text).or_else(|| {
        let mut letters = text.chars();
        let first = letters.next().filter(|letter| "nbrqko".contains(*letter))?;
        let upper = first.to_ascii_uppercase().to_string() + letters.as_str();
        resolve_move(position, &upper).or_else(|| resolve_move(position, &text.to_uppercase()))
    })
}
