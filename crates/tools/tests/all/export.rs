//! `pgn export` and `pgn find`, run as by a user.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, path, success, text, tools_in, tools_with};
use bartizan_book::PolyglotKey;
use bartizan_notation::pgn::PgnReader;
use bartizan_position::{Position, Setup};
use bartizan_testkit::testdata;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Exports the games of a file to the folder `out`. Returns the summary.
fn export(folder: &Path, file: &str, more: &[&str]) -> String {
    let args = [&["pgn", "export", file, "--out", "out"], more].concat();
    let output = tools_in(folder, &args);
    success(&args, &output);
    text(&output.stderr).lines().last().unwrap_or_default().to_owned()
}

/// The numbers of the games and of the plies that a search finds.
fn find(folder: &Path, what: &[&str]) -> Vec<Hit> {
    let args = [&["pgn", "find", "out", "--json"], what].concat();
    let found = success(&args, &tools_in(folder, &args));
    let hit = |line: &str| {
        let object: Value = serde_json::from_str(line).unwrap();
        (object["game"].as_u64().unwrap(), object["ply"].as_u64())
    };
    found.lines().map(hit).collect()
}

/// All files of a folder, with their content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_str().unwrap();
            found.extend(files(&path).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
    found
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("out/manifest.json")).unwrap()).unwrap()
}

/// A game and the ply at which it reaches what was searched for.
type Hit = (u64, Option<u64>);

/// A search finds the games and the plies that a scan of the text finds.
#[test]
fn a_search_equals_a_scan() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = fs::read(testdata("judgement/games.pgn")).unwrap();
    fs::write(folder.join("g.pgn"), &games).unwrap();
    export(folder, "g.pgn", &["--positions", "--part-games", "7"]);
    // For each key, a position and where each game first reaches it.
    let mut scan: BTreeMap<u64, (Position, Vec<Hit>)> = BTreeMap::new();
    for (number, game) in (1..).zip(PgnReader::new(games.as_slice())) {
        let game = game.unwrap();
        let (mut position, mut last) = (game.start.clone(), None);
        for ply in 0..=game.moves.len() {
            let key = PolyglotKey::after(&position, last).0;
            let (_, hits) = scan.entry(key).or_insert_with(|| (position.clone(), Vec::new()));
            if hits.last().is_none_or(|&(game, _)| game != number) {
                hits.push((number, Some(ply as u64)));
            }
            if let Some(played) = game.moves.get(ply) {
                position.make_unchecked(played.mv);
                last = Some(played.mv);
            }
        }
    }
    let common = scan.iter().filter(|(_, (_, hits))| hits.len() > 1).take(10);
    let mut searched = 0;
    for (key, (position, hits)) in common.chain(scan.iter().step_by(scan.len() / 20)) {
        let fen = position.to_fen();
        let setup = Setup::from_fen(&fen).unwrap();
        // A FEN does not have the square of an illegal capture en passant.
        if PolyglotKey::after(position, setup.double_step()).0 == *key {
            assert_eq!(&find(folder, &["--fen", &fen]), hits, "{fen}");
            searched += 1;
        }
    }
    assert!(searched >= 20, "{searched}");
    for material in ["KRPvKR", "KR+P+vKR+P+", "KQ*R*B*N*P+vKP+", "KRP*vKRP*", "KQQvKQQ"] {
        let args = ["pgn", "filter", "g.pgn", "--material", material];
        let scanned = success(&args, &tools_in(folder, &args));
        let games = PgnReader::new(scanned.as_bytes()).count();
        assert_eq!(find(folder, &["--material", material]).len(), games, "{material}");
        let args = ["pgn", "find", "out", "--count", "--material", material];
        assert_eq!(success(&args, &tools_in(folder, &args)), format!("{games}\n"));
    }
    // Both ways to write material.
    assert_eq!(find(folder, &["--material", "R+P v R+P"]), find(folder, &["--material", "KRPKRP"]));
}

/// An export that was interrupted after a part writes the same files as one that was not.
#[test]
fn an_interrupted_export_continues() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::copy(testdata("judgement/games.pgn"), folder.join("a.pgn")).unwrap();
    fs::copy(testdata("book/games.pgn"), folder.join("b.pgn")).unwrap();
    let options = ["b.pgn", "--positions", "--part-games", "15", "--partition", "rating"];
    let summary = export(folder, "a.pgn", &options);
    let whole = files(&folder.join("out"));
    let last = manifest(folder)["parts"].as_array().unwrap().len();
    assert!(last > 3, "{last}");
    for kept in [0, 1, last - 1] {
        let mut cut = manifest(folder);
        cut["complete"] = json!(false);
        let parts = cut["parts"].as_array_mut().unwrap();
        for file in parts.drain(kept..).flat_map(|part| part["files"].as_array().unwrap().clone()) {
            fs::remove_file(folder.join("out").join(file.as_str().unwrap())).unwrap();
        }
        fs::write(folder.join("out/manifest.json"), cut.to_string()).unwrap();
        assert_eq!(export(folder, "a.pgn", &options), summary, "{kept}");
        assert!(files(&folder.join("out")) == whole, "{kept}");
    }
    // A complete one is left as it is; one of other files or options is not touched.
    assert_eq!(export(folder, "a.pgn", &options), summary);
    for other in [&["a.pgn"][..], &["a.pgn", "b.pgn", "--positions"], &["b.pgn", "a.pgn"]] {
        let args = [&["pgn", "export", "--out", "out"], other].concat();
        let message = failure(&args, &tools_in(folder, &args));
        assert!(message.contains("of other files or with other options"), "{message}");
    }
    assert!(files(&folder.join("out")) == whole);
}

