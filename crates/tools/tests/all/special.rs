//! Special files in place of ordinary ones: devices without an end, folders, sparse files of terabytes, pipes.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{TOOLS, success, text};
use bartizan_testkit::fake_engine;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn start(folder: &Path, args: &[&str], input: Stdio) -> Child {
    let mut command = Command::new(TOOLS);
    command.args(args).current_dir(folder).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for the end, which must come soon.
#[track_caller]
fn end(mut child: Child, args: &[&str]) -> Output {
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("{args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// Every command that reads a file, with `INPUT` in its place. `good.pos` and `good.pgn` are files of their kinds.
fn commands(engine: &str) -> Vec<Vec<&str>> {
    let matched = ["match", "--engine", engine, "--engine", engine, "--rounds", "1"];
    let with = |more: &[&'static str]| [&matched[..], more].concat();
    let screened = |more: &[&'static str]| {
        [&["screen", "--engine", engine, "--pairs", "4", "--journal", "none"][..], more].concat()
    };
    let mut all: Vec<Vec<&str>> = vec![
        with(&["--openings", "INPUT"]),
        with(&["--config", "INPUT"]),
        vec!["match", "--resume", "INPUT"],
        screened(&["INPUT", "--openings", "good.epd"]),
        screened(&["factors", "--openings", "INPUT"]),
        vec!["screen", "--resume", "INPUT"],
        vec!["screen", "--report", "INPUT"],
        vec!["spsa", "--engine", engine, "--journal", "none", "--openings", "good.epd", "INPUT"],
        vec!["spsa", "--resume", "INPUT"],
        vec!["spsa", "--report", "INPUT"],
        vec!["pgn", "stats", "--merge", "INPUT"],
        vec!["pgn", "label", "--nodes", "1", "--out", "out", "INPUT"],
        vec!["pgn", "annotate", "good.pgn", "--nodes", "1", "--journal", "INPUT", "--resume"],
        vec!["puzzles", "good.pgn", "--nodes", "1", "--journal", "INPUT", "--resume"],
        vec!["repertoire", "good.pgn", "--player", "x", "--book", "INPUT"],
        vec!["repertoire", "good.pgn", "--player", "x", "--pgn", "INPUT"],
        vec!["epd", "test", "good.epd", "--nodes", "1", "--compare", "INPUT"],
        vec!["selfplay", "--games", "1", "--nodes", "1", "--out", "out", "--openings", "INPUT"],
        vec!["selfplay", "--games", "1", "--nodes", "1", "--out", "out", "--eval-file", "INPUT"],
        vec!["selfplay", "--resume", "INPUT"],
        vec!["train", "--out", "out", "--data", "INPUT"],
        vec!["train", "--out", "out", "--data", "good.pos", "--validation", "INPUT"],
        vec!["train", "--out", "out", "--data", "good.pos", "--start", "INPUT"],
        vec!["train", "--out", "out", "--data", "good.pos", "--checkpoint", "INPUT", "--resume"],
        vec!["tune", "--out", "fit", "--data", "good.pgn", "--start", "INPUT"],
        vec!["tune", "--out", "fit", "--data", "INPUT"],
        vec!["data", "compare", "good.pos", "--network", "INPUT"],
        vec!["wdl", "--data", "INPUT"],
        vec!["data", "filter", "--out", "out", "INPUT"],
        vec!["data", "shuffle", "--out", "out", "INPUT"],
        vec!["data", "rescore", "--nodes", "1", "--out", "out", "INPUT"],
        vec!["data", "split", "--out-train", "a", "--out-validation", "b", "INPUT"],
        vec!["data", "vary", "--out", "out", "INPUT"],
        vec!["data", "evaluate", "good.epd", "--values", "INPUT"],
    ];
    for command in [
        "pgn stats",
        "pgn filter",
        "pgn sort",
        "pgn dedup",
        "pgn dedup --keep fullest",
        "pgn split --games 1 --out out{}",
        "pgn select --out out",
        "pgn annotate --nodes 1 --out out",
        "puzzles --nodes 1 --out out.epd",
        "repertoire --player x --pgn good.pgn",
        "eco classify",
        "eco compare",
        "match ladder",
        "book build --out out",
        "book grow --out out",
        "book played",
        "book stats",
        "book check --depth 1",
        "book export",
        "book diff INPUT",
        "book merge out.book INPUT",
        "book show",
        "epd test --nodes 1",
        "epd perft",
        "epd depth --nodes 1",
        "epd ttd --depth 1",
        "epd mine --nodes 1 --out out",
        "learn show",
        "learn prune --most 1",
        "learn merge out",
        "data stats",
        "data evaluate",
        "tb stats --tables",
        "tb verify --tables",
    ] {
        all.push(command.split(' ').chain(["INPUT"]).collect());
    }
    all
}

/// Reading of any file without an end, or of terabytes without content, ends with an error.
#[test]
fn files_without_an_end_are_refused_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
    write("good.pgn", b"[Result \"1-0\"]\n\n1. e4 {+0.10/1} e5 {+0.10/1} 1-0\n");
    write("good.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c9 \"1-0\";\n");
    write("factors", b"a | Hash=1 | Hash=2\n");
    for args in ["selfplay --games 4 --nodes 9 --threads 1 --out good.bin", "data filter good.bin --out good.pos"] {
        let args: Vec<&str> = args.split(' ').collect();
        success(&args, &end(start(folder.path(), &args, Stdio::null()), &args));
    }
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    for name in ["sparse", "sparse.pgn"] {
        File::create(folder.path().join(name)).unwrap().set_len(1 << 40).unwrap();
    }
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    for command in commands(&engine) {
        for input in ["/dev/zero", "folder", "sparse", "sparse.pgn"] {
            let args: Vec<&str> = command.iter().map(|&word| if word == "INPUT" { input } else { word }).collect();
            let ended = end(start(folder.path(), &args, Stdio::null()), &args);
            let errors = text(&ended.stderr);
            let is_named = errors.lines().any(|line| line.starts_with("error: ") && line.contains(input));
            assert!(ended.status.code() == Some(1) && is_named, "{args:?}: {:?} {errors}", ended.status);
        }
    }
}

/// The same for standard input.
#[test]
fn a_standard_input_without_an_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for command in
        ["pgn stats", "pgn dedup --keep fullest", "book build --out out -", "eco classify", "pgn label --nodes 1"]
    {
        let args: Vec<&str> = command.split(' ').collect();
        for input in ["/dev/zero", "/dev/urandom", "/"] {
            let ended = end(start(folder.path(), &args, File::open(input).unwrap().into()), &args);
            let errors = text(&ended.stderr);
            assert_eq!(ended.status.code(), Some(1), "{args:?}: {errors}");
            assert!(errors.contains("standard input"), "{args:?}: {errors}");
        }
    }
}

const GAME: &str = "[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";

/// A pipe that the shell opens, as in `pgn stats <(…)`.
#[test]
fn an_open_pipe_is_read_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (args, content, expected) in [
        (&["pgn", "stats"][..], GAME, "1 game"),
        (&["match", "ladder"], GAME, "x"),
        (&["epd", "perft"], "4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n", ""),
    ] {
        let args = [args, &["/dev/fd/0"]].concat();
        let mut child = start(folder.path(), &args, Stdio::piped());
        child.stdin.take().unwrap().write_all(content.as_bytes()).unwrap();
        let printed = success(&args, &end(child, &args));
        assert!(printed.contains(expected), "{args:?}: {printed}");
    }
}

/// A user who has mistaken a pipe for a file learns why nothing happens.
#[test]
fn a_named_pipe_without_a_writer_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
        eprintln!("SKIPPED: there is no mkfifo, so named pipes are not tested");
        return;
    }
    let args = ["pgn", "stats", "--quiet", "pipe"];
    let mut child = start(folder.path(), &args, Stdio::null());
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut note = String::new();
    errors.read_line(&mut note).unwrap();
    assert_eq!(note, "'pipe' is a named pipe: waiting for a program that writes to it\n");
    std::fs::write(&pipe, GAME).unwrap();
    success(&args, &end(child, &args));
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

