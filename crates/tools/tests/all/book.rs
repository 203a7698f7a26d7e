//! `book`, run as by a user.
#![allow(clippy::unwrap_used)]

use super::common::{TOOLS, failure, success, tools_in};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const GAMES: &str = "1. e4 c5 2. Nf3 d6 1/2-1/2\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n1. e4 e6 2. Ke7 1-0\n\n\
                     1. d4 d5 1/2-1/2\n\n";

fn book(folder: &Path, args: &[&str]) -> Output {
    tools_in(folder, &[&["book"], args].concat())
}

#[track_caller]
fn done(folder: &Path, args: &[&str]) -> String {
    success(args, &book(folder, args))
}

#[track_caller]
fn refused(folder: &Path, args: &[&str]) -> String {
    failure(args, &book(folder, args)).trim().to_owned()
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
    // The same games on standard input and with another memory limit give the same bytes.
    let mut child = Command::new(TOOLS)
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

/// Polyglot's key counts the square that a pawn has passed, even if the capture is illegal.
#[test]
fn a_fen_finds_what_the_moves_find() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // After 4... d5 White's pawn on e5 is pinned by the queen: the king stands behind it.
    let moves = "1. e4 e5 2. f4 exf4 3. e5 Qe7 4. a3 d5";
    fs::write(folder.join("games.pgn"), format!("{moves} 5. d4 1/2-1/2\n")).unwrap();
    done(folder, &["build", "games.pgn", "--min-count", "1", "--out", "a.bin"]);
    let board = "rnb1kbnr/ppp1qppp/8/3pP3/5p2/P7/1PPP2PP/RNBQKBNR w KQkq";
    let by_moves = json(&done(folder, &["show", "a.bin", moves, "--json"]));
    let by_fen = json(&done(folder, &["show", "a.bin", &format!("{board} d6 0 5"), "--json"]));
    assert_eq!((&by_fen["key"], &by_fen["moves"]), (&by_moves["key"], &by_moves["moves"]));
    assert_eq!(by_fen["moves"][0]["san"], "d4");
    // Without the square, it is another position.
    let without = json(&done(folder, &["show", "a.bin", &format!("{board} - 0 5"), "--json"]));
    assert_ne!(without["key"], by_moves["key"]);
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
        (&["build", "games.pgn", "--min-count", "9", "--out", "x.bin"], "error: no moves left for the book 'x.bin'"),
        (
            &["build", "--annotated", "lines.pgn", "--out", "x.bin"],
            "error: 'lines.pgn': line 2: no legal move matches 'e4'",
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

#[test]
fn threads_and_compression_do_not_change_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // Enough for several parts, with broken games in each.
    let games = GAMES.repeat(20_000);
    fs::write(folder.join("games.pgn"), &games).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(games.as_bytes()).unwrap();
    fs::write(folder.join("games.pgn.gz"), gzip.finish().unwrap()).unwrap();
    let first = book(folder, &["build", "games.pgn", "--out", "a.bin"]);
    let second = book(folder, &["build", "games.pgn.gz", "--threads", "3", "--out", "b.bin"]);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().replace("a.bin", "b.bin").replace(".gz", "");
    assert!(first.status.success() && second.status.success(), "{}", text(&second.stderr));
    assert_eq!(text(&first.stdout), text(&second.stdout));
    assert_eq!(text(&first.stderr), text(&second.stderr), "the same broken games are named");
    assert!(text(&first.stdout).starts_with("60000 games, "), "{}", text(&first.stdout));
    assert_eq!(fs::read(folder.join("a.bin")).unwrap(), fs::read(folder.join("b.bin")).unwrap());
}

#[test]
fn a_book_is_checked_and_built_without_what_is_bad() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("games.pgn"),
        "1. e4 e5 2. Nf3 Nc6 1/2-1/2 1. e4 e5 2. Ba6 Nxa6 3. d4 1/2-1/2 1. f3 1/2-1/2\n",
    )
    .unwrap();
    done(folder, &["build", "games.pgn", "--min-count", "1", "--out", "a.bin"]);
    let check = ["check", "a.bin", "--depth", "4", "--worst", "150", "--journal", "a.jsonl", "--list", "bad.epd"];
    let output = book(folder, &check);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.starts_with("a.bin: 7 positions, 6 moves, depth 4\n1 positions beyond 1.50 for either side"),
        "{text}"
    );
    assert!(text.contains("  1. e4 e5 2. Ba6\n"), "{text}");
    assert_eq!(fs::read_to_string(folder.join("bad.epd")).unwrap().lines().count(), 1);
    // All scores are known now.
    let journal = fs::read_to_string(folder.join("a.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 10);
    let again = json(&String::from_utf8(book(folder, &[&check[..], &["--json"]].concat()).stdout).unwrap());
    assert_eq!((&again["positions"], &again["beyond"]), (&Value::from(7), &Value::from(1)));
    assert_eq!(fs::read_to_string(folder.join("a.jsonl")).unwrap(), journal);
    done(folder, &["build", "games.pgn", "--min-count", "1", "--avoid", "bad.epd", "--out", "b.bin"]);
    let good = done(folder, &["check", "b.bin", "--depth", "4", "--worst", "150", "--journal", "a.jsonl"]);
    assert!(good.starts_with("b.bin: 6 positions, 5 moves, depth 4\n0 positions beyond"), "{good}");
    let error = refused(folder, &["check", "b.bin", "--depth", "5", "--journal", "a.jsonl"]);
    assert!(error.contains("journal 'a.jsonl' has scores of") && error.ends_with("use another file"), "{error}");
    fs::write(folder.join("bad.epd"), "8/8 w\n").unwrap();
    let error = refused(folder, &["build", "games.pgn", "--avoid", "bad.epd", "--out", "c.bin"]);
    assert!(error.starts_with("error: 'bad.epd': line 1: "), "{error}");
}

#[test]
fn a_checked_score_does_not_depend_on_the_rest_of_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let few = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1/2-1/2\n";
    let more = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O Nxe4 1/2-1/2\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 1/2-1/2\n";
    let check = |name: &str, games: &str, options: &[&str]| {
        let [pgn, bin, journal] = ["pgn", "bin", "jsonl"].map(|extension| format!("{name}.{extension}"));
        fs::write(folder.join(&pgn), games).unwrap();
        done(folder, &["build", &pgn, "--min-count", "1", "--out", &bin]);
        let args = ["check", &bin, "--depth", "8", "--worst", "150", "--journal", &journal];
        done(folder, &[&args, options].concat());
        let text = fs::read_to_string(folder.join(&journal)).unwrap();
        text.lines().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let few_scores = check("few", few, &[]);
    let all_scores = check("all", &format!("{few}{more}"), &[]);
    assert_eq!((few_scores.len(), all_scores.len()), (10, 17));
    assert!(few_scores.is_subset(&all_scores), "{:?}", few_scores.difference(&all_scores).collect::<Vec<_>>());
    assert_eq!(check("threads", &format!("{few}{more}"), &["--threads", "3"]), all_scores);
}

#[test]
fn lines_grow_to_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("lines.pgn"), "1. e4 e5 (1... c5) 2. Nf3 (2. Qh5? Nc6) *\n1. e4 e5 2. Ba6 *\n").unwrap();
    let grow = ["grow", "lines.pgn", "--max-ply", "8", "--nodes", "5000", "--worst", "120", "--out"];
    let said = done(folder, &[&grow[..], &["a.pgn"]].concat());
    assert!(said.contains(" games from 4 lines, "), "{said}");
    let text = fs::read_to_string(folder.join("a.pgn")).unwrap();
    let games: Vec<&str> = text.trim().split("\n\n").collect();
    assert!(games[0].starts_with("1. e4 c5 2. ") && text.contains("\n1. e4 e5 2. Nf3 "), "{text}");
    assert!(games.iter().all(|game| game.contains(" 4. ") && game.ends_with("1/2-1/2")), "{text}");
    // Lines end before a mistake, and before one side is ahead.
    assert!(!text.contains("2. Qh5") && !text.contains("2. Ba6"), "{text}");
    done(folder, &[&grow[..], &["b.pgn"]].concat());
    assert_eq!(text, fs::read_to_string(folder.join("b.pgn")).unwrap());
}

