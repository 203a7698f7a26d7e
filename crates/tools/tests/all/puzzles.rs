//! `puzzles` and `repertoire`, run as by a user.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{failure, success, text, tools_in};
use bartizan_notation::epd::Epd;
use bartizan_notation::pgn::TreeReader;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// White misses a mate in two, and Black a fork. The names try to break out of a page.
const GAMES: &str = "[Event \"</script><script>alert(1)</script>\"]\n[White \"Reti <b>\"]\n[Black \"Moss\"]\n\
    [FEN \"r2r2k1/5ppp/8/8/8/1q6/3R1PPP/3R2K1 w - - 0 1\"]\n\n1. h3 Rxd2 0-1\n\n\
    [White \"Mill\"]\n[Black \"reti\"]\n[FEN \"6k1/6pp/8/8/1n6/8/8/R3K3 b Q - 0 1\"]\n\n1... h6 2. Kd2 *\n\n\
    [Event \"broken\"]\n[FEN \"x\"]\n\n1. e4 *\n";

const SEARCH: [&str; 3] = ["games.pgn", "--nodes", "5000"];

#[track_caller]
fn run(folder: &Path, args: &[&str]) -> (String, String) {
    let all = [&["puzzles"], &SEARCH[..], args].concat();
    let output = tools_in(folder, &all);
    (success(&all, &output), text(&output.stderr))
}

fn folder_with_games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
    folder
}

#[test]
fn missed_chances_become_puzzles_in_four_forms() {
    let folder = folder_with_games();
    let folder = folder.path();
    let (epd, messages) = run(folder, &[]);
    let puzzles: Vec<Epd> = epd.lines().map(|line| Epd::parse(line).unwrap()).collect();
    let mate = puzzles.iter().find(|epd| epd.operand("bm") == Some("Rxd8+")).unwrap();
    assert_eq!(mate.principal_variation().unwrap().len(), 3);
    assert!(mate.comment(0).unwrap().ends_with(": 1. h3 was played"), "{epd}");
    assert!(mate.comment(1).unwrap().contains("mate in 2"), "{epd}");
    assert!(puzzles.iter().any(|epd| epd.operand("bm") == Some("Nc2+")), "{epd}");
    assert!(messages.contains("invalid FEN") && messages.contains(" games: "), "{messages}");
    assert!(messages.contains("       1  mate in 2\n"), "{messages}");

    // The same with several engines, and in all forms at once.
    let outs = ["--out", "p.epd", "--out", "p.pgn", "--out", "p.json", "--out", "p.html.gz"];
    let (json, _) = run(folder, &[&["--concurrency", "3", "--json"], &outs[..]].concat());
    let summary: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&summary["puzzles"], &summary["limit"]), (&puzzles.len().into(), &"5000 nodes".into()));
    assert_eq!(summary["themes"]["mate in 2"], 1);
    assert_eq!(fs::read_to_string(folder.join("p.epd")).unwrap(), epd);
    let pgn = fs::read(folder.join("p.pgn")).unwrap();
    let trees: Vec<_> = TreeReader::new(pgn.as_slice()).map(Result::unwrap).collect();
    assert!(trees.iter().map(|tree| tree.start()).eq(puzzles.iter().map(|epd| &epd.position)));
    let all: Value = serde_json::from_slice(&fs::read(folder.join("p.json")).unwrap()).unwrap();
    assert_eq!(all.as_array().unwrap().len(), puzzles.len());
    let mut page = String::new();
    let mut file = bartizan_files::open(folder.join("p.html.gz")).unwrap();
    std::io::Read::read_to_string(&mut file, &mut page).unwrap();
    assert!(page.contains("Rxd8+") && page.contains("Reti &lt;b&gt;") && page.contains("data-trainer"));
    assert!(!page.contains("<b>") && !page.contains("<script>alert"), "a tag became markup");
}

#[test]
fn only_the_chosen_players_misses_count() {
    let folder = folder_with_games();
    let folder = folder.path();
    let solutions = |args: &[&str]| {
        let (epd, _) = run(folder, args);
        let best = |line: &str| Epd::parse(line).unwrap().operand("bm").unwrap().to_owned();
        epd.lines().map(best).collect::<Vec<_>>()
    };
    let reti = solutions(&["--player", "RETI"]);
    assert!(reti.contains(&"Rxd8+".to_owned()) && reti.contains(&"Nc2+".to_owned()), "{reti:?}");
    assert!(!solutions(&["--player", "/^reti$/"]).contains(&"Rxd8+".to_owned()));
    assert_eq!(solutions(&["--player", "nobody"]), Vec::<String>::new());
}

