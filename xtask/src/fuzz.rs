//! `cargo xtask fuzz`: runs the fuzz targets of `fuzz`.

use crate::error::{Error, Result};
use crate::files;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A target.
struct Target {
    name: &'static str,
    /// The maximum length of an input in bytes: enough for every branch of the reader.
    max_len: u32,
    /// The file of `fuzz/dict` with the tokens of the format.
    dictionary: Option<&'static str>,
}

const fn target(name: &'static str, max_len: u32, dictionary: Option<&'static str>) -> Target {
    Target { name, max_len, dictionary }
}

/// All targets. Each is described at its function in `fuzz/src`.
const TARGETS: [Target; 24] = [
    target("fen", 128, Some("fen")),
    target("setup", 96, None),
    target("moves", 48, None),
    target("san", 48, Some("pgn")),
    target("epd", 256, Some("epd")),
    target("pgn", 320, Some("pgn")),
    target("uci_command", 256, Some("uci")),
    target("uci_message", 256, Some("uci")),
    target("xboard_command", 256, Some("xboard")),
    target("xboard_message", 256, Some("xboard")),
    target("settings", 512, Some("settings")),
    target("learning", 512, Some("epd")),
    target("hash", 256, None),
    target("journal", 2560, Some("journal")),
    target("openings", 320, Some("pgn")),
    target("selfplay", 576, None),
    target("syzygy", 2304, None),
    target("book", 4096, None),
    target("games", 384, Some("games")),
    target("dtm", 1088, None),
    target("network", 512, None),
    target("positions", 1024, None),
    target("checkpoint", 512, None),
    target("trace", 640, None),
];

/// An input that takes longer than this is reported as a hang.
const TIMEOUT_SECONDS: u32 = 20;
/// A target that needs more memory is reported.
const MEMORY_MB: u32 = 2_048;

/// What to run, and for how long.
#[derive(Debug, clap::Args)]
pub(crate) struct Fuzz {
    /// Targets to run [default: all]
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Time per target [default: 1, or without limit with --runs]
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes)]
    minutes: Option<f64>,
    /// Number of runs after which a target ends
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Build without AddressSanitizer: several times as many runs
    #[arg(long)]
    fast: bool,
}

/// Runs targets in turn, even after one has failed. Calls `report` with each line of libFuzzer. Returns the number of
/// runs of each.
pub(crate) fn fuzz(args: &Fuzz, report: impl Fn(&str)) -> Result<String> {
    let chosen = choose(&args.targets)?;
    let scratch = scratch()?;
    let (mut table, mut total, mut failed) = (String::new(), 0, Vec::new());
    for target in chosen {
        let (runs, passed) = run(target, args, scratch.path(), &report)?;
        total += runs;
        let _ = writeln!(table, "{:15} {runs:12} runs{}", target.name, if passed { "" } else { ", FAILED" });
        if !passed {
            failed.push(target.name);
        }
    }
    let _ = write!(table, "{:15} {total:12} runs", "all");
    if failed.is_empty() {
        return Ok(table);
    }
    Err(Error::Check(format!("{table}\nfailed: {}; the inputs are in fuzz/artifacts", failed.join(", "))))
}

fn choose(names: &[String]) -> Result<Vec<&'static Target>> {
    if names.is_empty() {
        return Ok(TARGETS.iter().collect());
    }
    let find = |name: &String| {
        let unknown = || {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            Error::Check(format!("unknown fuzz target '{name}': there are {}", known.join(", ")))
        };
        TARGETS.iter().find(|target| target.name == name).ok_or_else(unknown)
    };
    names.iter().map(find).collect()
}

