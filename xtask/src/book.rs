//! `cargo xtask book`: builds the engine's book from `testdata/book`.
//!
//! `crates/book/built-in.bin` is in the repository, so that building the engine needs no book tool, and because a
//! published package cannot read files outside of it. `--check` verifies that the sources produce it.

use crate::error::{Error, Result};
use crate::measure::program;
use crate::{files, run};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options of `book build`: every move of the games is included.
const BUILD: [&str; 4] = ["--min-count", "1", "--max-ply", "30"];
/// The game files, in the order in which they are made: each with the lines that `book grow` extends, its options, and
/// whether it also extends the table of openings.
const GAMES: [(&str, &str, [&str; 6], bool); 6] = [
    ("games.pgn", "basic.pgn", ["--max-ply", "30", "--nodes", "5000", "--worst", "80"], true),
    ("deeper.pgn", "basic.pgn", ["--max-ply", "16", "--nodes", "10000", "--worst", "60"], false),
    ("wider.pgn", "deeper.pgn", ["--max-ply", "26", "--nodes", "10000", "--worst", "45"], false),
    ("further.pgn", "lines.pgn", ["--max-ply", "28", "--nodes", "12000", "--worst", "48"], false),
    ("broader.pgn", "basic.pgn", ["--max-ply", "20", "--nodes", "10000", "--worst", "45"], true),
    ("longer.pgn", "basic.pgn", ["--max-ply", "30", "--nodes", "30000", "--worst", "38"], true),
];
/// Options of `book check` and `book played`: no position may be worse for either side.
const VERIFY: [&str; 4] = ["--depth", "16", "--worst", "50"];
/// Where `--verify` keeps the scores, so that it can continue after an interruption.
const JOURNAL: &str = "target/book-scores.jsonl";

/// Where `--play` keeps the games.
const PLAYED: &str = "target/book-games.pgn";
/// The clock of these games.
const CLOCK: &str = "2+0.02";

/// What to do instead of building the book.
#[derive(Debug, clap::Args)]
pub(crate) struct Book {
    /// Only check that the book matches its sources
    #[arg(long)]
    check: bool,
    /// Search every position of the book at depth 16, which takes hours; an interrupted run continues
    #[arg(long, conflicts_with = "check")]
    verify: bool,
    /// With --verify: file that keeps the scores [default: target/book-scores.jsonl]
    #[arg(long, value_name = "FILE", requires = "verify")]
    journal: Option<PathBuf>,
    /// Play the games of testdata/book again, which takes minutes
    #[arg(long, conflicts_with_all = ["check", "verify"])]
    games: bool,
    /// Let the engine play against itself at 2+0.02 with the book on both sides, and check the games
    #[arg(long, conflicts_with_all = ["check", "verify", "games"])]
    play: bool,
    /// With --play: number of game pairs
    #[arg(long, value_name = "PAIRS", default_value_t = 20, requires = "play")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

fn source(name: &str) -> PathBuf {
    files::root().join("testdata/book").join(name)
}

fn book() -> PathBuf {
    files::root().join("crates/book/built-in.bin")
}

/// Runs the task. Returns what it did.
pub(crate) fn run(options: &Book) -> Result<String> {
    if options.check {
        check()
    } else if options.verify {
        let journal = options.journal.clone().unwrap_or_else(|| files::root().join(JOURNAL));
        let journal = std::path::absolute(&journal).map_err(Error::io(&journal))?;
        let mut args = vec!["check".to_owned(), path(&book()), "--journal".to_owned(), path(&journal)];
        args.extend(run::args(&VERIFY));
        args.extend(["--threads".to_owned(), bartizan_parallel::cores().to_string()]);
        tools(&args)?;
        Ok(format!("{} is verified", files::shown(&book())))
    } else if options.play {
        play(options.rounds)
    } else if options.games {
        for (name, lines, options, eco) in GAMES {
            let mut args = vec!["grow".to_owned(), path(&source(lines)), "--out".to_owned(), path(&source(name))];
            args.extend(run::args(&options));
            args.extend(eco.then(|| "--eco".to_owned()));
            tools(&args)?;
        }
        Ok("wrote the games; `cargo xtask book --verify` finds positions for avoid.epd".to_owned())
    } else {
        let bytes = build()?;
        bartizan_files::replace(&book(), &bytes).map_err(Error::io(&book()))?;
        Ok(format!("wrote {} with {} moves", files::shown(&book()), bytes.len() / 16))
    }
}

/// Fails unless the sources produce the book. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let found = fs::read(book()).map_err(Error::io(&book()))?;
    if found != build()? {
        return Err(Error::Check(format!("{} is stale: run `cargo xtask book`", files::shown(&book()))));
    }
    Ok(format!("{} moves, built from testdata/book", found.len() / 16))
}

/// Plays games with the book on both sides, and checks them. Fails on a game that repeats another one, was lost by a
/// fault, left the book before its end, or was lost for a side where the book ended.
fn play(rounds: u32) -> Result<String> {
    let (engine, tools) = (program("bartizan")?, program("bartizan-tools")?);
    let games = files::root().join(PLAYED);
    match fs::remove_file(&games) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::io(&games)(error)),
        _ => {}
    }
    let engine = |name| ["--engine".to_owned(), format!("\"cmd={}\" name={name}", engine.display())];
    let mut args = vec!["match".to_owned()];
    args.extend(engine("first").into_iter().chain(engine("second")));
    args.extend(run::args(&["--each", "option.OwnBook=true", "--tc", CLOCK, "--strict", "--pgn"]));
    args.extend([path(&games), "--rounds".to_owned(), rounds.to_string()]);
    call(&tools, &args)?;
    let mut args = run::args(&["book", "played"]);
    args.push(path(&games));
    args.extend(run::args(&VERIFY));
    call(&tools, &args)?;
    Ok(format!("the games are in {PLAYED}"))
}

/// Runs a program in the workspace's root. Inherits the output.
fn call(program: &Path, args: &[String]) -> Result<()> {
    let shown = || format!("{} {}", program.display(), args.join(" "));
    let status = Command::new(program).args(args).current_dir(files::root()).stdin(Stdio::null()).status();
    let status = status.map_err(|source| Error::Start { command: shown(), source })?;
    if status.success() { Ok(()) } else { Err(Error::Failed { command: shown(), status }) }
}

/// Builds the book in a temporary place and returns its bytes.
fn build() -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let out = folder.path().join("built-in.bin");
    let mut args = vec!["build".to_owned(), "--out".to_owned(), path(&out)];
    args.extend(GAMES.map(|(name, ..)| path(&source(name))));
    for (option, name) in [("--annotated", "basic.pgn"), ("--avoid", "avoid.epd")] {
        args.extend([option.to_owned(), path(&source(name))]);
    }
    args.extend(run::args(&BUILD));
    // The program built for the tests: after them, nothing is left to compile. Its summary is not that of the task.
    run::build_programs()?;
    let tools = run::target_folder(run::MAIN)?.join("debug").join(format!("bartizan-tools{EXE_SUFFIX}"));
    let arguments: Vec<&str> = ["book"].into_iter().chain(args.iter().map(String::as_str)).collect();
    run::output(&path(&tools), &arguments)?;
    fs::read(&out).map_err(Error::io(&out))
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

/// Runs `bartizan-tools book` in release mode, for searching.
fn tools(args: &[String]) -> Result<()> {
    let mut command = run::args(&["run", "--quiet", "--release", "--package", "bartizan-tools", "--", "book"]);
    command.extend_from_slice(args);
    run::cargo(&command)
}
