//! Measures building opening books, compared with Polyglot's `make-book`.

use super::{installed, program};
use crate::error::{Error, Result};
use crate::{files, run};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Games in the file: the first plies of those in `testdata/book/games.pgn`, repeated.
const GAMES: usize = 100_000;
/// Plies of each game.
const PLIES: usize = 16;
const MIN_COUNT: &str = "3";
const ROUNDS: usize = 5;
/// GNU time, which reports another program's CPU time and memory.
const TIME: &str = "/usr/bin/time";

/// A program and its measured cost.
struct Row {
    shown: &'static str,
    program: PathBuf,
    /// `GAMES`, `BOOK` and `MIN` stand for the files and the minimum number of games.
    args: Vec<&'static str>,
    book: &'static str,
    games: Cost,
    one_game: Cost,
    /// The most of `own_memory`.
    own: f64,
}

/// The minimum cost of a program over all rounds: CPU seconds, seconds, and megabytes.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    wall: f64,
    memory: f64,
}

impl Cost {
    const MOST: Self = Self { cpu: f64::MAX, wall: f64::MAX, memory: f64::MAX };

    fn least(self, other: Self) -> Self {
        Self { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall), memory: self.memory.min(other.memory) }
    }
}

impl Row {
    fn new(shown: &'static str, program: PathBuf, args: &[&'static str], book: &'static str) -> Self {
        Self { shown, program, args: args.to_vec(), book, games: Cost::MOST, one_game: Cost::MOST, own: 0.0 }
    }

    fn arguments<'a>(&self, games: &'a str, book: &'a str, min_count: &'a str) -> Vec<&'a str> {
        let values = [("GAMES", games), ("BOOK", book), ("MIN", min_count)];
        let value = |&arg: &&'static str| values.iter().find(|(name, _)| *name == arg).map_or(arg, |(_, value)| value);
        self.args.iter().map(value).collect()
    }

    /// The peak private memory in MB while the program builds a book of the games in a file: without the pages of
    /// programs and libraries, which all processes share.
    fn own_memory(&self, folder: &Path, games: &str) -> Result<f64> {
        let args = self.arguments(games, self.book, MIN_COUNT);
        let error = |source| Error::Start { command: self.program.display().to_string(), source };
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(error)?;
        let mut most = 0_u64;
        while child.try_wait().map_err(error)?.is_none() {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap_or_default();
            let kilobytes = line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0);
            most = most.max(kilobytes);
            thread::sleep(Duration::from_micros(500));
        }
        Ok(most as f64 * 1.024 / 1e3)
    }

    /// Builds a book of the games in a file.
    fn run(&self, folder: &Path, games: &str, book: &str, min_count: &str) -> Result<Cost> {
        let args = self.arguments(games, book, min_count);
        let shown = format!("{} {}", self.program.display(), args.join(" "));
        let mut command = Command::new(TIME);
        command.args(["-f", "%U %S %e %M"]).arg(&self.program).args(&args).current_dir(folder);
        let output = run::captured(&mut command, &shown)?;
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().last().unwrap_or_default();
        let numbers: Vec<f64> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [user, system, wall, kilobytes] => Ok(Cost { cpu: user + system, wall, memory: kilobytes / 1e3 }),
            _ => Err(Error::Check(format!("{TIME} printed '{last}'"))),
        }
    }
}