#[test]
fn building_tells_its_steps_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), "1. e4 e5 1-0\n\n1. e4 c5 1-0\n").unwrap();
    fs::write(folder.join("lines.pgn"), "1. d4! d5 *\n").unwrap();
    let args = ["build", "games.pgn", "games.pgn", "--annotated", "lines.pgn", "--min-count", "1", "--out", "a.bin"];
    let quiet = book(folder, &args);
    let loud = book(folder, &[&args[..], &["-v"]].concat());
    assert!(quiet.stderr.is_empty() && loud.stdout == quiet.stdout);
    let expected = "reading hand-made lines in 'lines.pgn'\n'lines.pgn': 2 different moves\n\
                    reading 'games.pgn'\n'games.pgn': 2 games\nreading 'games.pgn'\n'games.pgn': 2 games\n\
                    all games read; writing 'a.bin'\n";
    assert_eq!(String::from_utf8(loud.stderr).unwrap(), expected);
}

/// All positions have been searched, so that the check finds nothing and needs no search; an interrupted run gives the
/// same book.
#[test]
fn lines_expand_to_a_checked_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("lines.pgn"), "1. e4 e5 (1... c5) 2. Nf3 (2. Ba6) 2... Nc6 *\n").unwrap();
    let expand = |out: &str, journal: &str, moves: &str, nodes: &str| {
        let options = ["--nodes", nodes, "--moves", moves, "--worst", "150", "--journal", journal, "--out", out];
        book(folder, &[&["expand", "lines.pgn"], &options[..]].concat())
    };
    let whole = expand("a.bin", "a.jsonl", "60", "800");
    let said = success(&["expand"], &whole);
    assert!(said.starts_with("a.bin: ") && said.contains(" moves, 800 nodes, SHA-256 "), "{said}");
    let shown = done(folder, &["show", "a.bin", "e4 e5"]);
    assert!(shown.contains("Nf3") && !shown.contains("Ba6"), "{shown}");
    let check = ["check", "a.bin", "--nodes", "800", "--worst", "150", "--json"];
    let checked = json(&done(folder, &check));
    assert_eq!((&checked["beyond"], &checked["nodes"]), (&0.into(), &800.into()));
    assert!(checked["moves"].as_u64().unwrap() >= 60);
    // Nothing is left to search.
    let journal = fs::read_to_string(folder.join("a.jsonl")).unwrap();
    done(folder, &[&check[..], &["--journal", "a.jsonl"]].concat());
    assert_eq!(fs::read_to_string(folder.join("a.jsonl")).unwrap(), journal);

    // A run that was killed in the middle of a record.
    let torn = journal.len() / 2;
    fs::write(folder.join("b.jsonl"), &journal[..torn]).unwrap();
    success(&["expand"], &expand("b.bin", "b.jsonl", "60", "800"));
    assert_eq!(fs::read(folder.join("a.bin")).unwrap(), fs::read(folder.join("b.bin")).unwrap());
    let other = failure(&["expand"], &expand("b.bin", "b.jsonl", "60", "900"));
    assert!(other.contains(" at 800 nodes with 16 MB of hash table (version 2), not of "), "{other}");
    let short = expand("c.bin", "c.jsonl", "1", "800");
    assert!(success(&["expand"], &short).starts_with("c.bin: "));
}

