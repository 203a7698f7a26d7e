//! The commands for interactive use, shared by both programs.
//!
//! Each command is one row of the table `Commands::ALL`. Each group of commands has its own file.

mod about;
mod bench;
mod eval;
mod files;
mod level;
mod openbench;
mod position;
mod typed;

pub(crate) use level::LEVEL_NAMES;
pub use typed::{command_names, draw_board, looks_like_move, suggestion, try_move, typed_move, with_small_command};

use crate::FrontEnd;
use crate::suite::SuiteError;
use crate::{ConfigError, HashFileError, LoadHashError};
use bartizan_dtm::advice::AdviceError;
use bartizan_engine::genfens::GenfensError;
use bartizan_engine::options::LONGEST_PATH;
use bartizan_engine::{EngineError, PerftError, bench::BenchError};
use bartizan_notation::pgn::PgnError;
use bartizan_types::{Escaped, Excerpt};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Whether a command interferes with the engine's current task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// It can run at any time.
    Nothing,
    /// It only reads the game: it can run at any time.
    Game,
    /// It needs the engine or changes the game: the task is interrupted, or the command is refused.
    Engine,
    /// As `Engine`, and the position on the board.
    Position,
}

/// A console command.
struct Command<F: ?Sized> {
    names: &'static [&'static str],
    /// Its arguments, for the help.
    arguments: &'static str,
    /// Its description, for the help.
    help: &'static str,
    needs: Needs,
    /// Runs it with its arguments.
    run: fn(&mut F, &str) -> Result<(), ConsoleError>,
}

/// The table of commands for a front end.
struct Commands<F>(std::marker::PhantomData<F>);

impl<F: FrontEnd> Commands<F> {
    #[rustfmt::skip] // One row, two lines.
    const ALL: [Command<F>; 19] = [
        Command { names: &["d", "board"], arguments: "", needs: Needs::Game, run: position::show_board,
            help: "draw the board, with FEN and key" },
        Command { names: &["eval"], arguments: "[FILE | --svg FILE]", needs: Needs::Game, run: eval::eval,
            help: "print the static evaluation, or that of each position of an EPD file, of its mirror image, and its \
                table; \
                --svg FILE, or FILE.svg: draw the value of each piece" },
        Command { names: &["advise"], arguments: "[FILE]", needs: Needs::Game, run: position::advise,
            help: "explain the ending on the board from the tables in SyzygyPath and TablePath; \
                FILE: also write it as an HTML page" },
        Command { names: &["new"], arguments: "", needs: Needs::Engine, run: position::new_game,
            help: "start a new game from the starting position" },
        Command { names: &["undo"], arguments: "", needs: Needs::Position, run: position::undo,
            help: "take back the last move" },
        Command { names: &["flip"], arguments: "", needs: Needs::Position, run: position::flip,
            help: "swap the colours and mirror the board" },
        Command { names: &["elo"], arguments: "[RATING | full]", needs: Needs::Engine, run: level::elo,
            help: "play at a RATING from 600 to 3000, or at full strength; without argument: print the level" },
        Command { names: &["perft", "divide"], arguments: "DEPTH", needs: Needs::Position, run: position::perft,
            help: "count the leaf nodes at DEPTH plies, for each move" },
        Command { names: &["bench"], arguments: bench::BENCH_ARGUMENTS, needs: Needs::Engine, run: bench::bench,
            help: "search fixed positions, or those of FILE, with the current evaluation and count the nodes \
                [default: 16 MiB, 1 thread, depth 11]; TYPE of LIMIT: depth, nodes, movetime (ms) or perft \
                [default: depth]" },
        Command { names: &["speedtest"], arguments: "[THREADS [HASH [SECONDS]]]", needs: Needs::Engine,
            run: bench::speedtest,
            help: "measure nodes per second [default: all cores, 128 MiB per thread, 20 seconds]" },
        Command { names: &["test"], arguments: crate::suite::ARGUMENTS, needs: Needs::Engine, run: files::test,
            help: "solve the positions of an EPD file [default: 5 seconds each]; \
                -x: consecutive iterations with the solution that end a search; -N: number of best lines; \
                -o: also write the results to OUTPUT; -v: show the search" },
        Command { names: &["loadgame"], arguments: "FILE [N]", needs: Needs::Engine, run: files::load_game,
            help: "load the last position of game N of a PGN file [default: 1]" },
        Command { names: &["savehash"], arguments: "FILE", needs: Needs::Engine, run: files::save_hash,
            help: "save the hash table, to continue an analysis later" },
        Command { names: &["loadhash"], arguments: "FILE", needs: Needs::Engine, run: files::load_hash,
            help: "load a saved hash table" },
        Command { names: &["genfens"], arguments: openbench::GENFENS_ARGUMENTS, needs: Needs::Engine,
            run: openbench::genfens,
            help: "print N random balanced openings, from the positions of FILE (EPD, FEN, PGN) if given; \
                P: random plies; CP: largest score in centipawns" },
        Command { names: &["spsa"], arguments: "[PREFIX]...", needs: Needs::Nothing, run: openbench::spsa,
            help: "print the search parameters, or those whose names begin with a PREFIX, as OpenBench input \
                (only in builds with the feature tuning)" },
        Command { names: &["help", "?"], arguments: "", needs: Needs::Nothing, run: about::help,
            help: "print this help" },
        Command { names: &["version"], arguments: "", needs: Needs::Nothing, run: about::version,
            help: "print the version" },
        Command { names: &["license", "licence"], arguments: "", needs: Needs::Nothing, run: about::license,
            help: "print the licence" },
    ];
}