/// Runs a target. Returns the number of runs and whether all passed.
fn run(target: &Target, args: &Fuzz, scratch: &Path, report: &impl Fn(&str)) -> Result<(u64, bool)> {
    let folder = files::root().join("fuzz");
    let corpus = folder.join("corpus").join(target.name);
    fs::create_dir_all(&corpus).map_err(Error::io(&corpus))?;
    // libFuzzer writes its findings to the first folder.
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz", "run", "--fuzz-dir", "fuzz"]);
    if args.fast {
        command.args(["--sanitizer", "none"]);
    }
    command.arg(target.name).arg(&corpus).arg(folder.join("seeds").join(target.name)).arg("--");
    command.args(limits(args));
    command.arg(format!("-max_len={}", target.max_len));
    if let Some(dictionary) = target.dictionary {
        command.arg(format!("-dict={}", folder.join("dict").join(format!("{dictionary}.dict")).display()));
    }
    command.arg(format!("-timeout={TIMEOUT_SECONDS}")).arg(format!("-rss_limit_mb={MEMORY_MB}"));
    command.arg("-print_final_stats=1").current_dir(files::root()).env("TMPDIR", scratch);
    // Cargo's variables of this run must not determine the toolchain of the next one.
    command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    command.stdin(Stdio::null()).stdout(Stdio::inherit()).stderr(Stdio::piped());
    let shown = || format!("cargo +nightly fuzz run {}", target.name);
    let failed = |source| Error::Start { command: shown(), source };
    let mut child = command.spawn().map_err(failed)?;
    let mut runs = 0;
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).split(b'\n') {
            let line = line.map_err(failed)?;
            let line = String::from_utf8_lossy(&line);
            runs = executed(&line).unwrap_or(runs);
            report(&line);
        }
    }
    let status = child.wait().map_err(failed)?;
    Ok((runs, status.success()))
}

fn parse_minutes(text: &str) -> std::result::Result<f64, String> {
    let minutes = text.parse().ok().filter(|&minutes: &f64| minutes > 0.0 && minutes.is_finite());
    minutes.ok_or_else(|| "expected a number of minutes".to_owned())
}

/// The libFuzzer options that limit a target.
fn limits(args: &Fuzz) -> Vec<String> {
    let minutes = args.minutes.or_else(|| args.runs.is_none().then_some(1.0));
    let time = minutes.map(|minutes| format!("-max_total_time={}", (60.0 * minutes).ceil()));
    time.into_iter().chain(args.runs.map(|runs| format!("-runs={runs}"))).collect()
}

/// The number of runs in a line of libFuzzer's final statistics.
fn executed(line: &str) -> Option<u64> {
    line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok()
}

/// A folder for the files that the targets write: in memory if the system has such a folder.
fn scratch() -> Result<TempDir> {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("bartizan-fuzz-").tempdir_in(&parent).map_err(Error::io(&parent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_targets_are_those_of_the_package() {
        let manifest = files::read(&files::root().join("fuzz/Cargo.toml")).unwrap();
        let programs = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/"));
        let expected: Vec<&str> = programs.filter_map(|name| name.strip_suffix(".rs\"")).collect();
        assert_eq!(TARGETS.map(|target| target.name).to_vec(), expected);
    }

    #[test]
    fn dictionaries_exist_and_seeds_are_not_cut_off() {
        for target in &TARGETS {
            let fuzz = files::root().join("fuzz");
            if let Some(name) = target.dictionary {
                assert!(fuzz.join("dict").join(format!("{name}.dict")).is_file(), "{name}");
            }
            for seed in fs::read_dir(fuzz.join("seeds").join(target.name)).unwrap() {
                let seed = seed.unwrap();
                assert!(seed.metadata().unwrap().len() <= target.max_len.into(), "{}", seed.path().display());
            }
        }
    }

    #[test]
    fn names_are_checked() {
        assert_eq!(choose(&[]).unwrap().len(), TARGETS.len());
        assert_eq!(choose(&["pgn".to_owned()]).unwrap()[0].name, "pgn");
        let error = choose(&["pgm".to_owned()]).err().unwrap().to_string();
        assert!(error.starts_with("unknown fuzz target 'pgm': there are fen, "), "{error}");
    }

    #[test]
    fn a_number_of_runs_is_not_ended_by_time() {
        let limits = |minutes, runs| limits(&Fuzz { targets: Vec::new(), minutes, runs, fast: false });
        assert_eq!(limits(None, None), ["-max_total_time=60"]);
        assert_eq!(limits(None, Some(10_000_000)), ["-runs=10000000"]);
        assert_eq!(limits(Some(0.5), Some(9)), ["-max_total_time=30", "-runs=9"]);
        assert!(parse_minutes("0").is_err() && parse_minutes("nan").is_err() && parse_minutes("1.5") == Ok(1.5));
    }

    #[test]
    fn runs_are_counted() {
        assert_eq!(executed("stat::number_of_executed_units: 123"), Some(123));
        assert_eq!(executed("#123 DONE"), None);
    }
}
