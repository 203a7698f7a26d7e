//! `pgn conduct` and `pgn agreement`, run as by a user.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, success, text, tools_in};
use bartizan_testkit::fake_engine;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Output;

/// The first game is counted by hand in the tests of the library. Then: a broken game, one without moves, and one that
/// begins later, with Black.
const GAMES: &str = "[Event \"a\"]\n[White \"Mill\"]\n[Black \"Moss\"]\n[WhiteElo \"1250\"]\n[BlackElo \"790\"]\n\n\
                     1. e4 e5 2. Qh5 Nf6 3. Bc4 a6 4. Qd1 Ng8 5. Qh5 Nf6 6. Qxf7# *\n\n\
                     [Event \"b\"]\n[FEN \"x\"]\n\n1. e4 *\n\n\
                     [Event \"c\"]\n\n{no moves} *\n\n\
                     [Event \"d\"]\n[White \"Moss\"]\n[Black \"Mill\"]\n[BlackElo \"1250\"]\n\
                     [FEN \"3rk2r/8/8/8/3R4/5N2/8/6KR b - - 0 30\"]\n\n30... Rxd4 31. Kg2 *\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    folder
}

fn pgn(folder: &Path, args: &[&str]) -> Output {
    tools_in(folder, &[&["pgn"], args].concat())
}

#[track_caller]
fn json_of(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&success(args, &pgn(folder, &[args, &["--json"]].concat()))).unwrap()
}

#[track_caller]
fn refused(folder: &Path, args: &[&str]) -> String {
    failure(args, &pgn(folder, args))
}

fn share(count: u64, of: u64) -> Value {
    json!({ "count": count, "of": of })
}

#[test]
fn conduct_is_counted_by_rating_and_by_name() {
    let folder = folder();
    let folder = folder.path();
    let found = json_of(folder, &["conduct", "games.pgn", "--nodes", "0"]);
    assert_eq!((&found["games"], &found["broken"], found.get("engine")), (&json!(4), &json!(1), None));
    let [low, middle, unrated] = &found["rows"].as_array().unwrap()[..] else { panic!("{found}") };
    let names = [low, middle, unrated].map(|row| row["rating"].as_str().unwrap());
    assert_eq!(names, ["under 800", "1200–1399", "unrated"]);
    assert_eq!([&middle["low"], &middle["high"], &low["low"]], [&json!(1_200), &json!(1_399), &Value::Null]);
    let expected = json!({
        "rating": "under 800", "low": null, "high": 799, "games": 1, "openings": 1, "moves": 5,
        "gifts_left": share(0, 5), "gifts_taken": share(0, 1), "undone": share(1, 5), "king_walks": share(0, 5),
        "mates_missed": share(0, 0), "recaptures_missed": share(0, 0), "losses": null,
    });
    assert_eq!(low, &expected);
    assert_eq!([&middle["moves"], &middle["games"], &middle["openings"]], [&json!(7), &json!(2), &json!(2)]);
    assert_eq!([&middle["mates_missed"], &middle["undone"]], [&share(1, 2), &share(1, 6)]);
    // 31. Kg2 does not take back on d4, and protects the rook.
    assert_eq!([&unrated["recaptures_missed"], &unrated["gifts_left"]], [&share(1, 1), &share(0, 1)]);

    let output = pgn(folder, &["conduct", "games.pgn", "--nodes", "0", "--by", "name", "--concurrency", "2"]);
    let table = success(&["conduct"], &output);
    assert!(table.starts_with("4 games, 13 moves, 1 broken, 1 without moves\n\nplayer   games "), "{table}");
    assert!(table.contains("\nMill         2        7   14.3"), "{table}");
    assert!(table.contains("\nMoss         2        6    0.0"), "{table}");
    assert!(!table.contains("or more") && text(&output.stderr).contains("game 2, line 10"), "{output:?}");
    let bands = json_of(folder, &["conduct", "games.pgn", "--nodes", "0", "--band", "500", "--ratings", "700-1200"]);
    assert_eq!([0, 1].map(|row| &bands["rows"][row]["rating"]), [&json!("700–1199"), &json!("1200 and more")]);
}

#[test]
fn conduct_has_the_losses_of_searched_games() {
    let folder = folder();
    let folder = folder.path();
    let args = ["conduct", "games.pgn", "--nodes", "1000", "--journal", "j"];
    let found = json_of(folder, &args);
    assert_eq!(found["limit"], "1000 nodes");
    let losses = &found["rows"][0]["losses"];
    assert_eq!((&losses["moves"], &found["rows"][1]["losses"]["moves"]), (&json!(5), &json!(7)));
    // 3...a6 leaves a queen, and 5...Nf6 allows mate in one.
    assert!(losses["from_30"].as_u64().unwrap() >= 2 && losses["mean"].as_f64().unwrap() > 20.0, "{losses}");
    // Continued after the first game, and complete, by name.
    let journal = fs::read_to_string(folder.join("j")).unwrap();
    let first: usize = journal.lines().take(2).map(|line| line.len() + 1).sum();
    fs::write(folder.join("j"), &journal[..first]).unwrap();
    assert_eq!(json_of(folder, &[&args[..], &["--resume"]].concat()), found);
    let table = success(&args, &pgn(folder, &[&args[..], &["--resume", "--by", "name", "--quiet"]].concat()));
    assert!(table.contains("; 1000 nodes per position by Bartizan ") && table.contains("30 or more\nMill "), "{table}");

    for (args, error) in [
        (&["games.pgn", "--nodes", "0", "--journal", "k"][..], "error: --nodes 0 searches nothing; leave out"),
        (&["games.pgn", "--nodes", "0", "--depth", "3"], "error: --nodes 0 searches nothing; leave out"),
        (&["games.pgn", "--nodes", "9", "--journal", "games.pgn"], "error: 'games.pgn' is an input and would be"),
        (&["none.pgn", "--nodes", "0"], "error: cannot read 'none.pgn': "),
        (&["games.pgn", "--nodes", "7", "--journal", "j", "--resume"], "error: cannot resume 'j': it was begun"),
    ] {
        let message = refused(folder, &[&["conduct"], args].concat());
        assert!(message.starts_with(error), "{args:?}: {message}");
    }
    fs::write(folder.join("empty.pgn"), "[Event \"c\"]\n\n{no moves} *\n").unwrap();
    for nodes in ["0", "9"] {
        assert_eq!(refused(folder, &["conduct", "empty.pgn", "--nodes", nodes]), "error: no game has a move\n");
    }
}

