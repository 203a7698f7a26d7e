//! Kills and signals. `cargo xtask faults` does the same and more for every file of every program.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_testkit::fake_engine;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bartizan-tools"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends a signal once the file has this many bytes, and waits for the end.
fn signal(child: Child, name: &str, file: &Path, bytes: u64) -> Output {
    let deadline = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(file).map_or(0, |file| file.len()) < bytes {
        assert!(Instant::now() < deadline, "'{}' does not grow", file.display());
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

/// Long enough that no machine finishes it while the test waits.
const SELFPLAY: [&str; 8] = ["selfplay", "--games", "20000", "--nodes", "50", "--max-plies", "60", "--json"];

/// SIGTERM and SIGHUP end a tool as Ctrl-C does: what is finished is kept, the JSON is whole, the exit code tells.
#[test]
fn signals_end_the_tools_as_ctrl_c_does() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    for name in ["-INT", "-TERM", "-HUP"] {
        let (games, journal) = (format!("games{name}"), format!("journal{name}"));
        let selfplay = [&SELFPLAY[..], &["--out", &games]].concat();
        let matched = ["match", "--engine", &engine, "--engine", &engine, "--rounds", "100000", "--max-moves", "9"];
        let matched = [&matched[..], &["--json", "--journal", &journal]].concat();
        for (args, file, bytes) in [(&selfplay, &games, 2_000), (&matched, &journal, 9_000)] {
            let ended = signal(start(folder, args), name, &folder.join(file), bytes);
            let errors = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(130), "{name} {args:?}: {errors}");
            let summary: Value = serde_json::from_slice(&ended.stdout).unwrap();
            assert!(summary["games"].as_u64().unwrap() > 0, "{name} {args:?}: {summary}");
        }
    }
}

/// Killed again and again, a run of self-play loses no finished game and plays none twice.
#[test]
fn kills_lose_no_finished_game() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    for name in ["games.bin", "games.pgn"] {
        let path = folder.join(name);
        let mut length = 0;
        for _ in 0..4 {
            let args = [&SELFPLAY[..], &["--out", name, "--resume"]].concat();
            signal(start(folder, &args), "-KILL", &path, length + 3_000);
            let now = std::fs::metadata(&path).unwrap().len();
            assert!(now >= length + 3_000);
            length = now;
        }
        let ended =
            start(folder, &["selfplay", "--resume", name, "--games", "1", "--json"]).wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
        if name.ends_with("pgn") {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut rounds: Vec<&str> = text.lines().filter(|line| line.starts_with("[Round ")).collect();
            let games = rounds.len();
            rounds.sort_unstable();
            rounds.dedup();
            assert!(games > 4 && rounds.len() == games && text.ends_with("\n\n"), "{games} games, {}", rounds.len());
        }
    }
}
