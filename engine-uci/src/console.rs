//! The words for people: a terminal user's, and one-shot commands.

use crate::output::Output;
use crate::session::Session;
use bartizan_engine::bench::{self, BenchResult};
use bartizan_engine::suite::{Suite, SuiteError};
use bartizan_engine::{HashFileError, Limits, LoadHashError, NAME, console};
use bartizan_position::{Position, Tolerance};
use bartizan_protocol::uci::GoParams;
use std::time::{Duration, Instant};

const HELP: &str = "\
Bartizan is a UCI chess engine. Add the program to a chess GUI, or talk to it here:

  position startpos moves e2e4     set up a position: startpos, or fen FEN, then moves
  go depth 12                      search: depth N, nodes N, movetime MS, wtime MS btime MS, mate N, infinite
  stop                             end the search
  setoption name Hash value 256    set an option; `uci` lists them
  d                                draw the board, with FEN and key
  eval [FILE]                      the static evaluation of the position, or of each one of an EPD file and of it flipped
  flip                             swap the colours and mirror the board
  perft N, go perft N              count the leaves N plies deep, move by move
  bench [HASH [THREADS [LIMIT [FILE [TYPE]]]]]
                                   search fixed positions (or those of FILE) and count the nodes;
                                   LIMIT is of TYPE depth (default), nodes, movetime or perft
  speedtest [THREADS [HASH [SECONDS]]]
                                   nodes per second over a while
  test FILE [-t S] [-d N] [-n N] [-x N] [-N LINES] [-o FILE] [-v]
                                   search the problems of an EPD file: seconds, depth, nodes; -x: end a search after so
                                   many iterations with the solution; -N: best lines; -v: show the thinking
  loadgame FILE [N]                put the N-th game of a PGN file on the board
  savehash FILE, loadhash FILE     keep the hash table, for an analysis that goes on tomorrow
  help, version, license           this text, the version, the licence
  quit                             leave

Each of these may stand on the command line: `bartizan go depth 12` searches and ends.
Options of the program itself: --help, --version, --license, --config FILE.";

const LICENSE: &str = "\
Bartizan is free software under either of the MIT licence and the Apache License 2.0, at your choice.
There is no warranty. The full texts are in LICENSE-MIT and LICENSE-APACHE beside the source.";

const WORDS: [&str; 15] = [
    "d",
    "board",
    "eval",
    "flip",
    "perft",
    "bench",
    "speedtest",
    "test",
    "loadgame",
    "savehash",
    "loadhash",
    "help",
    "version",
    "license",
    "licence",
];

/// Whether a line begins with a console word.
pub(crate) fn is_console_word(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| WORDS.contains(&word))
}

