//! Positions of games: `epd mine`, `pgn select` and `pgn label`.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, success, text, tools_in};
use bartizan_notation::epd::{Epd, Problem};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_testkit::{fake_engine, testdata};
use bartizan_types::SplitMix64;
use serde_json::Value;
use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;

/// Runs the program, which must succeed, and returns its standard output.
#[track_caller]
fn run(folder: &Path, args: &[&str]) -> String {
    success(args, &tools_in(folder, args))
}

/// Runs the program, which must fail, and returns its message.
#[track_caller]
fn refused(folder: &Path, args: &[&str]) -> String {
    failure(args, &tools_in(folder, args))
}

/// Positions of self-play games with the only move that wins or holds them.
const TASKS: [(&str, &str); 8] = [
    ("r5k1/pp2n1pp/4Nr2/7P/3Pp3/2Q1P3/P2BK1P1/q4B1R b - -", "Qxc3"),
    ("6k1/1bR2p1p/p2p2pB/Pq1Pb1N1/4r3/7P/3Q1PPK/8 w - -", "g3"),
    ("r3r1k1/pp1b1p1p/1q3p1Q/3P4/1P2R3/P2p2P1/6BP/4RK2 b - -", "d2"),
    ("1rq1r3/5p2/3k1pp1/Q1bp4/4N3/p3PP2/6PP/2R2RK1 b - -", "Rxe4"),
    ("6k1/1p3p1p/4p1pP/1q2P1Q1/2p5/b6R/3NKPP1/2r5 w - -", "Rxa3"),
    ("krR1Q3/p6p/3r4/4pn2/3q4/P2P2p1/1P4R1/1K6 b - -", "Qb6"),
    ("2r1r1k1/5ppp/2N2n2/p2p4/3n2B1/q2P2PP/2Q2P2/1R2R2K w - -", "Rxe8+"),
    ("2qr2k1/p4ppp/8/1Qn1n3/3N4/P2p1NP1/5P2/5RK1 w - -", "Nxe5"),
];

/// Games of a move each, which begin with these positions.
fn games<'a>(tasks: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let game = |(fen, san): (&str, &str)| {
        let number = if fen.contains(" w ") { "1." } else { "1..." };
        format!("[Event \"x\"]\n[FEN \"{fen} 0 1\"]\n\n{number} {san} 1-0\n\n")
    };
    tasks.into_iter().map(game).collect()
}

#[test]
fn mining_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.pgn"), "1. e4 *\n\n1. d4 *\n").unwrap();
    let said = text(&tools_in(folder.path(), &["epd", "mine", "games.pgn", "--nodes", "1"]).stderr);
    assert!(said.contains("skipped: 2 games without a result or single positions\n"), "{said}");
}

