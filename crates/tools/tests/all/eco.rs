//! `eco`: openings of games, positions and moves.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{TOOLS, text, tools_with};
use bartizan_testkit::testdata;
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn eco(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    tools_with(folder, &[&["eco"], args].concat(), input)
}

const GAMES: &str = "[Event \"a\"]\n[Eco \"A00\"]\n[SubVariation \"old\"]\n\n\
                     1. Nf3 {a  comment} c5 $1 (1... d5 2. d4) 2. e4 ; b\n%c\n d6 1-0\n\n\
                     [Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                     [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";

/// Only the tags change, in a new file, in the same file and between pipes. A broken game is copied and reported.
#[test]
fn games_get_tags_and_keep_everything_else() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let tags = "[Event \"a\"]\n[ECO \"B50\"]\n[Opening \"Sicilian Defence\"]\n[Variation \"Modern Variations\"]\n";
    let expected = GAMES.replace("[Event \"a\"]\n[Eco \"A00\"]\n[SubVariation \"old\"]\n", tags);
    let summary = "3 games: 1 named, 1 without an opening, 1 broken";
    let broken = "game 2, line 11, column 13: no legal move matches 'Ke3'";

    let piped = eco(folder, &["classify", "--strict"], GAMES.as_bytes());
    assert_eq!((text(&piped.stdout), piped.status.success()), (expected.clone(), true));
    assert_eq!(text(&piped.stderr), format!("warning: standard input: {broken}\n{summary}\n"));

    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let written = eco(folder, &["classify", "--strict", "games.pgn", "--out", "games.pgn", "--quiet"], b"");
    assert_eq!(text(&written.stderr), format!("warning: 'games.pgn': {broken}\n"));
    assert_eq!(fs::read_to_string(folder.join("games.pgn")).unwrap(), expected);
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);

    // A second time nothing changes.
    let again = eco(folder, &["classify", "--strict", "games.pgn"], b"");
    assert_eq!(text(&again.stdout), expected);

    let lines = eco(folder, &["classify", "--strict", "--json", "-"], GAMES.as_bytes());
    let games: Vec<Value> = text(&lines.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 2);
    assert_eq!((&games[0]["eco"], &games[0]["game"], &games[0]["line"]), (&"B50".into(), &1.into(), &1.into()));
    assert_eq!((&games[1]["eco"], &games[1]["game"], &games[1]["line"]), (&Value::Null, &3.into(), &13.into()));
}

/// Games with faults, of all lengths, more than a chunk in total.
fn many_games() -> String {
    let game = |number: usize| match number % 500 {
        0 => format!("[Event \"{number}\"]\n\n1. e4 e5 2. Ke3 *\n\n"),
        1 => "[Site \"x\"]\n\n1. c4 1-0\n{after}\n".to_owned(),
        _ => format!("[Event \"{number}\"]\n\n1. e4 {{{}}} c5 2. Nf3 *\n\n", "word ".repeat(number % 40)),
    };
    (0..12_000).map(game).collect()
}

/// A file gives the same bytes with any number of threads, with any compression, and from standard input.
#[test]
fn games_are_read_from_any_source_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = many_games();
    fs::write(folder.join("games.pgn"), &games).unwrap();
    let plain = eco(folder, &["classify", "--strict", "games.pgn"], b"");
    assert!(plain.status.success());
    let messages = text(&plain.stderr);
    let lines: Vec<&str> = messages.lines().collect();
    assert_eq!(lines.len(), 12, "{messages}");
    let fault = "column 13: no legal move matches 'Ke3'";
    assert_eq!(lines[0], format!("warning: 'games.pgn': game 1, line 3, {fault}"));
    assert_eq!(lines[9], format!("warning: 'games.pgn': game 4501, line 18003, {fault}"));
    assert_eq!(
        lines[10..],
        ["warning: 14 more broken games", "12000 games: 11976 named, 0 without an opening, 24 broken"]
    );
    let without_tags: String =
        text(&plain.stdout).lines().filter(|line| !line.starts_with("[E") && !line.starts_with("[Op")).collect();
    assert_eq!(without_tags, games.lines().filter(|line| !line.starts_with("[E")).collect::<String>());

    for (name, bytes) in compressed(&games) {
        fs::write(folder.join(name), &bytes).unwrap();
        for threads in ["1", "3"] {
            let read = eco(folder, &["classify", "--strict", name, "--threads", threads], b"");
            assert!(read.stdout == plain.stdout, "{name} {threads}");
            assert_eq!(text(&read.stderr), messages.replace("games.pgn", name));
        }
        let piped = eco(folder, &["classify", "--strict", "-", "--threads", "3", "--quiet"], &bytes);
        assert!(piped.stdout == plain.stdout, "{name}");
    }
    let json =
        |threads: &str| eco(folder, &["classify", "--strict", "games.pgn", "--json", "--threads", threads], b"").stdout;
    assert!(json("1") == json("3"));
}

