//! Text from outside that would control a terminal or forge a line.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{success, text, tools_in};
use std::fs;
use std::path::Path;
use std::process::Output;

/// An escape code, a title, a carriage return, a C1 control, and a character that reverses the direction.
const HOSTILE: &str = "\x1b[2J\x1b]0;x\x07\rok\u{9b}31m\u{202e}y";

/// The beginning of the same, as it is shown.
const SHOWN: &str = "\\u001b[2J\\u001b]0;x\\u0007\\rok\\u009b31m\\u202ey";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tags = format!("[Event \"{HOSTILE}\"]\n[White \"{HOSTILE}\"]\n[Black \"b\"]\n[Termination \"{HOSTILE}\"]\n");
    let games = format!("{tags}\n1. e4 e5 1-0\n\n{tags}\n1. d4 {{{HOSTILE}}} 1. {HOSTILE} 0-1\n");
    fs::write(folder.path().join("games.pgn"), &games).unwrap();
    fs::write(folder.path().join(name("pgn")), games).unwrap();
    let epd = "k7/8/1K6/8/8/8/8/7R w - -";
    fs::write(folder.path().join("suite.epd"), format!("{epd} bm Rh8; id \"{HOSTILE}\";\n{HOSTILE}\n")).unwrap();
    fs::write(folder.path().join(name("bin")), HOSTILE).unwrap();
    folder
}

/// A file name that forges a line.
fn name(extension: &str) -> String {
    format!("a\nerror: forged{HOSTILE}.{extension}")
}

/// Runs the program. Nothing that it prints may control a terminal, and no line may be forged.
#[track_caller]
fn run(folder: &Path, args: &[&str]) -> Output {
    let output = tools_in(folder, args);
    for printed in [&output.stdout, &output.stderr].map(|bytes| text(bytes)) {
        let is_special = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}');
        assert!(!printed.contains(is_special), "{args:?}: {printed:?}");
        assert!(!printed.contains("\nerror: forged"), "{args:?}: {printed}");
    }
    output
}

#[test]
fn tables_show_it_escaped() {
    let folder = folder();
    for args in [
        &["pgn", "stats", "games.pgn"][..],
        &["match", "ladder", "games.pgn"],
        &["pgn", "annotate", "games.pgn", "--depth", "1", "--out", "out.pgn"],
        &["epd", "test", "suite.epd", "--depth", "1"],
    ] {
        let output = run(folder.path(), args);
        let printed = success(args, &output) + &text(&output.stderr);
        // The reader of PGN replaces some of the characters.
        assert!(printed.contains(SHOWN) || printed.contains("\\u009b31m\\u202ey"), "{args:?}: {printed}");
    }
}

#[test]
fn messages_show_it_escaped() {
    let folder = folder();
    let (pgn, bin, none) = (name("pgn"), name("bin"), name("none"));
    for args in [
        &["pgn", "stats", &pgn][..],
        &["pgn", "filter", &pgn, "--check", "--count"],
        &["pgn", "stats", &none],
        &["pgn", "stats", &bin],
        &["pgn", "annotate", &none],
        &["puzzles", &none],
        &["puzzles", "games.pgn", "--out", HOSTILE],
        &["puzzles", "games.pgn", "--nodes", "1", "--player", "/("],
        &["repertoire", "games.pgn", "--player", "", "--pgn", "games.pgn", "--json"],
        &["repertoire", "games.pgn", "--player", "", "--pgn", &none],
        &["repertoire", "games.pgn", "--player", "", "--book", &bin],
        &["pgn", "split", &pgn, "--games", "1", "--out", &none],
        &["match", "ladder", &pgn, &none],
        &["match", "ladder", &bin],
        &["book", "show", &bin],
        &["book", "build", &none, "--out", "x"],
        &["epd", "test", &bin],
        &["epd", "perft", &none],
        &["eco", "classify", &none],
        &["data", "stats", &bin],
        &["learn", "show", &bin],
        &["tb", "probe", HOSTILE],
        &["board", HOSTILE],
        &["match", "--engine", HOSTILE, "--engine", "cmd=x"],
        &["match", "--config", &bin],
        &["pgn", "sort", "games.pgn", "--by", HOSTILE],
        &[HOSTILE],
    ] {
        run(folder.path(), args);
    }
}

#[test]
fn files_are_split_into_harmless_names() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["-rf", "--help", "CON", "..", "a/b", "", "x\x1b[2J", "\u{202e}gnp"];
    let games: String = names.iter().map(|name| format!("[Event \"{name}\"]\n\n1. e4 *\n\n")).collect();
    fs::write(folder.path().join("games.pgn"), games).unwrap();
    let args = ["pgn", "split", "games.pgn", "--by", "event"];
    success(&args, &run(folder.path(), &args));
    let found = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let found: Vec<String> = found.filter(|name| name != "games.pgn").collect();
    assert_eq!(found.len(), names.len(), "{found:?}");
    for name in found {
        let is_harmless = |c: char| c.is_ascii_alphanumeric() || "_-. ".contains(c);
        assert!(name.chars().all(is_harmless) && !name.starts_with(['-', '.']) && name != "CON.pgn", "{name:?}");
    }
}