#[test]
fn a_journal_continues_the_search_for_puzzles() {
    let folder = folder_with_games();
    let folder = folder.path();
    let (epd, _) = run(folder, &["--journal", "j"]);
    let journal = fs::read_to_string(folder.join("j")).unwrap();
    assert_eq!(journal.lines().count(), 3);
    let cut: usize = journal.lines().take(2).map(|line| line.len() + 1).sum();
    fs::write(folder.join("cut"), &journal[..cut + 9]).unwrap();
    assert_eq!(run(folder, &["--journal", "cut", "--resume"]).0, epd);
    assert_eq!(fs::read_to_string(folder.join("cut")).unwrap().lines().count(), 3);
    let refused = |args: &[&str]| {
        let all = [&["puzzles"], &SEARCH[..], args].concat();
        failure(&all, &tools_in(folder, &all))
    };
    let message = refused(&["--journal", "j", "--resume", "--margin", "20"]);
    assert!(message.contains("cannot resume 'j'") && message.contains("\"margin\":20.0"), "{message}");
    // An illegal move in the journal is an error with its line.
    fs::write(folder.join("wrong"), journal.replace("d2d8", "d2d9")).unwrap();
    let message = refused(&["--journal", "wrong", "--resume"]);
    assert!(message.contains("cannot resume 'wrong'") && message.contains("line "), "{message}");
    assert!(refused(&["--out", "p.txt"]).contains("'p.txt': unknown form of the output"));
    assert!(refused(&["--out", "p.epd", "--out", "./p.epd"]).contains("given for two outputs"));
    assert!(refused(&["--player", "/(/"]).contains("invalid --player '/(/'"));
}

#[test]
fn a_repertoire_shows_where_games_left_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = "[White \"Mill\"]\n[Black \"A\"]\n[Result \"0-1\"]\n\n\
                 1. e4 e5 2. Bc4 {[%eval 0.1]} Nc6 3. Qf3 d6 4. a3 Nf6 5. b3 Be7 6. c3 O-O 7. d3 {[%eval -1.0]} 0-1\n\n\
                 [White \"B\"]\n[Black \"mill\"]\n[Result \"1/2-1/2\"]\n\n1. d4 Nf6 1/2-1/2\n\n\
                 [White \"Mill\"]\n[Black \"C\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nf6 1-0\n\n\
                 [White \"Mill\"]\n[Black \"D\"]\n[Result \"1-0\"]\n\n1. e4 d6 2. d4 1-0\n\n\
                 [White \"E\"]\n[Black \"F\"]\n\n1. e4 e5 *\n";
    fs::write(folder.join("games.pgn"), games).unwrap();
    fs::write(folder.join("lines.pgn"), "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 (2. d4) 2... Nc6 *").unwrap();
    let run = |args: &[&str]| {
        let all = [&["repertoire", "games.pgn", "--player", "mill"], args].concat();
        success(&all, &tools_in(folder, &all))
    };
    let table = run(&["--pgn", "lines.pgn"]);
    let expected = "4 games: 2 left by the player, 2 by the opponent, 0 followed to the end of the repertoire, 0 ended \
                    within it\n\n   games   score    then   later  left by   line [repertoire]\n\
                    \x20      2   50.0%   50.9%   40.9%  player    1. e4 e5 2. Bc4 [Nf3, d4]\n\
                    \x20      1   50.0%       –       –  opponent  1. d4 [e4]\n\
                    \x20      1  100.0%       –       –  opponent  1. e4 d6 [e5, c5]\n";
    assert_eq!(table, expected);
    let rows: Value = serde_json::from_str(&run(&["--pgn", "lines.pgn", "--json", "--color", "black"])).unwrap();
    let [row] = &rows.as_array().unwrap()[..] else { panic!("{rows}") };
    assert_eq!((&row["game"], &row["played"], &row["points"]), (&2.into(), &"d4".into(), &0.5.into()));
    assert_eq!((&row["repertoire"], &row["reason"]), (&serde_json::json!(["e4"]), &"opponent".into()));
    // Searches in place of the comments.
    let rows: Value = serde_json::from_str(&run(&["--pgn", "lines.pgn", "--json", "--nodes", "500"])).unwrap();
    assert!(rows[0]["win"][0].is_f64() && rows[0]["opening"].as_str().unwrap().starts_with('C'), "{rows}");
    for (args, error) in [
        (&[][..], "no repertoire; give --book or --pgn"),
        (&["--pgn", "games.pgn.none"], "cannot read 'games.pgn.none'"),
        (&["--book", "none.bin"], "cannot read book 'none.bin'"),
    ] {
        let all = [&["repertoire", "games.pgn", "--player", "mill"], args].concat();
        assert!(failure(&all, &tools_in(folder, &all)).contains(error));
    }
}
