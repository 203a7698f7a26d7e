//! `eco`: openings of games, positions and moves.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_testkit::testdata;
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn eco(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bartizan-tools"));
    command.arg("eco").args(args).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const GAMES: &str = "[Event \"a\"]\n[Eco \"A00\"]\n[SubVariation \"old\"]\n\n\
                     1. Nf3 {a  comment} c5 $1 (1... d5 2. d4) 2. e4 ; b\n%c\n d6 1-0\n\n\
                     [Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                     [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";

/// Only the tags change, in a new file as in the same one and between pipes. A broken game is copied and reported.
#[test]
fn games_get_tags_and_keep_everything_else() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let tags = "[Event \"a\"]\n[ECO \"B50\"]\n[Opening \"Sicilian Defence\"]\n[Variation \"Modern Variations\"]\n";
    let expected = GAMES.replace("[Event \"a\"]\n[Eco \"A00\"]\n[SubVariation \"old\"]\n", tags);
    let summary = "3 games: 1 named, 1 without an opening, 1 broken";
    let broken = "game 2, line 11, column 13: no legal move matches 'Ke3'";

    let piped = eco(folder, &["classify"], GAMES.as_bytes());
    assert_eq!((text(&piped.stdout), piped.status.success()), (expected.clone(), true));
    assert_eq!(text(&piped.stderr), format!("warning: standard input: {broken}\n{summary}\n"));

    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let written = eco(folder, &["classify", "games.pgn", "--out", "games.pgn", "--quiet"], b"");
    assert_eq!(text(&written.stderr), format!("warning: 'games.pgn': {broken}\n"));
    assert_eq!(fs::read_to_string(folder.join("games.pgn")).unwrap(), expected);
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);

    // A second time nothing changes.
    let again = eco(folder, &["classify", "games.pgn"], b"");
    assert_eq!(text(&again.stdout), expected);

    let lines = eco(folder, &["classify", "--json", "-"], GAMES.as_bytes());
    let games: Vec<Value> = text(&lines.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2);
    assert_eq!((&games[0]["eco"], &games[0]["game"], &games[0]["line"]), (&"B50".into(), &1.into(), &1.into()));
    assert_eq!((&games[1]["eco"], &games[1]["game"], &games[1]["line"]), (&Value::Null, &3.into(), &13.into()));
}

#[test]
fn what_cannot_be_read_or_written_is_named_and_leaves_the_old_file() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::write(folder.join("old"), "old").unwrap();
    let missing = eco(folder, &["classify", "none.pgn", "--out", "old"], b"");
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).starts_with("error: cannot read 'none.pgn': "), "{}", text(&missing.stderr));
    let folder_missing = eco(folder, &["classify", "--out", "none/new.pgn"], b"1. e4 *");
    assert!(text(&folder_missing.stderr).starts_with("error: cannot write 'none/new.pgn': "));
    assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
}

/// The names that a person gave to 36 openings are those of the table, or more general.
#[test]
fn the_openings_of_the_examples_are_named() {
    let path = testdata("examples/openings.pgn");
    let folder = path.parent().unwrap();
    let named = eco(folder, &["classify", "openings.pgn", "--json"], b"");
    assert_eq!(text(&named.stderr).trim_end(), "36 games: 36 named, 0 without an opening, 0 broken");
}

#[test]
fn codes_are_compared() {
    let games = "[ECO \"B27\"]\n\n1. e4 c5 2. Nf3 *\n\n[ECO \"A04\"]\n\n1. Nf3 c5 2. e4 *\n\n\
                 [ECO \"B20\"]\n\n1. e4 c5 2. Nf3 *\n\n[ECO \"B90g\"]\n\n1. e4 c5 2. Nf3 *\n\n\
                 [ECO \"E99\"]\n\n1. e4 c5 *\n\n1. e4 *\n";
    let folder = tempfile::tempdir().unwrap();
    let compared = eco(folder.path(), &["compare", "--json"], games.as_bytes());
    let compared: Value = serde_json::from_slice(&compared.stdout).unwrap();
    assert_eq!((&compared["games"], &compared["compared"]), (&6.into(), &5.into()));
    let counts = &compared["counts"];
    for (name, count) in [
        ("same code", 1),
        ("code of the order of moves, without transposition", 1),
        ("code of an earlier position of the game", 1),
        ("code of a continuation", 1),
        ("another code", 1),
        ("no ECO tag", 1),
    ] {
        assert_eq!(counts[name], count, "{name}");
    }
}

#[test]
fn the_table_can_be_listed_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| eco(folder.path(), args, b"");
    let all = run(&["list", "--json"]);
    assert!(text(&all.stdout).lines().count() >= 3_000);
    let najdorf = text(&run(&["list", "--code", "b90", "--name", "ENGLISH"]).stdout);
    assert!(najdorf.lines().count() > 0 && najdorf.lines().all(|line| line.starts_with("B90 Sicilian Defence: ")));
    assert_eq!(run(&["list", "--code", "F"]).status.code(), Some(1));

    let found = run(&["lookup", "1.", "Nf3", "c5", "2.", "e4"]);
    assert_eq!(text(&found.stdout), "B27 Sicilian Defence\n1. e4 c5 2. Nf3\n");
    let found = run(&["lookup", "--json", "1. Nf3 c5 2. e4"]);
    assert_eq!(serde_json::from_slice::<Value>(&found.stdout).unwrap()["eco"], "B27");
    let none = run(&["lookup", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]);
    assert_eq!((none.status.code(), text(&none.stderr)), (Some(1), "no opening of the table\n".to_owned()));
    let wrong = run(&["lookup", "1. e4 e5 2. Ke3"]);
    assert_eq!(text(&wrong.stderr), "error: move 2: no legal move matches 'Ke3'\n");
}
