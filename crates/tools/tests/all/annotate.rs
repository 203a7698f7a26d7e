//! `pgn annotate`, run as by a user.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, success, text, tools_in};
use bartizan_files::Compression;
use bartizan_testkit::fake_engine;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

const GAMES: &str = "[Event \"a\"]\n[White \"Mill\"]\n[Black \"Moss\"]\n[Annotator \"Me\"]\n[Result \"0-1\"]\n\n\
                     1. f3 {weak} e5 2. g4 $14 {[%clk 0:01:00]} (2. e4) Qh4# 0-1\n\n\
                     [Event \"b\"]\n[FEN \"x\"]\n\n1. e4 *\n\n\
                     [Event \"c\"]\n\n{no moves} *\n\n\
                     [Event \"d\"]\n[White \"Moss\"]\n[Black \"Mill\"]\n\n1. e4 {[%eval 0.9]} *\n";

fn annotate(folder: &Path, args: &[&str]) -> Output {
    tools_in(folder, &[&["pgn", "annotate"], args].concat())
}

/// Runs the program on the games, with few nodes; returns standard output and the messages.
#[track_caller]
fn run(folder: &Path, args: &[&str]) -> (String, String) {
    let output = annotate(folder, &[&["games.pgn", "--nodes", "2000"], args].concat());
    (success(args, &output), text(&output.stderr))
}

#[track_caller]
fn refused(folder: &Path, args: &[&str]) -> String {
    failure(args, &annotate(folder, args))
}

#[test]
fn games_get_the_judgement_of_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let (games, messages) = run(folder, &[]);
    let (first, rest) = games.split_once("[Event \"b\"]").unwrap();
    let movetext = first.split_once("\n\n").unwrap().1.replace('\n', " ");
    assert!(movetext.starts_with("1. f3 ") && movetext.contains("{[%eval -0.") && movetext.contains("] weak}"));
    let reason = "Allows mate in one: Qh4#.";
    assert!(movetext.contains(&format!(" 2. g4 $4 $14 {{[%clk 0:01:00] [%eval #-1] {reason}}}")), "{first}");
    assert!(movetext.contains("(2. e4)"), "{first}");
    assert!(movetext.ends_with(" 2... Qh4# 0-1  "), "{first}");
    assert!(first.contains("[Annotator \"Me; Bartizan "), "{first}");
    // Texts that cannot be annotated are copied, and existing annotations are kept.
    assert!(rest.starts_with("\n[FEN \"x\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n{no moves} *\n\n"), "{rest}");
    assert!(rest.ends_with("\n\n1. e4 {[%eval 0.9]} *\n\n") && rest.contains("[Annotator \"Bartizan "), "{rest}");
    let reason = "invalid FEN: unexpected 'x' in the board at column 1";
    let warning = format!("warning: 'games.pgn': game 2, line 10, column 1: {reason}\n");
    let summary = "4 games: 2 annotated, 1 broken; 6 positions searched\n";
    assert!(messages.starts_with(&format!("{warning}{summary}")), "{messages}");

    // The same with several engines, into a compressed file.
    let (json, messages) = run(folder, &["--concurrency", "3", "--out", "out.pgn.gz", "--json"]);
    assert_eq!(messages, warning);
    let packed = fs::read(folder.join("out.pgn.gz")).unwrap();
    assert_eq!(Compression::of(&packed), Some(Compression::Gzip));
    let mut unpacked = String::new();
    std::io::Read::read_to_string(&mut bartizan_files::open(folder.join("out.pgn.gz")).unwrap(), &mut unpacked)
        .unwrap();
    assert_eq!(unpacked, games);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["games"], &json["positions"], &json["limit"]), (&4.into(), &6.into(), &"2000 nodes".into()));
    let [mill, moss] = &json["players"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!((&mill["name"], &mill["games"], &mill["moves"]), (&"Mill".into(), &2.into(), &2.into()));
    assert_eq!((&mill["blunders"], &moss["moves"], &moss["blunders"]), (&1.into(), &3.into(), &0.into()));
    assert!(mill["average_centipawn_loss"].as_f64().unwrap() > 400.0, "{json}");

    let (games, _) = run(folder, &["--from-ply", "3", "--variation-plies", "0", "--no-reasons"]);
    let expected = "\n\n1. f3 {weak} 1... e5 2. g4 $4 $14 {[%clk 0:01:00] [%eval #-1]} (2. e4)\n2... Qh4# 0-1\n\n";
    assert!(games.contains(expected) && games.ends_with("1. e4 {[%eval 0.9]} *\n"), "{games}");
    let (games, _) = run(folder, &["--replace"]);
    assert!(games.contains("\n\n1. e4 {[%eval ") && !games.contains("[%eval 0.9]"), "{games}");
}