/// Books of the same games by several programs, run in turn.
pub(crate) fn build() -> Result<String> {
    let skipped = |program: &str| Error::Skipped(format!("no books are measured: {program} is not installed"));
    let polyglot = installed("polyglot").ok_or_else(|| skipped("polyglot"))?;
    if !Path::new(TIME).is_file() {
        return Err(skipped(&format!("GNU time ({TIME})")));
    }
    let tools = program("bartizan-tools")?;
    let least = example()?;
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let folder = folder.path();
    let bytes = write_games(&folder.join("games.pgn"), GAMES)?;
    write_games(&folder.join("one.pgn"), 1)?;

    let ours = ["book", "build", "GAMES", "--max-ply", "16", "--min-count", "MIN", "--out", "BOOK"];
    let theirs = ["make-book", "-pgn", "GAMES", "-max-ply", "16", "-min-game", "MIN", "-bin", "BOOK"];
    let with_threads = |threads| [&ours[..], &["--threads", threads]].concat();
    let mut rows = [
        Row::new("`bartizan-tools book build --threads 1`", tools.clone(), &with_threads("1"), "ours.bin"),
        Row::new("`bartizan-tools book build --threads 2`", tools.clone(), &with_threads("2"), "both.bin"),
        Row::new("`make_book`, an example of `bartizan-book`", least, &["GAMES", "BOOK", "16", "MIN"], "least.bin"),
        Row::new("`polyglot make-book`", polyglot, &theirs, "theirs.bin"),
    ];
    for _ in 0..ROUNDS {
        for row in &mut rows {
            row.games = row.games.least(row.run(folder, "games.pgn", row.book, MIN_COUNT)?);
            row.one_game = row.one_game.least(row.run(folder, "one.pgn", "one.bin", "1")?);
            row.own = row.own.max(row.own_memory(folder, "games.pgn")?);
        }
    }
    let [first, others @ ..] = &rows;
    let mut same = (0, 0);
    for other in others {
        same = same_book(&tools, &folder.join(first.book), &folder.join(other.book))?;
    }
    let (positions, moves) = same;

    let mut table = format!(
        "The first {PLIES} plies of {GAMES} games ({:.1} MB of PGN: those of `testdata/book/games.pgn`, repeated), \
         keeping moves played in at least {MIN_COUNT} games. Each figure is the least of {ROUNDS} rounds, in which all \
         programs run in turn. All books have the same {positions} positions and {moves} moves with the same shares, \
         by `bartizan-tools book diff`. Own memory is memory that no other process can share: the peak of `RssAnon`, \
         sampled every half millisecond in {ROUNDS} more runs.\n\n\
         | | CPU seconds | seconds | peak memory | peak memory, one game | own memory |\n\
         |---|---|---|---|---|---|\n",
        bytes as f64 / 1e6
    );
    for Row { shown, games, one_game, own, .. } in &rows {
        let Cost { cpu, wall, memory } = games;
        let _ = writeln!(
            table,
            "| {shown} | {cpu:.2} | {wall:.2} | {memory:.1} MB | {:.1} MB | {own:.1} MB |",
            one_game.memory
        );
    }
    let arguments = |row: &Row| {
        let args = row.args.join(" ").replace("GAMES", "games.pgn").replace("MIN", MIN_COUNT).replace("BOOK", row.book);
        let name = row.program.file_name().unwrap_or_default().to_string_lossy();
        format!("`{name} {args}`")
    };
    let commands: Vec<String> = rows.iter().map(arguments).collect();
    let _ = writeln!(table, "\nEach run under `{TIME} -f '%U %S %e %M'`: {}.", commands.join("; "));
    Ok(table)
}

/// The book library's example, built if necessary.
fn example() -> Result<PathBuf> {
    run::cargo_output(&run::args(&["build", "--release", "--quiet", "-p", "bartizan-book", "--example", "make_book"]))?;
    Ok(run::target_folder(run::MAIN)?.join("release/examples/make_book"))
}

/// Writes games, and returns the size of the file.
fn write_games(path: &Path, games: usize) -> Result<usize> {
    let source = files::read(&files::root().join("testdata/book/games.pgn"))?;
    let text = repeated(&source, games);
    fs::write(path, &text).map_err(Error::io(path))?;
    Ok(text.len())
}

/// The first plies of games, repeated until there are enough of them.
fn repeated(source: &str, games: usize) -> String {
    let end = format!("{}.", PLIES / 2 + 1);
    let mut text = String::new();
    for (number, game) in source.trim().split("\n\n").cycle().take(games).enumerate() {
        let words: Vec<&str> = game.split_whitespace().collect();
        let Some((result, moves)) = words.split_last() else { continue };
        let moves: Vec<&str> = moves.iter().copied().take_while(|&word| word != end).collect();
        let moves = moves.join(" ");
        let number = number + 1;
        let _ = write!(
            text,
            "[Event \"Games of a book\"]\n[Site \"?\"]\n[Date \"2026.11.22\"]\n[Round \"{number}\"]\n[White \"A\"]\n\
             [Black \"B\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        );
    }
    text
}

/// The positions and moves that two books have in common; an error if they differ.
fn same_book(tools: &Path, first: &Path, second: &Path) -> Result<(u64, u64)> {
    let paths = [first, second].map(|path| path.display().to_string());
    let text = run::output(&tools.to_string_lossy(), &["book", "diff", &paths[0], &paths[1], "--json"])?;
    let diff: Value = serde_json::from_str(&text).map_err(|error| Error::Check(format!("`book diff`: {error}")))?;
    let number = |kind: &str, which: &str| diff[kind][which].as_u64();
    let others = [("positions", "first"), ("positions", "second"), ("moves", "first"), ("moves", "second")];
    let differs = others.iter().any(|(kind, which)| number(kind, which) != Some(0));
    match (number("positions", "both"), number("moves", "both")) {
        (Some(positions), Some(moves)) if !differs && number("moves", "other_share") == Some(0) => {
            Ok((positions, moves))
        }
        _ => Err(Error::Check(format!("the books '{}' and '{}' differ: {text}", paths[0], paths[1]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_cut_and_repeated() {
        let long = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1\nNg8 7. Nf3 Nf6 8. Ng1 Ng8";
        let text = repeated(&format!("{long} 9. e4 1-0\n\n1. e4 1/2-1/2\n"), 3);
        let games: Vec<&str> = text.lines().filter(|line| line.starts_with("1.")).collect();
        let long = format!("{} 1-0", long.replace('\n', " "));
        assert_eq!(games, [long.as_str(), "1. e4 1/2-1/2", long.as_str()]);
        assert_eq!(text.matches("[Result \"1-0\"]").count(), 2);
    }
}
