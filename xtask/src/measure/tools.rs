//! Measurements that use the tools: suites, time to depth with two threads, throughput of self-play and of the tuner.

use super::program;
use crate::error::{Error, Result};
use crate::{files, run};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Suites of the repository.
const SUITES: [&str; 4] = [
    "testdata/examples/tactics.epd",
    "testdata/mates/mates.epd",
    "testdata/epd/tactical.epd",
    "testdata/epd/endgame.epd",
];
/// Seconds for a position.
const SECONDS: &str = "0.5";
/// Positions, and the depth that one thread reaches in about half a second on average.
const TIME_TO_DEPTH: (&str, &str) = ("testdata/examples/tactics.epd", "16");

/// Runs the tools and returns their JSON output.
pub(crate) fn json(tools: &Path, args: &[&str]) -> Result<Value> {
    let command = || format!("bartizan-tools {}", args.join(" "));
    let output = Command::new(tools)
        .args(args)
        .current_dir(files::root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output = output.map_err(|source| Error::Start { command: command(), source })?;
    if !output.status.success() {
        return Err(Error::Failed { command: command(), status: output.status });
    }
    serde_json::from_slice(&output.stdout).map_err(|error| Error::Check(format!("`{}`: {error}", command())))
}

/// Solved positions of each suite, one position at a time, one thread.
pub(crate) fn suites(more: &[PathBuf]) -> Result<String> {
    let tools = program("bartizan-tools")?;
    let mut table = format!("| suite | positions | solved in {SECONDS} s each |\n|---|---|---|\n");
    let more = more.iter().map(|path| path.display().to_string());
    for suite in SUITES.iter().map(|&path| path.to_owned()).chain(more) {
        let result =
            json(&tools, &["epd", "test", &suite, "--st", SECONDS, "--option", "Hash=64", "--quiet", "--json"])?;
        let name =
            Path::new(&suite).file_name().map_or_else(|| suite.clone(), |name| name.to_string_lossy().into_owned());
        let summary = &result["summary"];
        let _ = writeln!(table, "| `{name}` | {} | {} |", summary["positions"], summary["solved"]);
    }
    Ok(table)
}

/// Two threads against one: nodes per second, time to depth and nodes to depth, geometric means over the positions.
pub(crate) fn threads() -> Result<String> {
    let tools = program("bartizan-tools")?;
    let (suite, depth) = TIME_TO_DEPTH;
    let result = json(&tools, &["epd", "ttd", suite, "--depth", depth, "--threads", "1,2", "--json"])?;
    let mut table = format!(
        "`{suite}` to depth {depth}: ratios to one thread, with 95 % confidence intervals.\n\n\
         | threads | seconds | nodes per second | time to depth | nodes to depth |\n|---|---|---|---|---|\n"
    );
    for row in result.as_array().into_iter().flatten() {
        let ratio = |key: &str| {
            let [value, low, high] = [0, 1, 2].map(|index| row[key][index].as_f64().unwrap_or_default());
            format!("{value:.2} ({low:.2} to {high:.2})")
        };
        let _ = writeln!(
            table,
            "| {} | {:.1} | {} | {} times faster | {} |",
            row["threads"],
            row["seconds"].as_f64().unwrap_or_default(),
            ratio("nps_ratio"),
            ratio("speedup"),
            ratio("nodes_ratio"),
        );
    }
    Ok(table)
}

/// Games and positions a second.
pub(crate) fn throughput() -> Result<String> {
    let tools = program("bartizan-tools")?;
    let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, run) = (path("games.bin"), path("run"));
    let played = json(&tools, &["selfplay", "--games", "300", "--nodes", "5000", "--out", &games, "--json"])?;
    let fitted =
        json(&tools, &["tune", "--data", &games, "--out", &run, "--epochs", "20", "--patience", "20", "--json"])?;
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    let mut table = "| | |\n|---|---|\n".to_owned();
    let _ = writeln!(table, "| `selfplay`, 5,000 nodes a move | {:.1} games/s |", number(&played["games_per_second"]));
    let gradients = number(&fitted["gradients_per_second"]) / 1e6;
    let _ = writeln!(table, "| `tune` | {gradients:.1} million position gradients/s |");
    Ok(table)
}

/// CPU time that this PGN reader and others take for the same files, run in turn.
pub(crate) fn pgn() -> Result<String> {
    run::cargo_output(&run::args(&["bench", "--quiet", "--manifest-path", run::BENCHES, "--bench", "pgn"]))
}
