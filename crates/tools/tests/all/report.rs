//! `report`, run as by a user.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, success, text, tools_in};
use std::fs;
use std::path::Path;

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";

fn games() -> String {
    format!(
        "[Event \"{HOSTILE}\"]\n[White \"Mill & Söhne\"]\n[Black \"{HOSTILE}\"]\n[TimeControl \"60\"]\n\
         [Result \"0-1\"]\n\n1. f3 {{[%clk 0:01:00] {HOSTILE}}} e5 {{[%clk 0:01:00]}} 2. g4 {{[%clk 0:00:50]}} \
         Qh4# {{[%clk 0:00:55]}} 0-1\n\n\
         [White \"Mill & Söhne\"]\n[Black \"Moss\"]\n[Result \"1-0\"]\n\n\
         1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
         [Event \"broken\"]\n[FEN \"x\"]\n\n1. e4 *\n"
    )
}

/// Runs the command with few nodes; returns the messages.
#[track_caller]
fn run(folder: &Path, args: &[&str]) -> String {
    let args = [&["report", "games.pgn", "--nodes", "2000"], args].concat();
    let output = tools_in(folder, &args);
    assert_eq!(success(&args, &output), "");
    text(&output.stderr)
}

#[test]
fn a_page_explains_games_and_escapes_their_tags() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), games()).unwrap();
    let messages = run(folder, &["--out", "report.html"]);
    assert!(messages.ends_with("report.html: 2 games, 1 broken game left out\n"), "{messages}");
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Mill &amp; Söhne"));
    for hostile in ["<img src=x", "<script>alert"] {
        assert!(!page.contains(hostile), "{hostile}");
    }
    assert!(!page.contains("http://") || page.matches("http://").count() == page.matches("http://www.w3.org/").count());
    // The blunders with their reasons are there without scripts.
    let visible = page.split("<script").next().unwrap();
    assert!(visible.contains("Qh4#") && visible.contains("mate"), "{visible}");

    // Any number of searches at once gives the same page, and so does a continued run.
    run(folder, &["--concurrency", "3", "--out", "other.html", "--journal", "j"]);
    assert_eq!(fs::read_to_string(folder.join("other.html")).unwrap(), page);
    run(folder, &["--out", "other.html", "--journal", "j", "--resume", "--quiet"]);
    assert_eq!(fs::read_to_string(folder.join("other.html")).unwrap(), page);
}

#[test]
fn a_folder_has_a_page_for_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), games()).unwrap();
    run(folder, &["--folder", "pages", "--no-reasons"]);
    let mut names: Vec<String> = fs::read_dir(folder.join("pages"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    let index = fs::read_to_string(folder.join("pages/index.html")).unwrap();
    for name in names.iter().filter(|name| *name != "index.html") {
        assert!(index.contains(&format!("href=\"{name}\"")), "{name}");
    }
}

#[test]
fn what_cannot_be_reported_is_an_error_and_the_old_page_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), games()).unwrap();
    fs::write(folder.join("empty.pgn"), "[Event \"c\"]\n\n*\n").unwrap();
    fs::write(folder.join("old.html"), "old").unwrap();
    for (args, error) in [
        (&["none.pgn", "--out", "old.html"][..], "error: cannot read 'none.pgn': "),
        (&["empty.pgn", "--out", "old.html"], "error: no game has a move to judge"),
        (&["games.pgn", "--out", "games.pgn"], "error: 'games.pgn' is an input and would be overwritten"),
        (&["games.pgn", "--nodes", "9", "--out", "no/x.html"], "error: cannot write 'no/x.html': "),
        (&["games.pgn", "--nodes", "9", "--folder", "old.html"], "error: cannot create 'old.html': "),
    ] {
        let args = [&["report"], args].concat();
        let message = failure(&args, &tools_in(folder, &args));
        assert!(message.contains(error), "{args:?}: {message}");
    }
    assert_eq!(fs::read_to_string(folder.join("old.html")).unwrap(), "old");
    assert!(fs::read_to_string(folder.join("games.pgn")).unwrap().starts_with("[Event"));
}