/// Why a console command was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConsoleError {
    #[error("{command}: '{word}' is not {expected}")]
    Word { command: &'static str, word: String, expected: &'static str },
    #[error("{command}: {expected} is missing")]
    Missing { command: &'static str, expected: &'static str },
    #[error("bench: cannot read {path}: {source}")]
    File { path: String, source: std::io::Error },
    #[error("bench: {0}")]
    Bench(#[from] bench::BenchError),
    #[error("{0}")]
    Files(#[from] console::FileError),
    #[error(transparent)]
    Suite(#[from] SuiteError),
    #[error(transparent)]
    SaveHash(#[from] HashFileError),
    #[error(transparent)]
    LoadHash(#[from] LoadHashError),
    #[error("bench: position {number}: {source}")]
    Position { number: usize, source: bartizan_position::PositionError },
}

/// Does a console command; `None` if the line is none.
pub(crate) fn try_command(session: &mut Session, line: &str) -> Option<Result<(), ConsoleError>> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let rest = line.trim().strip_prefix(first).unwrap_or_default().trim();
    let result = match first {
        "d" | "board" => {
            session.output.line(console::board(session.engine.position()));
            Ok(())
        }
        "eval" if rest.is_empty() => {
            session.output.line(console::evaluation(session.engine.position()));
            Ok(())
        }
        "eval" => console::evaluate_file(rest)
            .map(|lines| lines.iter().for_each(|line| session.output.line(line)))
            .map_err(Into::into),
        "test" => Suite::open(rest).map(|suite| session.run_suite(Box::new(suite))).map_err(Into::into),
        "loadgame" => load_game(session, rest),
        "savehash" => match session.engine.save_hash(rest) {
            Ok(positions) => {
                session.output.line(format_args!("{rest}: {positions} positions saved"));
                Ok(())
            }
            Err(error) => Err(error.into()),
        },
        "loadhash" => match session.engine.load_hash(rest) {
            Ok(positions) => {
                session.output.line(format_args!("{rest}: {positions} positions loaded"));
                Ok(())
            }
            Err(error) => Err(error.into()),
        },
        "flip" => {
            session.engine.flip();
            Ok(())
        }
        "help" => {
            session.output.line(HELP);
            Ok(())
        }
        "version" => {
            session.output.line(format_args!("bartizan {}", env!("CARGO_PKG_VERSION")));
            Ok(())
        }
        "license" | "licence" => {
            session.output.line(LICENSE);
            Ok(())
        }
        "perft" => parse("perft", words.next(), "a depth").and_then(|depth: Option<u32>| {
            let depth = depth.ok_or(ConsoleError::Missing { command: "perft", expected: "a depth" })?;
            session.go(&GoParams { perft: Some(depth), ..GoParams::default() });
            Ok(())
        }),
        "bench" => bench(&mut session.output, words),
        "speedtest" => speedtest(&mut session.output, words),
        _ => return None,
    };
    Some(result)
}

/// A word as a number, `None` if there is no word.
fn parse<T: std::str::FromStr>(
    command: &'static str,
    word: Option<&str>,
    expected: &'static str,
) -> Result<Option<T>, ConsoleError> {
    let wrong = |word: &str| ConsoleError::Word { command, word: word.chars().take(40).collect(), expected };
    word.map(|word| word.parse().map_err(|_| wrong(word))).transpose()
}

/// `FILE` or `FILE N`; a path may hold blanks.
fn load_game(session: &mut Session, words: &str) -> Result<(), ConsoleError> {
    let (file, number) = match words.rsplit_once(char::is_whitespace) {
        Some((file, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => (file.trim(), Some(number)),
        _ => (words, None),
    };
    let number = parse("loadgame", number, "the number of a game")?.unwrap_or(1);
    if file.is_empty() {
        return Err(ConsoleError::Missing { command: "loadgame", expected: "a file" });
    }
    session.engine.set_game_to(console::load_game(file, number)?);
    session.output.line(console::board(session.engine.position()));
    Ok(())
}

fn report(output: &mut Output, result: BenchResult) {
    output.line(format_args!("{} nodes {} nps", result.nodes, result.nps()));
}

fn bench<'a>(output: &mut Output, mut words: impl Iterator<Item = &'a str>) -> Result<(), ConsoleError> {
    let hash = parse("bench", words.next(), "a hash size in MB")?.unwrap_or(bench::HASH);
    let threads = parse("bench", words.next(), "a number of threads")?.unwrap_or(1);
    let limit: u64 = parse("bench", words.next(), "a limit")?.unwrap_or(u64::from(bench::DEPTH));
    let file = match words.next() {
        None | Some("default") => None,
        Some(path) => {
            let text = std::fs::read(path).map_err(|source| ConsoleError::File { path: path.to_owned(), source })?;
            Some(String::from_utf8_lossy(&text).into_owned())
        }
    };
    let depth = u32::try_from(limit).unwrap_or(u32::MAX);
    let limits = match words.next() {
        None | Some("depth") => Limits::depth(depth),
        Some("nodes") => Limits::nodes(limit),
        Some("movetime") => Limits::move_time(Duration::from_millis(limit)),
        Some("perft") => return bench_perft(output, file.as_deref(), depth),
        Some(word) => {
            let expected = "one of depth, nodes, movetime, perft";
            return Err(ConsoleError::Word { command: "bench", word: word.chars().take(40).collect(), expected });
        }
    };
    let progress = |fen: &str, nodes: u64| output.line(format_args!("{nodes:>10}  {fen}"));
    let result = match &file {
        Some(text) => bench::run(fens(text), hash, threads, &limits, progress),
        None => bench::run(bench::positions(), hash, threads, &limits, progress),
    }?;
    report(output, result);
    Ok(())
}

fn bench_perft(output: &mut Output, file: Option<&str>, depth: u32) -> Result<(), ConsoleError> {
    let mut result = BenchResult::default();
    let positions: Vec<&str> = file.map_or_else(|| bench::positions().collect(), |text| fens(text).collect());
    for (index, fen) in positions.into_iter().enumerate() {
        let position = Position::from_fen_with(fen, Tolerance::ALL)
            .map_err(|source| ConsoleError::Position { number: index + 1, source })?;
        let start = Instant::now();
        let leaves = bartizan_position::perft(&position, depth);
        result.time += start.elapsed();
        result.nodes += leaves;
        output.line(format_args!("{leaves:>10}  {fen}"));
    }
    report(output, result);
    Ok(())
}

/// The positions of a file: one a line, as FEN or EPD; what comes behind an EPD's four fields is left out.
fn fens(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let is_fen = line.split_whitespace().nth(4).is_none_or(|word| word.parse::<u32>().is_ok());
        if is_fen { line } else { first_words(line, 4) }
    })
}

fn first_words(line: &str, count: usize) -> &str {
    let mut rest = line;
    for _ in 0..count {
        rest = rest.trim_start();
        rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
    }
    &line[..line.len() - rest.len()]
}

fn speedtest<'a>(output: &mut Output, mut words: impl Iterator<Item = &'a str>) -> Result<(), ConsoleError> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = parse("speedtest", words.next(), "a number of threads")?.unwrap_or(cores);
    let hash = parse("speedtest", words.next(), "a hash size in MB")?.unwrap_or(128 * threads.max(1));
    let seconds: u64 = parse("speedtest", words.next(), "a number of seconds")?.unwrap_or(20);
    let positions = bench::positions().count().max(1) as u64;
    let limits = Limits::move_time(Duration::from_millis(seconds.max(1).saturating_mul(1_000) / positions));
    output.line(format_args!("{NAME}: {threads} threads, {hash} MB hash, {seconds} s"));
    let result = bench::run(bench::positions(), hash, threads, &limits, |_, _| {})?;
    report(output, result);
    Ok(())
}