#[test]
fn a_strict_annotation_copies_games_with_problems() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let damaged = "[Event \"a\"]\n\n1. e4 e5 2. Ke3 Nc6 *\n\n";
    fs::write(folder.join("games.pgn"), format!("{damaged}[Event \"b\"]\n\n1. d4 *\n")).unwrap();
    let place = "'games.pgn': game 1, line 3, column 13: no legal move matches 'Ke3'";
    let (lenient, messages) = run(folder, &["--journal", "j"]);
    assert!(lenient.starts_with("[Event \"a\"]\n[Site \"?\"]\n"), "{lenient}");
    assert!(
        messages.starts_with(&format!("warning: {place}; the rest of the line is kept as a comment\n")),
        "{messages}"
    );
    let (strict, messages) = run(folder, &["--strict"]);
    assert!(strict.starts_with(damaged) && strict[damaged.len()..].contains("\n\n1. d4 {[%eval "), "{strict}");
    let summary = "2 games: 1 annotated, 1 broken; 2 positions searched\n";
    assert!(messages.starts_with(&format!("warning: {place}\n{summary}")), "{messages}");
    // A journal fits both ways of reading.
    assert_eq!(run(folder, &["--strict", "--journal", "j", "--resume"]).0, strict);
}

#[test]
fn a_journal_continues_an_annotation() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let (games, _) = run(folder, &["--quiet", "--journal", "j"]);
    let journal = fs::read_to_string(folder.join("j")).unwrap();
    assert_eq!(journal.lines().count(), 3);
    // Cut off within a line; and complete, so that nothing is searched.
    let cut: usize = journal.lines().take(2).map(|line| line.len() + 1).sum();
    fs::write(folder.join("cut"), &journal[..cut + 9]).unwrap();
    assert_eq!(run(folder, &["--journal", "cut", "--resume"]).0, games);
    assert_eq!(fs::read_to_string(folder.join("cut")).unwrap().lines().count(), 3);
    assert_eq!(run(folder, &["--journal", "cut", "--resume"]).0, games);

    let with = |args: &[&str]| refused(folder, &[&["games.pgn"], args].concat());
    let message = with(&["--nodes", "9", "--journal", "j", "--resume"]);
    assert!(message.contains("cannot resume 'j'") && message.contains("nodes 9 (the file has 2000)"), "{message}");
    assert!(with(&["--nodes", "9", "--journal", "j"]).contains("'j' exists already; continue it with --resume"));
    for (args, error) in [
        (&["none.pgn", "--st", "0"][..], "error: cannot read 'none.pgn': "),
        (
            &["games.pgn", "--nodes", "9", "--out", "./games.pgn"],
            "error: './games.pgn' is an input and would be overwritten",
        ),
        (&["games.pgn", "--nodes", "9", "--out", "o", "--journal", "o"], "error: 'o' is given for two outputs"),
        (&["games.pgn", "--nodes", "9", "--out", "-", "--json"], "error: --json prints to standard output"),
        (&["--nodes", "9", "--journal", "k"], "error: standard input can be read only once, and --journal"),
        (&["none.pgn", "--nodes", "9"], "error: cannot read 'none.pgn': "),
        (&["games.pgn", "--nodes", "9", "--engine", "cmd=x nodes=5"], "error: --engine 'cmd=x nodes=5' has limits"),
        (&["games.pgn", "--nodes", "9", "--out", "no/x"], "error: cannot write 'no/x': "),
    ] {
        let message = refused(folder, args);
        assert!(message.starts_with(error), "{args:?}: {message}");
    }
    assert_eq!(fs::read_to_string(folder.join("games.pgn")).unwrap(), GAMES);
}

#[test]
fn a_search_without_a_limit_is_that_of_the_default() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("game.pgn"), "1. e4 *\n").unwrap();
    let args = ["pgn", "annotate", "game.pgn", "--out", "out.pgn", "--json", "--quiet"];
    let json: Value = serde_json::from_str(&success(&args, &tools_in(folder, &args))).unwrap();
    assert_eq!(json["limit"], "100000 nodes");
}

#[test]
fn other_engines_annotate_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let engine = |flags: &str| format!("cmd='{}' {flags}", fake_engine().display());
    for flags in ["name=fake", "name=fake arg=--xboard proto=xboard"] {
        let (games, _) = run(folder, &["--engine", &engine(flags), "--concurrency", "2"]);
        let count = games.matches("[%eval ").count();
        assert!(count >= 4 && games.contains("[Annotator \"fake\"]"), "{flags}: {games}");
    }
    // Games finished before an engine fault are written, but not over a file.
    let faulty = engine("arg=--crash-at arg=5");
    let args = ["games.pgn", "--nodes", "9", "--engine", &faulty, "--concurrency", "1", "--out", "part.pgn"];
    let message = refused(folder, &args);
    assert!(message.contains("error: game 4, position '"), "{message}");
    let part = fs::read_to_string(folder.join("part.pgn")).unwrap();
    assert!(part.contains("[%eval ") && part.contains("{no moves}") && !part.contains("[Event \"d\"]"), "{part}");
    fs::write(folder.join("part.pgn"), "old").unwrap();
    refused(folder, &args);
    assert_eq!(fs::read_to_string(folder.join("part.pgn")).unwrap(), "old");
}