#[test]
fn mining_finds_known_problems_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("games.pgn"), games(TASKS)).unwrap();
    // Searches deep enough that some are found whatever the network; different networks find different positions too
    // easy.
    let args = ["epd", "mine", "games.pgn", "--nodes", "60000", "--easy", "500", "--sift", "30000"];
    let with = |more: &[&str]| run(folder, &[&args[..], more].concat());
    let suite = with(&["--quiet"]);
    assert!(suite.lines().count() >= 2, "{suite}");
    for (index, line) in suite.lines().enumerate() {
        let problem = Problem::new(Epd::parse(line).unwrap()).unwrap().unwrap();
        assert_eq!(problem.epd().id(), Some(format!("tactical {:03}", index + 1).as_str()));
        let (_, best) = TASKS.iter().find(|(fen, _)| line.starts_with(fen)).unwrap();
        assert_eq!(problem.to_string(), format!("bm {best}"), "{line}");
        assert!(problem.epd().comment(0).unwrap().contains("(60000 nodes)"), "{line}");
    }
    // The same games compressed.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(games(TASKS).as_bytes()).unwrap();
    std::fs::write(folder.join("packed.pgn.gz"), packed.finish().unwrap()).unwrap();
    let from_packed = run(folder, &[&args[..2], &["packed.pgn.gz", "--quiet"], &args[3..]].concat());
    assert_eq!(from_packed, suite);
    // The same positions with several threads, with a journal, and with a journal that is cut off and resumed.
    assert_eq!(with(&["--concurrency", "2"]), suite);
    assert_eq!(with(&["--journal", "j.jsonl"]), suite);
    let journal = std::fs::read_to_string(folder.join("j.jsonl")).unwrap();
    let half: String = journal.lines().take(4).map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("half.jsonl"), half).unwrap();
    assert_eq!(with(&["--journal", "half.jsonl", "--resume", "--out", "suite.epd"]), "");
    assert_eq!(std::fs::read_to_string(folder.join("suite.epd")).unwrap(), suite);
    let first: Value = serde_json::from_str(with(&["--json", "--limit", "1"]).trim()).unwrap();
    assert_eq!((&first["id"], &first["task"]), (&"tactical 001".into(), &"win".into()));

    let message = refused(folder, &[&args[..], &["--journal", "j.jsonl"]].concat());
    assert!(message.contains("j.jsonl' exists already; continue it with --resume"), "{message}");
    let message = refused(folder, &[&args[..], &["--journal", "j.jsonl", "--resume", "--margin", "90"]].concat());
    assert!(
        message.contains("cannot resume 'j.jsonl'") && message.contains("margin 90 (the file has 150)"),
        "{message}"
    );
    // An engine that plays differently cannot continue it.
    std::fs::write(folder.join("other.jsonl"), journal.replace("\"searches\":\"", "\"searches\":\"9")).unwrap();
    let message = refused(folder, &[&args[..], &["--journal", "other.jsonl", "--resume"]].concat());
    assert!(message.contains("cannot resume 'other.jsonl'") && message.contains("built_in "), "{message}");
    let message = refused(folder, &["epd", "mine", "none.pgn", "--nodes", "9"]);
    assert!(message.contains("cannot read 'none.pgn'"), "{message}");
    let other = |flags: &str| {
        let engine = format!("cmd='{}' {flags}", fake_engine().display());
        refused(folder, &["epd", "mine", "games.pgn", "--nodes", "30000", "--easy", "500", "--engine", &engine])
    };
    let message = other("proto=xboard arg=--xboard");
    assert!(message.contains("MultiPV"), "{message}");
    let message = other("arg=--crash-at arg=1");
    assert!(message.starts_with("error: game ") && message.contains(": position '"), "{message}");
    std::fs::write(folder.join("bad.pgn"), "1. e4 e5 2. Ke3 1-0\n").unwrap();
    let message = refused(folder, &["epd", "mine", "bad.pgn", "--nodes", "9"]);
    assert!(message.contains("bad.pgn: game 1, line 1, column 13: no legal move"), "{message}");
    let message = refused(folder, &["epd", "mine", "games.pgn"]);
    assert!(message.contains("give --st, --depth or --nodes"), "{message}");
}

#[test]
fn tables_prove_endgames() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Random positions of king and pawn against king and pawn.
    let mut random = SplitMix64::new(7);
    let mut text = String::new();
    for _ in 0..2_000 {
        let mut board = ['1'; 64];
        ['K', 'P', 'k', 'p'].into_iter().for_each(|man| board[random.below(64)] = man);
        let rank = |men: &[char]| {
            let text: String = men.iter().collect();
            (2..=8).rev().fold(text, |text, empty| text.replace(&"1".repeat(empty), &empty.to_string()))
        };
        let ranks: Vec<String> = board.chunks(8).map(rank).collect();
        let fen = format!("{} w - -", ranks.join("/"));
        let Ok(position) = Position::from_fen(&format!("{fen} 0 1")) else { continue };
        if let Some(&mv) = position.legal_moves().first() {
            text += &games([(fen.as_str(), San::new(&position, mv).as_str())]);
        }
    }
    std::fs::write(folder.join("game.pgn"), text).unwrap();
    let tables = testdata("syzygy").display().to_string();
    let args = ["epd", "mine", "game.pgn", "--kind", "endgame", "--tb", &tables, "--nodes", "1000", "--easy", "1"];
    let suite = run(folder, &args);
    assert!(suite.lines().count() > 1 && suite.lines().all(|line| line.contains("Syzygy tables")), "{suite}");
    let message = refused(folder, &["epd", "mine", "game.pgn", "--nodes", "9", "--tb", "."]);
    assert!(message.contains("no tablebase files (*.rtbw) in '.'"), "{message}");
}