/// Windows has no such locks.
#[cfg(unix)]
#[test]
fn a_second_export_into_the_folder_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::copy(testdata("judgement/games.pgn"), folder.join("a.pgn")).unwrap();
    fs::create_dir(folder.join("out")).unwrap();
    let claim = bartizan_files::claim_folder(&folder.join("out")).unwrap();
    let args = ["pgn", "export", "a.pgn", "--out", "out"];
    let message = failure(&args, &tools_in(folder, &args));
    assert!(message.contains("'out'") && message.contains("another process is writing there"), "{message}");
    assert!(files(&folder.join("out")).is_empty());
    drop(claim);
    export(folder, "a.pgn", &[]);
}

/// Games with problems are counted and listed; those that cannot be read have no row.
#[test]
fn damaged_games_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = "[White \"A\"]\n[ECO \"A/..\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n\
                 [White \"B\"]\n[FEN \"x\"]\n\n1. e4 *\n\n[White \"C\"]\n[WhiteElo \"x\"]\n\n1. d4 (1. c4 d5 *\n\n\
                 [White \"\x01\t\"]\n\n1. d4 *\n";
    fs::write(folder.join("g.pgn"), games).unwrap();
    let summary = export(folder, "g.pgn", &["--positions", "--partition", "ECO"]);
    let part = manifest(folder)["parts"][0].clone();
    let (good, broken) = (part["games"].as_u64().unwrap(), part["broken"].as_u64().unwrap());
    assert_eq!(good + broken, 4);
    assert!(broken > 0 && summary.contains("problems listed in 'out/problems'"), "{summary}");
    let listed = fs::read_to_string(folder.join("out/problems/part-00000.jsonl")).unwrap();
    let listed: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(listed.iter().filter(|line| line["broken"] == true).count() as u64, broken);
    assert!(listed.iter().any(|line| line["game"] == 2 && line["broken"] == true), "{listed:?}");
    // The value of a tag cannot leave the folder.
    assert!(files(folder).keys().any(|name| name.starts_with("out/games/by_eco=A%2F%2E%2E/")), "{:?}", files(folder));
    let found = find(folder, &["--fen", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"]);
    assert!(found.contains(&(4, Some(1))), "{found:?}");
}

#[test]
fn wrong_arguments_and_folders_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let game = "[White \"A\"]\n\n1. e4 *\n";
    fs::write(folder.join("g.pgn"), game).unwrap();
    for wrong in ["", "a/b", "..", "1x", "White Elo"] {
        let args = ["pgn", "export", "g.pgn", "--out", "out", "--partition", wrong];
        let output = tools_in(folder, &args);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(text(&output.stderr).contains("expected year, rating or the name of a tag"), "{wrong}");
    }
    let fails = |out: &str, reason: &str| {
        let args = ["pgn", "export", "g.pgn", "--out", out];
        let message = failure(&args, &tools_in(folder, &args));
        assert!(message.contains(reason), "{out}: {message}");
    };
    // A file, a folder of other files, one of another program, and one that cannot be created.
    fails("g.pgn", "'g.pgn");
    fails(".", "it has other files and no manifest.json");
    fs::create_dir(folder.join("other")).unwrap();
    for (manifest, reason) in [("{}", "missing field"), ("x", "manifest.json: ")] {
        fs::write(folder.join("other/manifest.json"), manifest).unwrap();
        fails("other", reason);
    }
    fails("g.pgn/x", "'g.pgn/x");
    assert_eq!(fs::read_to_string(folder.join("g.pgn")).unwrap(), game);
    // No games, and searches without positions or of no export.
    let args = ["pgn", "export", "-", "--out", "none"];
    assert!(failure(&args, &tools_with(folder, &args, b"")).contains("no games"));
    export(folder, "g.pgn", &[]);
    let args = ["pgn", "find", "out", "--material", "KvK"];
    assert!(failure(&args, &tools_in(folder, &args)).contains("export with --positions"));
    let args = ["pgn", "find", path(folder), "--material", "KvK"];
    assert!(failure(&args, &tools_in(folder, &args)).contains("is not a folder of exported games"));
    // A manifest cannot name files elsewhere; damaged files are errors.
    let text = fs::read_to_string(folder.join("out/manifest.json")).unwrap();
    fs::write(folder.join("out/manifest.json"), text.replace("games/part", "../games/part")).unwrap();
    let args = ["pgn", "find", "out", "--material", "KvK"];
    assert!(failure(&args, &tools_in(folder, &args)).contains("outside of it"));
    fs::remove_dir_all(folder.join("out")).unwrap();
    export(folder, "g.pgn", &["--positions"]);
    let table = folder.join("out/material/part-00000.parquet");
    let whole = fs::read(&table).unwrap();
    for damaged in [&whole[..whole.len() / 2], &b"PAR1"[..], &[]] {
        fs::write(&table, damaged).unwrap();
        assert!(failure(&args, &tools_in(folder, &args)).contains("part-00000.parquet"));
    }
}

/// A folder without permission is an error that leaves nothing. The superuser may write everywhere.
#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_rejected() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.pgn"), "1. e4 *\n").unwrap();
    fs::create_dir(folder.join("out")).unwrap();
    fs::set_permissions(folder.join("out"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("out/probe"), "").is_ok() {
        return;
    }
    let args = ["pgn", "export", "g.pgn", "--out", "out"];
    assert!(failure(&args, &tools_in(folder, &args)).contains("'out"));
}
