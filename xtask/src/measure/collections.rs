//! Measures `pgn filter` and `pgn dedup` against pgn-extract, on the same file and with the same resulting games.

use super::{installed, program};
use crate::error::{Error, Result};
use crate::files;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The number of games, and the number of runs of each case with each program. The fastest counts.
const GAMES: usize = 100_000;
const ROUNDS: usize = 3;

/// A position of the Sicilian Defence, Najdorf Variation.
const NAJDORF: &str = "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R";

/// The same task for both programs.
struct Case {
    ours: &'static [&'static str],
    theirs: &'static [&'static str],
}

const CASES: [Case; 6] = [
    Case { ours: &["filter", "--result", "1-0"], theirs: &["-Tr1-0"] },
    Case { ours: &["filter", "--result", "1-0", "--check"], theirs: &["-Tr1-0"] },
    Case { ours: &["filter", "--player", "Engine 0077"], theirs: &["-TpEngine 0077"] },
    Case { ours: &["filter", "--final", "checkmate"], theirs: &["--checkmate"] },
    Case { ours: &["filter", "--position", NAJDORF], theirs: &["-tNAJDORF"] },
    Case { ours: &["dedup"], theirs: &["-D"] },
];

/// Measures all cases.
pub(crate) fn filter() -> Result<String> {
    let extract = installed("pgn-extract")
        .ok_or_else(|| Error::Skipped("no collections are measured: pgn-extract is not installed".to_owned()))?;
    let tools = program("bartizan-tools")?;
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let folder = folder.path();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).map_err(Error::io(folder));
    write("games.pgn", &games()?)?;
    write("NAJDORF", &format!("FENPattern \"{NAJDORF}\"\n"))?;
    let mut table = "| CPU seconds | bartizan | pgn-extract | ratio | games kept |\n|---|---|---|---|---|\n".to_owned();
    for Case { ours, theirs } in &CASES {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            let mine = [&["pgn"], *ours, &["games.pgn", "--threads", "1", "--quiet", "--out", "ours.pgn"]].concat();
            least[0] = least[0].min(processor_time(tools.as_os_str(), &mine, folder)?);
            let other = [&["-s"], *theirs, &["-otheirs.pgn", "games.pgn"]].concat();
            least[1] = least[1].min(processor_time(extract.as_os_str(), &other, folder)?);
        }
        let (kept, others) = (rounds(&folder.join("ours.pgn"))?, rounds(&folder.join("theirs.pgn"))?);
        if kept != others || kept.is_empty() {
            let text = format!("{}: {} and {} games kept, not the same", ours.join(" "), kept.len(), others.len());
            return Err(Error::Check(text));
        }
        let [mine, other] = least;
        let (ours, theirs) = (ours.join(" "), theirs.join(" "));
        let _ = writeln!(
            table,
            "| `pgn {ours}`, `pgn-extract {theirs}` | {mine:.2} | {other:.2} | {:.1} | {} |",
            other / mine,
            kept.len()
        );
    }
    Ok(table)
}

/// Games with the moves of the opening table, each a few dozen times with different players; one in a hundred ends in
/// checkmate. The tag `Round` numbers them.
fn games() -> Result<String> {
    let table = files::read(&files::root().join("crates/book/eco.tsv"))?;
    let lines: Vec<(&str, &str)> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some((line.get(..3)?, line.rsplit_once('\t')?.1)))
        .collect();
    if lines.is_empty() {
        return Err(Error::Check("crates/book/eco.tsv has no lines".to_owned()));
    }
    let mut text = String::new();
    for number in 1..=GAMES {
        let (eco, moves) = match number % 100 {
            0 => ("A00", "1. f3 e5 2. g4 Qh4#"),
            _ => lines[number * 7 % lines.len()],
        };
        let result = ["1-0", "1/2-1/2", "0-1"][number * 5 % 11 % 3];
        let (white, black, day) = (number * 7 % 4_001, number * 11 % 3_989, number % 28 + 1);
        let _ = write!(
            text,
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.{day:02}\"]\n[Round \"{number}\"]\n\
             [White \"Engine {white:04}\"]\n[Black \"Engine {black:04}\"]\n[Result \"{result}\"]\n[ECO \"{eco}\"]\n\n\
             {moves} {result}\n\n"
        );
    }
    Ok(text)
}

/// The numbers of the games of a file.
fn rounds(path: &Path) -> Result<BTreeSet<String>> {
    let text = files::read(path)?;
    Ok(text.lines().filter_map(|line| line.strip_prefix("[Round ")).map(str::to_owned).collect())
}

/// Runs a program. Returns its CPU time in seconds.
fn processor_time(program: &OsStr, args: &[&str], folder: &Path) -> Result<f64> {
    let command = || format!("{} {}", program.display(), args.join(" "));
    let before = children_time()?;
    let mut run = Command::new(program);
    run.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = run.status().map_err(|source| Error::Start { command: command(), source })?;
    if !status.success() {
        return Err(Error::Failed { command: command(), status });
    }
    Ok(children_time()? - before)
}

/// The CPU time of this program's finished children: hundredths of a second, by `proc(5)`.
fn children_time() -> Result<f64> {
    let path = Path::new("/proc/self/stat");
    let text = files::read(path)?;
    // The name of the program may contain spaces. Fields are counted from 1, and the third one follows the name.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or_default();
    Ok((ticks(16) + ticks(17)) * 1e-2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_numbered_and_some_are_equal() {
        let text = games().unwrap();
        assert_eq!(text.matches("[Event ").count(), GAMES);
        assert!(text.matches("Qh4#").count() >= GAMES / 100);
        assert!(text.contains("[Round \"100000\"]") && text.contains("[White \"Engine 0077\"]"));
    }

    #[test]
    fn time_of_programs_is_counted() {
        assert!(children_time().unwrap() >= 0.0);
    }
}