/// A file of games played by the engine.
fn play(folder: &Path) {
    run(folder, &["selfplay", "--games", "40", "--nodes", "40", "--seed", "3", "--out", "games.pgn", "--json"]);
}

#[test]
fn selected_positions_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    play(folder);
    let args = ["pgn", "select", "games.pgn", "--per-game", "5", "--distance", "6", "--min-ply", "10", "--seed", "9"];
    let with = |more: &[&str]| run(folder, &[&args[..], more].concat());
    let lines = with(&[]);
    assert!(lines.lines().count() > 100, "{lines}");
    assert_eq!(with(&["--threads", "3"]), lines);
    assert_eq!(with(&["--out", "p.epd"]), "");
    assert_eq!(std::fs::read_to_string(folder.join("p.epd")).unwrap(), lines);
    // The same games again only have known positions, also in files that several threads cut into parts.
    let many = std::fs::read_to_string(folder.join("games.pgn")).unwrap().repeat(60);
    std::fs::write(folder.join("many.pgn"), many).unwrap();
    for threads in ["1", "3"] {
        let output = tools_in(folder, &[&args[..2], &["many.pgn", "--threads", threads], &args[3..]].concat());
        assert_eq!(text(&output.stdout), lines);
        assert!(text(&output.stderr).contains(&format!("{} duplicates", lines.lines().count() * 59)));
    }
    // The tuner reads them: positions of a game share an id.
    for line in lines.lines() {
        let epd = Epd::parse(line).unwrap();
        assert!(["1-0", "0-1", "1/2-1/2"].contains(&epd.operand("c9").unwrap()) && epd.id().is_some(), "{line}");
    }
    let sample = with(&["--limit", "20"]);
    assert_eq!(sample.lines().count(), 20);
    assert!(sample.lines().all(|line| lines.contains(line)) && with(&["--limit", "20", "--threads", "2"]) == sample);
    assert_ne!(with(&["--random-move"]), lines);
    let quiet = with(&["--quiet-positions", "--max-men", "20", "--phase", "0-12", "--json"]);
    assert!(quiet.lines().count() > 20);
    for line in quiet.lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        let men = object["fen"].as_str().unwrap().split(' ').next().unwrap().chars().filter(char::is_ascii_alphabetic);
        assert!(men.count() <= 20 && object["ply"].as_u64().unwrap() >= 10);
    }

    // The greatest distance as well: the positions of each game follow one another.
    let mut gaps = 0;
    let mut before: Option<(String, u64)> = None;
    for line in with(&["-s", "8", "--json"]).lines() {
        let object: Value = serde_json::from_str(line).unwrap();
        let (id, ply) = (object["id"].as_str().unwrap().to_owned(), object["ply"].as_u64().unwrap());
        if let Some((_, earlier)) = before.filter(|(game, _)| *game == id) {
            assert!((6..=8).contains(&(ply - earlier)), "{line}");
            gaps += 1;
        }
        before = Some((id, ply));
    }
    assert!(gaps > 50, "{gaps}");

    let message = refused(folder, &["pgn", "select", "games.pgn", "--min-ply", "9", "--max-ply", "8"]);
    assert!(message.contains("invalid --min-ply '9'"), "{message}");
    let message = refused(folder, &["pgn", "select", "games.pgn", "--distance", "9", "-s", "8"]);
    assert!(message.contains("'8': less than --distance 9"), "{message}");
    let message = refused(folder, &["pgn", "select", "none.pgn"]);
    assert!(message.contains("cannot read 'none.pgn'"), "{message}");
}

