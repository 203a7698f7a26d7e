//! Output that cannot be written: exit code 1, one message, and no panic. If the reader has ended: no message.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::TOOLS;
use bartizan_testkit::{fake_engine, testdata};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the program with this standard output; returns its exit code and its standard error.
fn run(folder: &Path, args: &[&str], output: impl Into<Stdio>) -> (Option<i32>, String) {
    let mut command = Command::new(TOOLS);
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(output).stderr(Stdio::piped());
    let ended = command.spawn().unwrap().wait_with_output().unwrap();
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// If standard output is redirected to a file, that file is written to rather than replaced.
#[cfg(unix)]
#[test]
fn standard_output_may_be_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.pgn"), "1. e4 *\n").unwrap();
    let all = folder.path().join("all.pgn");
    let args = ["pgn", "filter", "games.pgn", "--quiet", "--out", "/dev/stdout"];
    for is_appended in [false, true] {
        std::fs::write(&all, "old\n").unwrap();
        let mut file = File::options().write(true).append(is_appended).open(&all).unwrap();
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
        let (code, errors) = run(folder.path(), &args, file);
        assert_eq!(code, Some(0), "{errors}");
        assert_eq!(std::fs::read_to_string(&all).unwrap(), "old\n1. e4 *\n");
    }
}

#[test]
fn every_command_fails_if_its_output_cannot_be_written() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    let (syzygy, sample) = (testdata("syzygy"), testdata("wdl/sample.bin"));
    std::fs::write(folder.join("suite.epd"), "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; id \"one\"; D1 20;\n").unwrap();
    std::fs::write(folder.join("perft.epd"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n").unwrap();
    std::fs::write(folder.join("games.pgn"), "1. e4 *\n").unwrap();
    std::fs::write(folder.join("learned"), "# bartizan-learning 1\n").unwrap();
    std::fs::write(folder.join("factors"), "a | | Hash=2\n").unwrap();
    std::fs::write(folder.join("parameters"), "Hash | 2 | 1 | 4 | 1\n").unwrap();
    let selfplay = ["selfplay", "--games", "20", "--nodes", "20", "--max-plies", "30"];
    let (code, errors) = run(folder, &[&selfplay[..], &["--out", "games.bin"]].concat(), Stdio::null());
    assert_eq!(code, Some(0), "{errors}");
    let matched = ["match", "--engine", &engine, "--engine", &engine, "--max-moves", "2"];
    let (code, errors) = run(folder, &[&matched[..], &["--journal", "j"]].concat(), Stdio::null());
    assert_eq!(code, Some(0), "{errors}");
    let tune = ["tune", "--data", sample.to_str().unwrap(), "--positions", "500", "--epochs", "1", "--out", "fit"];
    let commands: Vec<Vec<&str>> = vec![
        vec!["--help"],
        vec!["--version"],
        vec!["match", "--help"],
        vec!["selfplay", "--resume", "games.bin"],
        vec!["selfplay", "--resume", "games.bin", "--json"],
        matched.to_vec(),
        [&matched[..], &["--json"]].concat(),
        [&matched[..], &["--quiet"]].concat(),
        vec!["match", "ladder", "j"],
        vec!["match", "ladder", "j", "--json"],
        vec!["epd", "perft", "perft.epd"],
        vec!["epd", "test", "suite.epd", "--nodes", "20"],
        vec!["epd", "test", "suite.epd", "--nodes", "20", "--json"],
        vec!["epd", "depth", "suite.epd", "--depth", "2"],
        vec!["epd", "ttd", "suite.epd", "--depth", "2"],
        vec!["learn", "show", "learned"],
        vec!["learn", "show", "learned", "--json"],
        vec!["learn", "prune", "learned"],
        vec!["tb", "probe", "--path", syzygy.to_str().unwrap(), "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"],
        vec!["tb", "probe", "--json", "--path", syzygy.to_str().unwrap(), "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1"],
        vec!["board"],
        vec!["eco", "list"],
        vec!["eco", "lookup", "1. e4"],
        vec!["eco", "classify", "games.pgn"],
        vec!["eco", "compare", "games.pgn"],
        vec!["pgn", "filter", "games.pgn"],
        vec!["pgn", "filter", "games.pgn", "--csv"],
        vec!["pgn", "sort", "games.pgn"],
        vec!["pgn", "dedup", "games.pgn"],
        vec!["pgn", "dedup", "games.pgn", "--prefix"],
        vec!["pgn", "split", "games.pgn", "--games", "1"],
        vec!["pgn", "split", "games.pgn", "--shard", "1/1"],
        vec!["pgn", "annotate", "games.pgn", "--nodes", "1"],
        vec!["repertoire", "games.pgn", "--player", "", "--pgn", "games.pgn"],
        vec!["repertoire", "games.pgn", "--player", "", "--pgn", "games.pgn", "--json"],
        vec!["pgn", "stats", "games.pgn"],
        vec!["pgn", "stats", "games.pgn", "--json"],
        vec!["wdl", "--data", sample.to_str().unwrap()],
    ];
    for args in commands {
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            let (code, errors) = run(folder, &args, full);
            assert_eq!(code, Some(1), "{args:?}: {errors}");
            assert!(errors.contains("error: cannot write the output: No space left"), "{args:?}: {errors}");
            assert!(!errors.contains("panicked"), "{args:?}: {errors}");
        }
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let (code, errors) = run(folder, &args, writer);
        assert_eq!(code, Some(1), "{args:?}: {errors}");
        assert!(!errors.contains("error") && !errors.contains("panicked"), "{args:?}: {errors}");
        // Messages that cannot be written change nothing.
        let mut command = Command::new(TOOLS);
        if let Ok(full) = File::options().write(true).open("/dev/full") {
            command.args(&args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(full);
            assert_eq!(command.status().unwrap().code(), Some(0), "{args:?}");
        }
    }
    // The result of the fit is written before it is printed.
    if let Ok(full) = File::options().write(true).open("/dev/full") {
        let (code, errors) = run(folder, &tune, full);
        assert!(code == Some(1) && folder.join("fit/weights.json").exists(), "{errors}");
    }
}