/// Why a console command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConsoleError {
    #[error("{command}: '{word}' is not {expected}")]
    Argument { command: &'static str, word: String, expected: &'static str },
    #[error("{command}: {expected} is missing")]
    Missing { command: &'static str, expected: &'static str },
    #[error("{command}: the arguments are longer than {} bytes", LONGEST_PATH)]
    TooLong { command: &'static str },
    #[error("{command}: {reason}")]
    Busy { command: &'static str, reason: &'static str },
    #[error("cannot read '{}': {source}", Escaped(.path.display()))]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot write '{}': {source}", Escaped(.path.display()))]
    Write { path: PathBuf, source: io::Error },
    #[error("'{}': {source}", Escaped(.path.display()))]
    Pgn { path: PathBuf, source: PgnError },
    #[error("no game {number} in '{}'", Escaped(.path.display()))]
    NoGame { path: PathBuf, number: usize },
    #[error("bench: position {number}: {source}")]
    Position { number: usize, source: bartizan_position::PositionError },
    #[error("{command}: no position: the last one was refused")]
    NoPosition { command: &'static str },
    #[error("undo: no move to take back")]
    NothingToUndo,
    #[error("eval: a position in check has no static evaluation")]
    InCheck,
    #[error("advise: {0}")]
    Advice(#[from] AdviceError),
    #[error("advise: no endgame tables; set SyzygyPath or TablePath")]
    NoTables,
    #[error("bench: {0}")]
    Bench(#[from] BenchError),
    #[error("genfens: {0}")]
    Genfens(#[from] GenfensError),
    #[cfg(not(feature = "tuning"))]
    #[error("spsa: this build has no tunable parameters; build with `--features tuning`")]
    NotTunable,
    #[error("test: {0}")]
    Suite(#[from] SuiteError),
    #[error(transparent)]
    SaveHash(#[from] HashFileError),
    #[error(transparent)]
    LoadHash(#[from] LoadHashError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Perft(#[from] PerftError),
}

/// Runs a line as a console command, ignoring case; `false` if it is not one. The front end reports errors.
pub fn try_command<F: FrontEnd>(front: &mut F, line: &str) -> bool {
    let Some((command, arguments)) = find::<F>(line) else { return false };
    if let Err(error) = run(front, &command, arguments) {
        front.report_error(&error, line);
    }
    true
}

/// Whether a line is a console command.
pub fn is_command<F: FrontEnd>(line: &str) -> bool {
    find::<F>(line).is_some()
}

/// Whether a line is a console command whose result depends on the game or the engine, so that it must wait for the
/// preceding lines.
pub fn concerns_game<F: FrontEnd>(line: &str) -> bool {
    find::<F>(line).is_some_and(|(command, _)| command.needs != Needs::Nothing)
}

/// The command of a line, with its arguments.
fn find<F: FrontEnd>(line: &str) -> Option<(Command<F>, &str)> {
    let (name, arguments) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let is_name = |command: &Command<F>| command.names.iter().any(|it| it.eq_ignore_ascii_case(name));
    Commands::<F>::ALL.into_iter().find(is_name).map(|command| (command, arguments.trim()))
}

fn run<F: FrontEnd>(front: &mut F, command: &Command<F>, arguments: &str) -> Result<(), ConsoleError> {
    if arguments.len() > LONGEST_PATH {
        return Err(ConsoleError::TooLong { command: command.names[0] });
    }
    if command.needs == Needs::Position {
        require_position(front, command.names[0])?;
    }
    if matches!(command.needs, Needs::Nothing | Needs::Game) {
        return (command.run)(front, arguments);
    }
    let busy = |reason| ConsoleError::Busy { command: command.names[0], reason };
    let interrupted = front.interrupt().map_err(busy)?;
    let result = (command.run)(front, arguments);
    if front.session().task().is_idle() {
        front.resume(interrupted);
    }
    result
}

/// For a command that depends on the position.
fn require_position<F: FrontEnd>(front: &F, command: &'static str) -> Result<(), ConsoleError> {
    if front.lacks_position() { Err(ConsoleError::NoPosition { command }) } else { Ok(()) }
}

/// Writes a whole file. An existing file must be empty or begin like this kind of file; `kind` names it, such as "an
/// SVG picture".
fn replace_file(path: &Path, kind: &str, begin: &str, text: &str) -> Result<(), ConsoleError> {
    bartizan_files::check_kind(path, kind, |start| start.is_empty() || start.starts_with(begin.as_bytes()))
        .and_then(|()| bartizan_files::replace(path, text.as_bytes()))
        .map_err(|source| ConsoleError::Write { path: path.to_owned(), source })
}

/// As [`parse`], for a number in a range that `expected` describes.
fn parse_in<T: std::str::FromStr + PartialOrd>(
    command: &'static str,
    word: Option<&str>,
    range: &RangeInclusive<T>,
    expected: &'static str,
) -> Result<Option<T>, ConsoleError> {
    match parse(command, word, expected)? {
        Some(number) if !range.contains(&number) => {
            let word = Excerpt::new(word.unwrap_or_default()).to_string();
            Err(ConsoleError::Argument { command, word, expected })
        }
        number => Ok(number),
    }
}

/// An argument as a number, `None` if there is no argument.
fn parse<T: std::str::FromStr>(
    command: &'static str,
    word: Option<&str>,
    expected: &'static str,
) -> Result<Option<T>, ConsoleError> {
    let invalid = |word: &str| ConsoleError::Argument { command, word: Excerpt::new(word).to_string(), expected };
    word.map(|word| word.parse().map_err(|_| invalid(word))).transpose()
}