#[test]
fn games_without_a_result_give_positions_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("g.pgn"), "1. e4 e5 2. Nf3 *\n\n1. d4 d5 1/2-1/2\n\n1. e4 e5 2. Ke3 1-0\n").unwrap();
    let output = tools_in(
        folder,
        &["pgn", "select", "g.pgn", "--strict", "--per-game", "9", "--distance", "1", "--min-ply", "1"],
    );
    let lines = text(&output.stdout);
    assert_eq!((lines.lines().count(), lines.matches("c9 \"1/2-1/2\";").count()), (5, 2), "{lines}");
    let message = text(&output.stderr);
    assert!(message.contains("game 3, line 5") && message.contains("1 broken"), "{message}");
    let lines = run(
        folder,
        &["pgn", "select", "g.pgn", "--strict", "--decided", "--per-game", "9", "--distance", "1", "--min-ply", "1"],
    );
    assert_eq!(lines.lines().count(), 2, "{lines}");
}

/// Three positions: a mate in one for Black, a stalemate, and a won ending.
const POSITIONS: &str = "\
# remark
8/8/8/8/8/5k2/6q1/7K b - - id \"won for Black\"; c9 \"1-0\";
7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;
8/8/8/4k3/8/8/8/KR6 w - - id \"tables\";
";

#[test]
fn labels_follow_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The first position is illegal to play from: White is mated already.
    let positions = POSITIONS.replace("8/8/8/8/8/5k2/6q1/7K b", "8/8/8/8/8/5k2/7q/5K2 b").replace(" bm Kg8;", "");
    std::fs::write(folder.join("p.epd"), &positions).unwrap();
    let tables = testdata("syzygy").display().to_string();
    let args = ["pgn", "label", "p.epd", "--nodes", "600", "--tb", &tables];
    let with = |more: &[&str]| run(folder, &[&args[..], more].concat());
    let lines = with(&[]);
    let labels: Vec<String> =
        lines.lines().map(|line| Epd::parse(line).unwrap().operand("c9").unwrap().to_owned()).collect();
    assert_eq!(labels, ["0-1", "1/2-1/2", "1-0"], "{lines}");
    assert!(lines.contains("id \"won for Black\"; c9 \"0-1\";"), "{lines}");
    assert_eq!(with(&["--concurrency", "2"]), lines);
    let objects: Vec<Value> = with(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&objects[2]["games"][0]["reason"], &objects[2]["line"]), (&"tablebase".into(), &4.into()));
    assert_eq!(objects[1]["games"][0]["plies"], 0);

    // A journal that was cut off within a line is continued.
    assert_eq!(with(&["--journal", "j", "--games", "3"]).lines().count(), 3);
    let journal = std::fs::read_to_string(folder.join("j")).unwrap();
    let cut: usize = journal.lines().take(5).map(|line| line.len() + 1).sum();
    std::fs::write(folder.join("cut"), &journal[..cut + 9]).unwrap();
    // Another version of the engine that plays alike continues it.
    assert!(journal.contains("\"version\":\""), "{journal}");
    std::fs::write(folder.join("other"), journal.replace("\"version\":\"", "\"version\":\"9.")).unwrap();
    assert_eq!(with(&["--journal", "other", "--games", "3", "--resume"]).lines().count(), 3);
    let means = with(&["--journal", "cut", "--games", "3", "--resume", "--out", "o.epd"]);
    assert_eq!(means, "");
    assert_eq!(std::fs::read_to_string(folder.join("cut")).unwrap().lines().count(), 10);
    let means = std::fs::read_to_string(folder.join("o.epd")).unwrap();
    assert!(means.contains("c9 \"0\";") && means.contains("c9 \"0.5\";") && means.contains("c9 \"1\";"), "{means}");
    let each = with(&["--games", "3", "--each"]);
    assert_eq!((each.lines().count(), each.matches("c9 \"1-0\";").count()), (9, 3));

    let message = refused(folder, &[&args[..], &["--journal", "j", "--resume"]].concat());
    assert!(message.contains("cannot resume 'j'") && message.contains("games 1 (the file has 3)"), "{message}");
    let message = refused(folder, &["pgn", "label", "p.epd"]);
    assert!(message.contains("invalid limits: no limit given"), "{message}");
    let message = refused(folder, &["pgn", "label", "p.epd", "--depth", "2", "--games", "2"]);
    assert!(message.contains("would be identical"), "{message}");
    std::fs::write(folder.join("bad.epd"), format!("{positions}8/8 w\n")).unwrap();
    let message = refused(folder, &["pgn", "label", "bad.epd", "--nodes", "9"]);
    assert!(message.contains("'bad.epd' line 5: "), "{message}");
}