/// Polyglot, if it is installed.
fn polyglot() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join("polyglot")).find(|program| program.is_file())
}

/// The same positions, moves and weights, from games with all results.
#[test]
fn polyglot_makes_the_same_book() {
    let Some(polyglot) = polyglot() else {
        eprintln!("SKIPPED: polyglot is not installed, so its book is not compared with ours");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let source = bartizan_testkit::read("book/games.pgn");
    let mut games = String::new();
    for (number, moves) in source.trim().split("\n\n").enumerate() {
        let result = ["1-0", "0-1", "1/2-1/2", "1-0", "1/2-1/2", "0-1", "1-0"][number * number % 7];
        let moves = moves.trim_end_matches("1/2-1/2").trim_end();
        games += &format!("[Event \"{number}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
    }
    fs::write(folder.join("games.pgn"), games).unwrap();
    for (min_count, max_ply) in [("1", "30"), ("3", "12")] {
        done(folder, &["build", "games.pgn", "--min-count", min_count, "--max-ply", max_ply, "--out", "a.bin"]);
        let args = ["make-book", "-pgn", "games.pgn", "-bin", "b.bin", "-max-ply", max_ply, "-min-game", min_count];
        let output = Command::new(&polyglot).args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let diff = json(&done(folder, &["diff", "a.bin", "b.bin", "--json"]));
        assert!(diff["moves"]["both"].as_u64().unwrap() > 1_000, "{diff}");
        for (group, key) in [("positions", "first"), ("positions", "second"), ("moves", "first"), ("moves", "second")] {
            assert_eq!(diff[group][key], 0, "{group} {key}: {diff}");
        }
        assert_eq!(diff["moves"]["other_share"], 0, "{diff}");
    }
}

#[test]
fn games_are_compared_with_their_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("lines.pgn"), "1. e4 e5 (1... c5) *\n1. d4 d5 *\n1. g4 {weight: 0} *\n").unwrap();
    done(folder, &["build", "--annotated", "lines.pgn", "--out", "book.bin"]);
    let played = ["played", "games.pgn", "--book", "book.bin", "--depth", "4", "--worst", "90"];

    fs::write(folder.join("games.pgn"), "1. e4 e5 2. Nf3 *\n1. e4 c5 2. Nf3 *\n1. d4 d5 2. Nf3 *\n").unwrap();
    let shown = done(folder, &played);
    assert!(shown.starts_with("3 games, 3 different, with 3 different lines of the book\n2.0 plies"), "{shown}");
    assert!(shown.contains(", 2 to 2; all are book moves\n"), "{shown}");
    assert!(shown.ends_with("\n0 problems\n"), "{shown}");
    let json = json(&done(folder, &[&played[..], &["--json"]].concat()));
    assert_eq!((&json["games"], &json["book_plies"]), (&3.into(), &vec![2, 2, 2].into()));

    let games = "[Termination \"time forfeit\"]\n\n1. e4 e5 2. Nf3 *\n1. e4 e5 2. Nf3 *\n1. e4 e6 *\n1. g4 e5 *\n\
                 [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n\
                 [Termination \"no start\"]\n\n1. e4 c5 2. Nf3 *\n\
                 [Termination \"abandoned\"]\n\n1. d4 d5 2. Bf4 1-0\n\
                 [Termination \"abandoned\"]\n\n1. d4 d5 2. Bg5 *\n";
    fs::write(folder.join("games.pgn"), games).unwrap();
    let expected = "error: game 1: it ended with a fault: time forfeit\nerror: game 2: it has the moves of game 1\n\
                    error: game 3: ply 2: e6 is not a book move\n\
                    error: game 4: ply 1: g4 is not a book move\n\
                    error: game 4: it has no book move\n\
                    error: game 5: it does not begin in the starting position\n\
                    error: game 6: it ended with a fault: no start\n\
                    error: game 7: it ended with a fault: abandoned";
    assert_eq!(refused(folder, &played), expected);
    let shown = String::from_utf8(book(folder, &played).stdout).unwrap();
    assert!(shown.contains("\n1.6 plies from the book, 0 to 2\n"), "{shown}");
    let strict = refused(folder, &[&played[..6], &["--worst", "0"]].concat());
    assert!(strict.contains("error: game 1: the book ends at +0."), "{strict}");

    fs::write(folder.join("games.pgn"), "1. e4 e5 2. Ke3 *\n").unwrap();
    assert!(refused(folder, &played).contains("'games.pgn': game 1, line 1, column 13: no legal move matches 'Ke3'"));
}