/// The text, plain and as other programs compress it.
fn compressed(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).unwrap();
    let zstandard = ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    vec![
        ("games", text.as_bytes().to_vec()),
        ("games.gz", gzip.finish().unwrap()),
        ("games.bz2", bzip2.finish().unwrap()),
        ("games.zst", zstandard),
    ]
}

#[test]
fn several_files_are_read_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("one.pgn"), "1. e4 e5 2. Ke3 *\n").unwrap();
    fs::write(folder.join("two.pgn"), "1. c4 *\n\n1. d4 d4 *\n").unwrap();
    let read = eco(folder, &["classify", "--strict", "one.pgn", "-", "two.pgn", "--json"], b"1. d4 *\n");
    let games: Vec<Value> = text(&read.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let places: Vec<_> = games.iter().map(|game| (&game["file"], &game["game"], &game["eco"])).collect();
    let (number, d4, c4): (Value, Value, Value) = (1.into(), "A40".into(), "A10".into());
    assert_eq!(places, [(&Value::Null, &number, &d4), (&"two.pgn".into(), &number, &c4)]);
    let expected = "warning: 'one.pgn': game 1, line 1, column 13: no legal move matches 'Ke3'\n\
                    warning: 'two.pgn': game 2, line 3, column 7: no legal move matches 'd4'\n\
                    4 games: 2 named, 0 without an opening, 2 broken\n";
    assert_eq!(text(&read.stderr), expected);

    // The end of one file is not the beginning of the next game.
    fs::write(folder.join("open.pgn"), "[White \"a\"]\n\n1. e4 * ; no line end").unwrap();
    fs::write(folder.join("mark.pgn"), "\u{feff}[White \"b\"]\n\n1. d4 *\n").unwrap();
    let joined = text(&eco(folder, &["classify", "--strict", "open.pgn", "mark.pgn"], b"").stdout);
    assert!(joined.contains("no line end\n\n[White \"b\"]\n"), "{joined}");

    // An unreadable input is reported before the first game is read.
    let missing = eco(folder, &["classify", "--strict", "one.pgn", "none.pgn"], b"");
    assert_eq!((missing.status.code(), text(&missing.stdout)), (Some(1), String::new()));
    assert!(text(&missing.stderr).starts_with("error: cannot read 'none.pgn': "), "{}", text(&missing.stderr));
    let (_, damaged) = &compressed(&many_games())[1];
    fs::write(folder.join("damaged"), &damaged[..damaged.len() - 9]).unwrap();
    let damaged = eco(folder, &["classify", "--strict", "damaged", "--out", "one.pgn"], b"");
    assert_eq!(damaged.status.code(), Some(1));
    assert!(text(&damaged.stderr).contains("error: cannot read 'damaged': "), "{}", text(&damaged.stderr));
    assert_eq!(fs::read_to_string(folder.join("one.pgn")).unwrap(), "1. e4 e5 2. Ke3 *\n");
    for threads in ["x", "2000", "-1", "0"] {
        assert_eq!(eco(folder, &["classify", "--strict", &format!("--threads={threads}")], b"").status.code(), Some(2));
    }
}

/// A game that does not fit in memory counts as one broken game, and is copied.
#[test]
fn a_game_of_any_size_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let games = format!("1. d4 *\n\n[Event \"x\"]\n\n1. e4 {{{}}} *\n\n[Event \"y\"]\n\n*\n", "word ".repeat(4 << 20));
    let read = eco(folder.path(), &["classify", "--threads", "2"], games.as_bytes());
    let named = "[ECO \"A40\"]\n[Opening \"Queen's Pawn Game\"]\n\n";
    assert_eq!(read.stdout.len(), games.len() + named.len());
    let rest = games.find("[Event").unwrap();
    assert!(read.stdout.ends_with(&games.as_bytes()[rest..]));
    let expected = "warning: standard input: game 2, line 3, column 1: the game has more than 16 MiB\n\
                    3 games: 1 named, 1 without an opening, 1 broken\n";
    assert_eq!(text(&read.stderr), expected);
}

/// The output file is unchanged.
#[cfg(unix)]
#[test]
fn an_interruption_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out.pgn"), "old").unwrap();
    let mut command = Command::new(TOOLS);
    command.args(["eco", "classify", "--out", "out.pgn", "--threads", "2"]).current_dir(folder.path());
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let games = many_games();
    // The program has read something, so its handler is installed.
    input.write_all(games.as_bytes()).unwrap();
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    // More than pipes and chunks hold: the program must have ended before everything is written.
    let written = (0..1_000).try_for_each(|_| input.write_all(games.as_bytes()));
    assert!(written.is_err());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let message = text(&output.stderr);
    assert!(message.lines().last().unwrap().starts_with("error: interrupted after "), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("out.pgn")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
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

/// The names that a person gave to 36 openings equal those of the table, or are more general.
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
    assert_eq!((none.status.code(), text(&none.stderr)), (Some(1), "no opening found\n".to_owned()));
    let wrong = run(&["lookup", "1. e4 e5 2. Ke3"]);
    assert_eq!(text(&wrong.stderr), "error: move 2: no legal move matches 'Ke3'\n");
}