#[test]
fn other_engines_label_positions() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("p.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k2r/8/8/8/8/8/8/4K3 b k -\n").unwrap();
    let engine = |flags: &str| {
        let flags: String = flags.split_whitespace().map(|flag| format!(" arg={flag}")).collect();
        let protocol = if flags.contains("--xboard") { " proto=xboard" } else { "" };
        format!("cmd='{}'{flags}{protocol}", fake_engine().display())
    };
    for flags in ["--seed 1", "--seed 1 --xboard"] {
        let args = ["pgn", "label", "p.epd", "--engine", &engine(flags), "--depth", "1", "--max-moves", "4", "--json"];
        let lines = run(folder, &args);
        assert_eq!(lines.matches("\"draw by length\"").count(), 2, "{lines}");
    }
    std::fs::write(folder.join("won.epd"), "8/8/8/4k3/8/8/8/KR6 w - -\n").unwrap();
    let (engine_spec, tables) = (engine("--seed 1"), testdata("syzygy").display().to_string());
    let args = ["pgn", "label", "won.epd", "--engine", &engine_spec, "--depth", "1", "--tb", &tables, "--json"];
    assert!(run(folder, &args).contains("\"reason\":\"tablebase\",\"result\":\"1-0\""));
    // A fault is not a result: the positions before it are kept.
    let bad = engine("--crash-at 2");
    let args = ["pgn", "label", "p.epd", "--engine", &bad, "--depth", "1", "--max-moves", "4", "--journal", "j"];
    let message = refused(folder, &args);
    assert!(message.contains("'p.epd': line 1: the engine failed twice: crash"), "{message}");
    // Partial output does not replace the file, which may be the input.
    let before = std::fs::read(folder.join("p.epd")).unwrap();
    refused(folder, &["pgn", "label", "p.epd", "--engine", &bad, "--depth", "1", "--out", "p.epd"]);
    assert_eq!(std::fs::read(folder.join("p.epd")).unwrap(), before);
    let message = refused(folder, &["pgn", "label", "p.epd", "--engine", "cmd=./no-such-engine", "--depth", "1"]);
    assert!(message.contains("no-such-engine"), "{message}");
}

/// The suites of others: legal, with legal best moves, named, without duplicates.
#[test]
fn known_suites_are_sound() {
    for (name, count, first) in
        [("bt2630", 30, "BT2630 01"), ("lapuce2", 35, "LCT II positional 01"), ("wac", 300, "WAC.001")]
    {
        let text = bartizan_testkit::read(format!("epd/{name}.epd"));
        let mut seen = HashSet::new();
        for line in text.lines() {
            let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(epd.to_string(), line);
            assert!(!epd.best_moves().unwrap().is_empty(), "{line}");
            assert!(seen.insert(epd.position.key()) && epd.id().is_some(), "{line}");
        }
        assert_eq!(seen.len(), count, "{name}");
        assert_eq!(Epd::parse(text.lines().next().unwrap()).unwrap().id(), Some(first));
    }
}

/// The suites made by `epd mine`: legal, each with one legal best move, without duplicates.
#[test]
fn the_suites_of_the_repository_are_sound() {
    let mut seen = HashSet::new();
    for (kind, least, men) in [("tactical", 200, 13..=32), ("endgame", 100, 3..=12)] {
        let text = bartizan_testkit::read(format!("epd/{kind}.epd"));
        for (index, line) in text.lines().enumerate() {
            let epd = Epd::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(epd.to_string(), line);
            assert_eq!(epd.best_moves().unwrap().len(), 1, "{line}");
            assert_eq!(epd.id(), Some(format!("{kind} {:03}", index + 1).as_str()));
            let proof = epd.comment(0).unwrap();
            assert!(proof.contains("Syzygy") || proof.matches(" nodes)").count() == 2, "{line}");
            assert!(men.contains(&epd.position.occupied().count()), "{line}");
            assert!(epd.position.count_legal_moves() > 1 && seen.insert(epd.position.key()), "{line}");
        }
        assert!(text.lines().count() >= least, "{kind}: {}", text.lines().count());
    }
}
