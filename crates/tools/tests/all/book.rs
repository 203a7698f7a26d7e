//! `book`, as a user runs it.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GAMES: &str = "1. e4 c5 2. Nf3 d6 1/2-1/2\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n1. e4 e6 2. Ke7 1-0\n\n\
                     1. d4 d5 1/2-1/2\n\n";

fn book(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bartizan-tools"));
    command.arg("book").args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn done(folder: &Path, args: &[&str]) -> String {
    let output = book(folder, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, args: &[&str]) -> String {
    let output = book(folder, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8(output.stderr).unwrap().trim().to_owned()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn games_become_a_book_and_a_record_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let output = book(folder, &["build", "games.pgn", "--min-count", "1", "--out", "a.bin"]);
    let warning = "warning: 'games.pgn': game 3, line 5, column 13: ";
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && warnings.contains(warning), "{warnings}");
    let moves = json(&done(folder, &["show", "a.bin", "--json"]));
    let shown: Vec<_> = moves["moves"].as_array().unwrap().iter().map(|mv| (&mv["san"], &mv["weight"])).collect();
    assert_eq!(shown, [(&Value::from("e4"), &Value::from(2)), (&Value::from("d4"), &Value::from(1))]);
    assert_eq!(moves["key"], "463b96181691fc9c");
    let record = json(&fs::read_to_string(folder.join("a.bin.json")).unwrap());
    assert_eq!((&record["games"], &record["games_broken"]), (&Value::from(3), &Value::from(1)));
    assert_eq!(record["sources"][0]["bytes"], GAMES.len());
    // The same games on standard input and with other memory give the same bytes.
    let mut child = Command::new(env!("CARGO_BIN_EXE_bartizan-tools"))
        .args(["book", "build", "-", "--min-count", "1", "--memory", "1", "--out", "b.bin"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GAMES.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(folder.join("a.bin")).unwrap(), fs::read(folder.join("b.bin")).unwrap());
    let again = json(&fs::read_to_string(folder.join("b.bin.json")).unwrap());
    assert_eq!(again["book"]["sha256"], record["book"]["sha256"]);
    assert_eq!(again["sources"][0]["sha256"], record["sources"][0]["sha256"]);
}

#[test]
fn an_exported_book_is_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    done(folder, &["build", "games.pgn", "--min-count", "1", "--out", "a.bin"]);
    assert_eq!(done(folder, &["export", "a.bin", "--out", "a.pgn"]), "a.pgn: 3 lines\n");
    assert_eq!(done(folder, &["export", "a.bin"]), fs::read_to_string(folder.join("a.pgn")).unwrap());
    done(folder, &["build", "--annotated", "a.pgn", "--out", "b.bin"]);
    let diff = json(&done(folder, &["diff", "a.bin", "b.bin", "--json"]));
    assert_eq!(diff["moves"]["first"], 0, "{diff}");
    assert_eq!((&diff["moves"]["second"], &diff["moves"]["other_share"]), (&Value::from(0), &Value::from(0)));
    done(folder, &["merge", "c.bin", "a.bin", "a.bin"]);
    let diff = done(folder, &["diff", "a.bin", "c.bin"]);
    assert!(diff.contains("0 only in a.bin, 0 only in c.bin\n0 moves have"), "{diff}");
    let stats = json(&done(folder, &["stats", "a.bin", "--json"]));
    assert_eq!(stats["reached_moves"], stats["moves"]);
}

#[test]
fn faults_are_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    fs::write(folder.join("lines.pgn"), "1. e4\n1... e4 *\n").unwrap();
    fs::write(folder.join("bad.bin"), "no book").unwrap();
    for (args, expected) in [
        (&["build", "none.pgn", "--out", "x.bin"][..], "error: cannot read 'none.pgn': "),
        (&["build", "games.pgn", "--out", "no/x.bin"], "error: cannot write 'no/x.bin': "),
        (&["build", "games.pgn", "--min-count", "9", "--out", "x.bin"], "error: no move is left for the book 'x.bin'"),
        (
            &["build", "--annotated", "lines.pgn", "--out", "x.bin"],
            "error: 'lines.pgn': line 2: 'e4' is not a legal move",
        ),
        (&["show", "none.bin"], "error: cannot read book 'none.bin': "),
        (&["stats", "bad.bin"], "error: cannot read book 'bad.bin': the book is truncated or no Polyglot book: "),
        (&["merge", "x.bin", "bad.bin"], "error: cannot read book 'bad.bin': "),
    ] {
        let error = refused(folder, args);
        assert!(error.lines().last().unwrap().starts_with(expected), "{args:?}: {error}");
    }
    let left: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}