#[test]
fn agreement_compares_engines_by_rating() {
    let folder = folder();
    let folder = folder.path();
    let engine = |name: &str| format!("cmd='{}' name={name}", fake_engine().display());
    let (one, two) = (engine("one"), engine("two arg=--seed arg=7"));
    let args = ["agreement", "games.pgn", "--from-ply", "3", "--engine", &one, "--engine", &two, "--each", "depth=1"];
    let found = json_of(folder, &args);
    let bands = found["bands"].as_array().unwrap();
    // The last game has two plies.
    let counts: Vec<_> = bands.iter().map(|band| (band["rating"].as_str().unwrap(), &band["positions"])).collect();
    assert_eq!(counts, [("under 800", &json!(4)), ("1200–1399", &json!(5))]);
    for band in bands {
        let engines = band["engines"].as_array().unwrap();
        let best: Vec<_> = engines.iter().filter(|engine| engine["behind_best"].is_null()).collect();
        assert_eq!((engines.len(), best.len()), (2, 1));
        assert_eq!(best[0]["name"], band["best"]);
        let [low, value, high] = ["low", "value", "high"].map(|end| best[0]["share"][end].as_f64().unwrap());
        assert!(0.0 <= low && low <= value && value <= high && high <= 1.0, "{band}");
    }
    // A part of the positions; the same with any number of searches.
    let some = ["--positions", "2", "--seed", "5"];
    let few = json_of(folder, &[&args[..], &some].concat());
    assert_eq!(few["bands"][1]["positions"], 2);
    assert_eq!(json_of(folder, &[&args[..], &some, &["--concurrency", "1", "--journal", "j"]].concat()), few);
    // Continued after the first position, and complete.
    let journal = fs::read_to_string(folder.join("j")).unwrap();
    assert_eq!(journal.lines().count(), 5);
    let first: usize = journal.lines().take(2).map(|line| line.len() + 1).sum();
    fs::write(folder.join("j"), &journal[..first]).unwrap();
    for _ in 0..2 {
        assert_eq!(json_of(folder, &[&args[..], &some, &["--journal", "j", "--resume"]].concat()), few);
    }
    let table = success(&args, &pgn(folder, &args));
    assert!(
        table.starts_with("4 games, 9 positions, 1 broken games left out\n\nrating     positions  engine "),
        "{table}"
    );
    assert!(table.contains("\nunder 800          4  one     ") && table.contains("  best\n"), "{table}");

    let with = |args: &[&str]| refused(folder, &[&["agreement", "games.pgn"], args].concat());
    for (args, error) in [
        (&["--engine", &one[..]][..], "error: engine 'one': no limit given"),
        (&["--engine", &one, "--engine", &one, "--each", "depth=1"], "error: two engines are called 'one'; give name="),
        (&["--engine", "name=x depth=1"], "error: engine 'x': no program given"),
        (&["--engine", &one, "--each", "depth=1", "--from-ply", "99"], "error: no game has a move with a choice from"),
        (
            &["--engine", &one, "--each", "depth=2", "--from-ply", "3", "--journal", "j", "--resume"],
            "error: cannot resume 'j': it was",
        ),
        (&["--engine", &one, "--each", "depth=1", "--journal", "./games.pgn"], "error: './games.pgn' is an input"),
    ] {
        let message = with(args);
        assert!(message.contains(error), "{args:?}: {message}");
    }
    // A journal with a move that the position does not have, and with a position that the sample does not have.
    let head = journal.lines().next().unwrap();
    for line in [r#""game":1,"moves":["a1h8",null]"#, r#""game":5,"moves":[null,null]"#, r#""game":1,"moves":[null]"#] {
        fs::write(folder.join("j"), format!("{head}\n{{\"event\":\"game\",{line}}}\n")).unwrap();
        let message = refused(folder, &[&args[..], &some, &["--journal", "j", "--resume"]].concat());
        assert!(message.contains("a position that is not of this run"), "{message}");
    }
    // An engine that fails is named with the position.
    let crash = format!("{one} arg=--crash-at arg=3");
    let message = with(&["--engine", &crash, "--each", "depth=1", "--from-ply", "3", "--concurrency", "1"]);
    assert!(message.contains("error: engine 'one', position '"), "{message}");
    assert_eq!(fs::read_to_string(folder.join("games.pgn")).unwrap(), GAMES);
}