/// An output that waits for a reader would stop the program.
#[test]
fn a_named_pipe_is_no_output() {
    let folder = tempfile::tempdir().unwrap();
    if !Command::new("mkfifo").arg(folder.path().join("pipe")).status().is_ok_and(|made| made.success()) {
        eprintln!("SKIPPED: there is no mkfifo, so named pipes are not tested");
        return;
    }
    std::fs::write(folder.path().join("good.pgn"), GAME).unwrap();
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    let matched = ["match", "--engine", &engine, "--engine", &engine, "--rounds", "1"];
    for args in [
        &["pgn", "filter", "good.pgn", "--out", "pipe"][..],
        &["pgn", "annotate", "good.pgn", "--nodes", "1", "--journal", "pipe"],
        &["eco", "classify", "good.pgn", "--out", "pipe"],
        &["board", "--out", "pipe"],
        &["book", "build", "good.pgn", "--out", "pipe"],
        &["selfplay", "--games", "1", "--nodes", "1", "--out", "pipe"],
        &["data", "filter", "good.pgn", "--out", "pipe"],
        &[&matched[..], &["--pgn", "pipe"]].concat(),
        &[&matched[..], &["--log", "pipe"]].concat(),
        &[&matched[..], &["--journal", "pipe"]].concat(),
    ] {
        let ended = end(start(folder.path(), args, Stdio::null()), args);
        let errors = text(&ended.stderr);
        assert!(ended.status.code() == Some(1) && errors.contains("'pipe'"), "{args:?}: {errors}");
    }
}

/// A file that ends within a record is an error, after what is before it has been shown.
#[test]
fn a_cut_file_ends_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("cmd='{}' nodes=1", fake_engine().display());
    let run = |args: &[&str]| end(start(folder.path(), args, Stdio::null()), args);
    let matched = ["match", "--engine", &engine, "--engine", &engine, "--rounds", "1", "--max-moves", "9"];
    for args in [
        &[&matched[..], &["--journal", "games.jsonl"]].concat()[..],
        &["selfplay", "--games", "4", "--nodes", "9", "--threads", "1", "--out", "games.bin"],
    ] {
        success(args, &run(args));
    }
    for (file, args) in [("games.jsonl", ["match", "ladder", "cut"]), ("games.bin", ["data", "stats", "cut"])] {
        let whole = std::fs::read(folder.path().join(file)).unwrap();
        std::fs::write(folder.path().join("cut"), &whole).unwrap();
        success(&args, &run(&args));
        // The last line of the journal records the end of the match.
        std::fs::write(folder.path().join("cut"), &whole[..whole.len() - 3]).unwrap();
        let ended = run(&args);
        assert_eq!(ended.status.code(), Some(1), "{args:?}");
        assert!(text(&ended.stderr).contains("cut off"), "{args:?}: {}", text(&ended.stderr));
        assert!(!ended.stdout.is_empty(), "{args:?}");
    }
}
