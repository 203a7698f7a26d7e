//! `pgn`, run as by a user.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use super::common::{TOOLS, success, text, tools_with};
use bartizan_files::Compression;
use bartizan_notation::pgn::{PgnReader, RawGames};
use bartizan_testkit::testdata;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn pgn(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    tools_with(folder, &[&["pgn"], args].concat(), input)
}

/// The output of a run that succeeds, and its last message.
fn done(folder: &Path, args: &[&str], input: &str) -> (String, String) {
    let output = pgn(folder, args, input.as_bytes());
    (success(args, &output), text(&output.stderr).lines().last().unwrap_or_default().to_owned())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The texts of the games, in any order.
fn games(text: &str) -> Vec<String> {
    let raw = RawGames::new(text.as_bytes()).map(|game| String::from_utf8(game.unwrap().bytes).unwrap());
    let mut games: Vec<String> = raw.map(|game| game.trim().to_owned()).filter(|game| !game.is_empty()).collect();
    games.sort();
    games
}

const GAMES: &str = "[Event \"a\"]\n[Date \"2020.05.17\"]\n[White \"Tal, Mikhail\"]\n[Black \"Fine\"]\n\
                     [Result \"1-0\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2500\"]\n[ECO \"B20\"]\n\n\
                     1. e4 {[%clk 0:01:00] best} c5 $1 (1... e5 {open} 2. Nf3) 2. Nf3 1-0\n\n\
                     [Event \"b\"]\n[Date \"1999.??.??\"]\n[White \"Fine\"]\n[Black \"Brown\"]\n\
                     [Result \"1/2-1/2\"]\n\n1. Nf3 c5 2. e4 1/2-1/2\n\n\
                     [Event \"c\"]\n[White \"Tal, Mikhail\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                     [Event \"d\"]\n[White \"Talwar\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                     [Event \"e\"]\n[White \"Brown\"]\n[Result \"1-0\"]\n\n1.e2-e4 c7-c5 2.Ng1-f3 1-0\n";

/// The events of the games that a filter takes.
fn taken(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let args: Vec<&str> = ["filter"].iter().chain(args).copied().collect();
    let (found, _) = done(folder.path(), &args, GAMES);
    let events = found.lines().filter_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]"));
    events.collect()
}

/// A file that is read, and that another kind of file would replace, is left unchanged.
#[test]
fn what_is_read_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for commands in [
        "pgn select ./g.pgn --out g.pgn",
        "pgn filter g.pgn --csv --out g.pgn",
        "pgn filter g.pgn --rejected g.pgn",
        "pgn dedup g.pgn --removed g.pgn",
        "eco classify g.pgn --json --out g.pgn",
        "book build g.pgn --min-count 1 --out g.pgn",
        "book grow g.pgn --out g.pgn",
        "epd mine g.pgn --nodes 1 --out g.pgn",
    ] {
        fs::write(folder.join("g.pgn"), GAMES).unwrap();
        let mut command = Command::new(TOOLS);
        let output = command.args(commands.split(' ')).current_dir(folder).stdin(Stdio::null()).output().unwrap();
        let message = text(&output.stderr);
        assert!(message.contains("'g.pgn' is an input and would be overwritten"), "{commands}: {message}");
        assert_eq!(output.status.code(), Some(1), "{commands}");
        assert_eq!(fs::read_to_string(folder.join("g.pgn")).unwrap(), GAMES, "{commands}");
        assert_eq!(names(folder), ["g.pgn"], "{commands}");
    }
    done(folder, &["filter", "g.pgn", "--white", "Tal", "--out", "g.pgn"], "");
}

#[test]
fn conditions_are_combined() {
    for (args, events) in [
        (&["--player", "tal"][..], "acd"),
        (&["--white", "/^Tal,/"], "ac"),
        (&["--black", "FINE"], "a"),
        (&["--player", "tal", "--player", "fine"], "a"),
        (&["--result", "1-0,0-1"], "ace"),
        (&["--min-rating", "2500"], "a"),
        (&["--min-rating", "2600"], ""),
        (&["--min-rating", "2600", "--rating-of", "white"], "a"),
        (&["--min-elo", "2500", "--max-elo", "2700"], "a"),
        (&["--max-rating", "2500", "--rating-of", "either"], "a"),
        (&["--eco", "B"], "a"),
        (&["--eco", "B", "--classify"], "abe"),
        (&["--opening", "sicilian", "--classify"], "abe"),
        (&["--date", "1990..2000"], "b"),
        (&["--date", "2020.05.."], "a"),
        (&["--event", "c"], "c"),
        (&["--tag", "Date=/^2/"], "a"),
        (&["--position", "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"], "abe"),
        (&["--position", "*/*/*/*/???????q/*/*/*"], "c"),
        (&["--moves", "e4 c5"], "ae"),
        (&["--moves", "1. Nf3"], "b"),
        (&["--min-plies", "4"], "c"),
        (&["--max-plies", "3"], "abde"),
        (&["--final", "checkmate"], "c"),
        (&["--final", "open", "--material", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP", "--material-plies", "4"], "abe"),
        (&["--variant", "chess960"], ""),
        (&["--annotated"], "a"),
        (&["--annotated=clocks"], "a"),
        (&["--annotated=evals"], ""),
        (&["--no-duplicates"], "ac"),
        (&["--no-duplicates", "--same-players"], "abcde"),
        (&["--not", "--player", "tal"], "be"),
        (&["--not", "--moves", "e4 c5"], "bcd"),
        (&["--check"], "abcde"),
        (&["--limit", "2", "--result", "1-0,0-1"], "ac"),
        (&["--sample", "9"], "abcde"),
        (&["--contradicted", "300", "--nodes", "300"], ""),
        (&[], "abcde"),
    ] {
        // The order of moves in game b makes it another game than a and e.
        let expected = if args == ["--no-duplicates"] { "abcd" } else { events };
        assert_eq!(taken(args), expected, "{args:?}");
    }
}

#[test]
fn games_are_written_in_every_form() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let movetext = |args: &[&str]| {
        let args: Vec<&str> = ["filter", "--event", "a"].iter().chain(args).copied().collect();
        done(folder, &args, GAMES).0.split_once("\n\n").unwrap().1.trim().to_owned()
    };
    assert_eq!(movetext(&[]), "1. e4 {[%clk 0:01:00] best} c5 $1 (1... e5 {open} 2. Nf3) 2. Nf3 1-0");
    assert_eq!(movetext(&["--main-line"]), "1. e4 c5 2. Nf3 1-0");
    assert_eq!(movetext(&["--no-comments"]), "1. e4 c5 $1 (1... e5 2. Nf3) 2. Nf3 1-0");
    assert_eq!(movetext(&["--no-variations", "--no-glyphs"]), "1. e4 {[%clk 0:01:00] best} 1... c5 2. Nf3 1-0");
    assert_eq!(movetext(&["--keep-plies", "1"]), "1. e4 {[%clk 0:01:00] best} 1-0");
    assert_eq!(movetext(&["--keep-plies", "2", "--no-comments"]), "1. e4 c5 $1 (1... e5) 1-0");
    assert_eq!(movetext(&["--keep-plies", "9", "--main-line"]), "1. e4 c5 2. Nf3 1-0");
    let counted = "[PlyCount \"3\"]\n\n1. e4 e5 2. Nf3 *";
    for (form, count) in
        [(&[][..], "PlyCount \"2\""), (&["--main-line"], "PlyCount \"2\""), (&["--json"], "\"PlyCount\":\"2\"")]
    {
        let (short, _) = done(folder, &[&["filter", "--keep-plies", "2"], form].concat(), counted);
        assert!(short.contains(count) && !short.contains("Nf3"), "{short}");
    }
    let openings = "1. e4 (1. d4 d5 2. c4) e5 2. Nf3 *\n\n1. e4 e5 2. Nc3 *\n\n1. e4 (1. c4 e5 2. g3) *";
    let (once, _) = done(folder, &["filter", "--keep-plies", "2", "--no-duplicates"], openings);
    let lines: Vec<_> = once.lines().filter(|line| line.starts_with("1.")).collect();
    assert_eq!(lines, ["1. e4 (1. d4 d5) 1... e5 *", "1. e4 (1. c4 e5) *"]);
    let (bare, _) = done(folder, &["filter", "--event", "a", "--strip-tags"], GAMES);
    assert_eq!(
        bare,
        "[Event \"a\"]\n[Date \"2020.05.17\"]\n[White \"Tal, Mikhail\"]\n[Black \"Fine\"]\n[Result \"1-0\"]\n\n\
         1. e4 {[%clk 0:01:00] best} c5 $1 (1... e5 {open} 2. Nf3) 2. Nf3 1-0\n\n"
    );
    // Variations are not read if they are not written.
    let (line, _) = done(folder, &["filter", "--main-line"], "1. e4 {x} $1 (1. Ke4) e5 *");
    assert!(line.ends_with("\n\n1. e4 e5 *\n\n"), "{line}");
    let mixed = "[A \"a\"] [White \"b\"] [C \"c\"]\r\n[D \"d\"] \r\n\r\n1. e4 *\r\n";
    assert_eq!(done(folder, &["filter", "--strip-tags"], mixed).0, " [White \"b\"] \r\n\r\n1. e4 *\r\n");

    // A text that only a tag separates from the preceding game remains a game.
    let open = "[Opening \"a\"]\n\n1. e4 c5\n\n[Opening \"b\"] [ECO \"C00\"]\n\n1. e4 e6\n";
    let apart = "[Event \"?\"]\n\n1. e4 c5\n\n[Event \"?\"] \n\n1. e4 e6\n";
    assert_eq!(done(folder, &["filter", "--strip-tags"], open).0, apart);
    // A list of moves cannot contain a null move, but a tree can.
    let study = "[Event \"x\"]\n\n1. e4 -- {plan} 2. d4 *\n";
    assert!(done(folder, &["filter", "--no-comments"], study).0.ends_with("\n\n1. e4 -- 2. d4 *\n\n"));

    let (table, _) = done(folder, &["filter", "--csv", "--white", "tal,"], GAMES);
    assert_eq!(
        table,
        "Event,Site,Date,Round,White,Black,Result,WhiteElo,BlackElo,ECO,Opening,TimeControl,Plies,Moves\n\
         a,,2020.05.17,,\"Tal, Mikhail\",Fine,1-0,2700,2500,B20,,,3,e4 c5 Nf3\n\
         c,,,,\"Tal, Mikhail\",,0-1,,,,,,4,f3 e5 g4 Qh4#\n"
    );
    let (lines, _) = done(folder, &["filter", "--json", "--check"], GAMES);
    let objects: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 5);
    assert!(objects[3]["problems"][0].as_str().unwrap().contains("column 13: no legal move matches 'Ke3'"));
    let first = &objects[0];
    assert_eq!(
        (&first["tags"]["White"], &first["eco"], &first["plies"]),
        (&"Tal, Mikhail".into(), &"B27".into(), &3.into())
    );
    assert_eq!((&first["uci"], &first["san"]), (&"e2e4 c7c5 g1f3".into(), &"e4 c5 Nf3".into()));
    let best = json!([{ "ply": 1, "clock": 60.0, "comment": "best" }, { "ply": 2, "nags": [1] }]);
    assert_eq!((&first["annotations"], &objects[1]["annotations"]), (&best, &json!([])));
    let notes = "{before} 1. e4! $14 {[%eval -0.25,18] [%emt 0:00:01.5] {open} (1. d4 $2 {no}) \
                 e5 {[%csl Gd4,Re5][%cal Ge2e4]} 2. Nf3 ; [%eval #-3] [%foo 1]\n*";
    let line: Value = serde_json::from_str(&done(folder, &["filter", "--json"], notes).0).unwrap();
    let expected = json!([
        { "ply": 0, "comment": "before" },
        { "ply": 1, "cp": -25, "depth": 18, "elapsed": 1.5, "nags": [1, 14], "comment": "{open" },
        { "ply": 2, "squares": ["Gd4", "Re5"], "arrows": ["Ge2e4"] },
        { "ply": 3, "mate": -3, "comment": "[%foo 1]" },
    ]);
    assert_eq!(line["annotations"], expected);
    // As written by engine matches, for the mover.
    let played = "1. e4 {+0.35/12 1.2s n=9} e5 {+M3/9} *";
    let line: Value =
        serde_json::from_str(&done(folder, &["filter", "--json", "--annotated=evals"], played).0).unwrap();
    let expected = json!([
        { "ply": 1, "cp": 35, "depth": 12, "elapsed": 1.2, "comment": "+0.35/12 1.2s n=9" },
        { "ply": 2, "mate": -3, "depth": 9, "comment": "+M3/9" },
    ]);
    assert_eq!(line["annotations"], expected);
    let castling = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                    [FEN \"1r2k1r1/7p/6p1/8/8/8/6P1/1R2KR2 w FBgb - 0 1\"]\n\n1. O-O O-O-O *\n";
    let line: Value = serde_json::from_str(&done(folder, &["filter", "--json"], castling).0).unwrap();
    assert_eq!(line["uci"], "e1f1 e8b8");
}

/// The name of an output determines its compression, and every command reads it.
#[test]
fn outputs_are_compressed_by_their_names() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    for (args, name) in [
        (&["filter", "--out"][..], "a.pgn.gz"),
        (&["filter", "--white", "x", "--rejected"], "b.pgn.bz2"),
        (&["sort", "--by", "event", "--out"], "c.pgn.ZST"),
        (&["dedup", "--out"], "d.gz"),
        (&["filter", "--player", "x", "--csv", "--out"], "e.zst"),
    ] {
        done(folder, &[args, &[name]].concat(), GAMES);
        let start = fs::read(folder.join(name)).unwrap();
        assert_eq!(Compression::of(&start), Some(Compression::of_name(name).unwrap()), "{name}");
    }
    for name in ["a.pgn.gz", "b.pgn.bz2", "c.pgn.ZST"] {
        assert_eq!(games(&done(folder, &["filter", name], "").0), games(GAMES), "{name}");
    }
    done(folder, &["select", "--min-ply", "1", "--out", "all.epd.gz"], GAMES);
    done(folder, &["label", "all.epd.gz", "--nodes", "1", "--max-moves", "1", "--out", "labelled.epd.zst"], "");
    for name in ["all.epd.gz", "labelled.epd.zst"] {
        let bytes = fs::read(folder.join(name)).unwrap();
        assert_eq!(Compression::of(&bytes), Compression::of_name(name), "{name}");
    }
    let (again, _) = done(folder, &["label", "labelled.epd.zst", "--nodes", "1", "--max-moves", "1"], "");
    assert!(again.lines().count() > 1, "{again}");
    done(folder, &["split", "a.pgn.gz", "--games", "3", "--out", "part-{}.pgn.bz2"], "");
    assert_eq!(games(&done(folder, &["filter", "part-0001.pgn.bz2", "part-0002.pgn.bz2"], "").0), games(GAMES));
}

/// Where the order and the results do not depend on the threads, all cores are used.
#[test]
fn all_cores_work_by_default() {
    for command in ["pgn filter", "pgn sort", "eco classify", "eco compare", "book build", "book check"] {
        let mut program = Command::new(TOOLS);
        let help = text(&program.args(command.split(' ')).arg("-h").output().unwrap().stdout);
        let (_, option) = help.split_once("--threads <N>").unwrap();
        let words = option.split_whitespace().collect::<Vec<_>>().join(" ");
        let (described, _) = words.split_once("[default: auto]").unwrap();
        assert!(described.ends_with("'auto' is one per core "), "{command}: {described}");
    }
}

/// Every game is in one of the files, which appear together; the output may be the input.
#[test]
fn no_game_is_lost() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let args = [
        "filter",
        "games.pgn",
        "--moves",
        "e4",
        "--out",
        "games.pgn",
        "--rejected",
        "r.pgn",
        "--broken",
        "b.pgn",
        "--strict",
    ];
    let output = pgn(folder, &args, b"");
    assert!(output.status.success());
    let warning = "warning: 'games.pgn': game 4, line 30, column 13: no legal move matches 'Ke3'\n";
    let spelling = "warning: 'games.pgn': game 5, line 36, column 3: 'e2-e4' is not standard notation: expected 'e4'\n";
    assert_eq!(text(&output.stderr), format!("{warning}{spelling}5 games: 1 taken, 2 broken\n"));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let all = [read("games.pgn"), read("r.pgn"), read("b.pgn")].map(|text| games(&text));
    assert_eq!(all.each_ref().map(Vec::len), [1, 2, 2]);
    let mut all = all.concat();
    all.sort();
    assert_eq!(all, games(GAMES));
    assert_eq!(names(folder), ["b.pgn", "games.pgn", "r.pgn"]);
    // Without a separate file, broken games are among the rejected.
    done(folder, &["filter", "--strict", "--moves", "e4", "--out", "a.pgn", "--rejected", "r.pgn"], GAMES);
    assert_eq!(games(&read("r.pgn")).len(), 4);
    // Surplus games are too.
    done(folder, &["filter", "--limit", "1", "--out", "a.pgn", "--rejected", "r.pgn"], GAMES);
    assert_eq!((games(&read("a.pgn")).len(), games(&read("r.pgn")).len()), (1, 4));
    done(folder, &["filter", "--sample", "2", "--seed", "3", "--out", "a.pgn", "--rejected", "r.pgn"], GAMES);
    assert_eq!((games(&read("a.pgn")).len(), games(&read("r.pgn")).len()), (2, 3));
}

/// A file that ends inside a game: told with line and column, counted, and refused on request.
#[test]
fn a_game_that_is_cut_off_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = "[Event \"a\"]\n\n1. e4 e5 *\n\n";
    let without = "the game ends without a result";
    for (cut, column, problem) in [
        ("1. d4 d5", 9, without),
        ("1. d4 {solid", 7, "unterminated comment"),
        ("1. d4 (1. c4 c5", 16, "unterminated variation"),
        ("[Eve", 1, "invalid tag: expected a name and a quoted value"),
    ] {
        let text = format!("{whole}{cut}");
        let place = format!("game 2, line 5, column {column}: {problem}");
        for (args, is_found) in [
            (&["filter"][..], true),
            (&["filter", "--check"], true),
            (&["filter", "--check", "--json"], true),
            (&["stats"], true),
            (&["filter", "--strict"], false),
            (&["stats", "--strict"], false),
        ] {
            let output = pgn(folder, args, text.as_bytes());
            let (found, messages) = (success(args, &output), self::text(&output.stderr));
            assert!(messages.contains(&place), "{args:?} {cut}: {messages}");
            let number = if is_found { 2 } else { 1 };
            match args {
                ["stats", ..] => {
                    let broken = 2 - number;
                    assert!(found.starts_with(&format!("2 games, {broken} broken, ")), "{args:?} {cut}: {found}");
                    assert!(!is_found || found.contains("  no result\n"), "{cut}: {found}");
                }
                [.., "--json"] => assert_eq!((found.lines().count(), found.contains(without)), (2, true), "{found}"),
                _ => assert_eq!(found == text || found == format!("{text}\n"), is_found, "{args:?} {cut}: {found}"),
            }
        }
    }
}

/// A game can follow another one on its line.
#[test]
fn games_within_a_line_are_copied_as_games() {
    let folder = tempfile::tempdir().unwrap();
    let text = "1. e4 e5 1-0 1. d4 d5 2. c4 0-1\n[Opening \"x\"] 1. f4 1/2-1/2 1. g3 *\n";
    let count = |text: &str| done(folder.path(), &["filter", "--check"], text).1;
    assert_eq!(count(text), "4 games: 4 taken");
    for args in [
        &["filter"][..],
        &["filter", "--strip-tags"],
        &["filter", "--no-comments"],
        &["sort", "--by", "result"],
        &["sort", "--by", "plies", "--reverse"],
        &["dedup"],
        &["split", "--shard", "1/1"],
    ] {
        let (written, _) = done(folder.path(), args, text);
        assert_eq!(count(&written), "4 games: 4 taken", "{args:?}\n{written}");
    }
    for (result, plies) in [("0-1", 3), ("1/2-1/2", 1), ("*", 1)] {
        let (written, _) = done(folder.path(), &["filter", "--result", result], text);
        let (json, summary) = done(folder.path(), &["stats", "--json"], &written);
        assert!(summary.is_empty() && json.contains(&format!("\"plies\":{{\"{plies}\":1}}")), "{written}{json}");
    }
}

#[test]
fn wrong_results_are_found_by_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let lost = "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\"]\n\n1. Qa2";
    let text = format!("{lost} 1-0\n\n{lost} 0-1\n\n{lost} 1/2-1/2\n\n1. f3 e5 2. g4 Qh4# 1-0\n");
    let args = ["filter", "--contradicted", "400", "--nodes", "500", "--threads", "2", "--json"];
    let (found, summary) = done(folder.path(), &args, &text);
    assert_eq!((found.lines().count(), summary.as_str()), (3, "4 games: 3 taken"));
}

/// One command drops short games, games that contradict their result, and decisive ones that end level.
#[test]
fn results_are_confirmed_by_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let ending = |event: &str, pieces: &str, moves: &str, result: &str| {
        format!("[Event \"{event}\"]\n[FEN \"4k3/8/8/8/8/8/8/{pieces} w - - 0 1\"]\n\n{moves} {result}\n\n")
    };
    let (short, long) = ("1. Ke2", "1. Ke2 Ke7 2. Ke3 Ke6 3. Kd4");
    let text = [
        ending("won", "Q3K3", long, "1-0"),
        ending("short", "Q3K3", short, "1-0"),
        ending("lost", "Q3K3", long, "0-1"),
        ending("drawn", "Q3K3", long, "1/2-1/2"),
        ending("unknown", "Q3K3", long, "*"),
        ending("level", "4K1N1", long, "1-0"),
        ending("level draw", "4K1N1", long, "1/2-1/2"),
    ]
    .concat();
    let taken = |option: &str| {
        let args = ["filter", "--min-plies", "5", option, "--nodes", "500", "--threads", "2", "--csv"];
        let (found, _) = done(folder.path(), &args, &text);
        found.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(taken("--confirmed"), ["won", "level draw"]);
    assert_eq!(taken("--confirmed=20000,20000"), ["drawn", "level draw"]);
    for (value, part) in [("--confirmed=150", "expected WON,LEVEL"), ("--confirmed=0,100", "expected WON,LEVEL")] {
        let output = pgn(folder.path(), &["filter", value], text.as_bytes());
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains(part), "{output:?}");
    }
    let output = pgn(folder.path(), &["filter", "--confirmed", "--contradicted", "300"], text.as_bytes());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be used with"), "{output:?}");
}

#[test]
fn what_is_wrong_is_named_and_leaves_the_old_file() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::write(folder.join("old"), "old").unwrap();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let gzip = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let whole = gzip(GAMES.repeat(500).as_bytes());
    fs::write(folder.join("cut.gz"), &whole[..whole.len() / 2]).unwrap();
    fs::write(folder.join("bad.json"), "{\"games\": 1}").unwrap();
    for (args, error) in [
        (&["filter", "none.pgn", "--out", "old"][..], "error: cannot read 'none.pgn': "),
        (&["filter", "cut.gz", "--out", "old"], "error: cannot read 'cut.gz': "),
        (&["sort", "cut.gz", "--out", "old"], "error: cannot read 'cut.gz': "),
        (&["dedup", "cut.gz", "--out", "old"], "error: cannot read 'cut.gz': "),
        (&["dedup", "cut.gz", "--keep", "fullest", "--out", "old"], "error: cannot read 'cut.gz': "),
        (&["split", "cut.gz", "--shards", "2"], "error: cannot read 'cut.gz': "),
        (&["split", "cut.gz", "--by", "event"], "error: cannot read 'cut.gz': "),
        (&["stats", "cut.gz"], "error: cannot read 'cut.gz': "),
        (&["filter", "games.pgn", "--out", "no/x"], "error: cannot write 'no/x': "),
        (&["sort", "games.pgn", "--out", "no/x"], "error: cannot write 'no/x': "),
        (&["filter", "games.pgn", "--out", "old", "--rejected", "old"], "error: 'old' is given for two outputs"),
        (&["filter", "games.pgn", "--rejected", "x", "--broken", "./x"], "error: './x' is given for two outputs"),
        (&["dedup", "games.pgn", "--out", "x", "--removed", "./x"], "error: './x' is given for two outputs"),
        (&["stats", "--merge", "bad.json"], "error: 'bad.json' is not the output of 'pgn stats --json': missing field"),
    ] {
        let output = pgn(folder, args, b"");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {errors}");
        assert!(errors.lines().last().unwrap_or_default().starts_with(error), "{args:?}: {errors}");
        assert_eq!(output.stdout, b"", "{args:?}");
    }
    assert_eq!(fs::read_to_string(folder.join("old")).unwrap(), "old");
    assert_eq!(names(folder), ["bad.json", "cut.gz", "games.pgn", "old"]);
    for (args, error) in [
        (&["filter", "--player", "/(/"][..], "unclosed group"),
        (&["filter", "--eco", "Z"], "expected ECO codes"),
        (&["filter", "--moves", "e4 e4"], "no legal move matches 'e4'"),
        (&["filter", "--position", "8/8"], "the board has 2 ranks"),
        (&["filter", "--date", "x"], "expected a range of dates"),
        (&["sort", "--by", "size"], "unknown sort key 'size'"),
        (&["split", "--shard", "4/3"], "expected SHARD/SHARDS"),
        (&["split"], "--games <N>"),
        (&["split", "--games", "1", "--out", "x.pgn"], "must contain '{}' exactly once"),
    ] {
        let output = pgn(folder, args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(error), "{args:?}: {}", text(&output.stderr));
    }
}

/// Nothing of such a file is copied, not even before the error.
#[test]
fn a_file_without_games_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    fs::write(folder.join("empty.pgn"), "").unwrap();
    fs::write(folder.join("comment.pgn"), "{nothing was played}\n").unwrap();
    fs::write(folder.join("notes.md"), "# Notes\n\nPlayed [here](x), with `1. e4`.\n".repeat(200)).unwrap();
    for file in ["empty.pgn", "comment.pgn", "notes.md"] {
        for command in ["filter", "sort", "dedup", "stats", "select", "annotate --depth 1", "split --shard 1/1"] {
            for inputs in [vec![file], vec!["games.pgn", file]] {
                let command: Vec<&str> = command.split(' ').collect();
                let output = pgn(folder, &[&command[..], &inputs[..]].concat(), b"");
                let (printed, messages) = (text(&output.stdout), text(&output.stderr));
                let message = format!("error: no games in '{file}'\n");
                assert!(output.status.code() == Some(1) && messages.ends_with(&message), "{command:?} {messages}");
                assert!(!printed.contains("Notes") && !printed.contains("nothing"), "{command:?} {printed}");
            }
        }
        let output = pgn(folder, &["sort", "--out", "out.pgn", file], b"");
        assert!(!output.status.success() && !folder.join("out.pgn").exists());
    }
    let output = pgn(folder, &["stats"], b"");
    assert!(text(&output.stderr).ends_with("error: no games in standard input\n"));

    // Notes before a game are kept.
    let notes = "Games of the club\n\n[White \"a\"]\n\n1. e4 *\n";
    assert_eq!(done(folder, &["filter", "--quiet"], notes).0, notes);
}

#[test]
fn games_are_split() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let (said, _) = done(folder, &["split", "--games", "2"], GAMES);
    assert_eq!(said, "5 games in 3 files\n");
    let parts = ["part-0001.pgn", "part-0002.pgn", "part-0003.pgn"];
    assert_eq!((names(folder), parts.map(read).concat()), (parts.map(str::to_owned).to_vec(), GAMES.to_owned()));

    fs::create_dir(folder.join("s")).unwrap();
    let (said, _) = done(folder, &["split", "--shards", "2", "--out", "s/{}"], GAMES);
    assert_eq!(said, "5 games in 2 files of 2 to 3\n");
    for (shard, name) in [("1/2", "s/1"), ("2/2", "s/2")] {
        let (one, summary) = done(folder, &["split", "--shard", shard, "-"], GAMES);
        assert_eq!((one, summary.ends_with(" of 5 games")), (read(name), true));
    }
    let (one, summary) = done(folder, &["split", "--shard", &format!("2/{}", u32::MAX)], GAMES);
    assert_eq!((games(&one), summary.as_str()), (vec![games(GAMES)[1].clone()], "1 of 5 games"));
    // Equal games are in the same shard.
    let equal = "[White \"a\"]\n\n1. e4 *\n\n1. d4 *\n\n1. c4 *\n\n1. Nf3 *\n\n".repeat(5);
    done(folder, &["split", "--shards", "3", "--by-moves", "--out", "s/m{}"], &equal);
    for number in 1..=3 {
        let games = games(&read(&format!("s/m{number}")));
        assert!(games.len().is_multiple_of(5) && games.chunks(5).all(|same| same.iter().all(|game| *game == same[0])));
    }

    fs::create_dir(folder.join("p")).unwrap();
    let (said, _) = done(folder, &["split", "--by", "player", "--out", "p/{}.pgn", "--memory", "1"], GAMES);
    assert_eq!(said, "5 games in 5 files\n");
    assert_eq!(names(&folder.join("p")), ["Brown.pgn", "Fine.pgn", "Tal, Mikhail.pgn", "Talwar.pgn", "unknown.pgn"]);
    assert_eq!(games(&read("p/Brown.pgn")).len(), 2);
    let (said, _) = done(folder, &["split", "--by", "year", "--out", "p/year-{}"], GAMES);
    assert_eq!((said.as_str(), games(&read("p/year-1999")).len()), ("5 games in 3 files\n", 1));
}

#[test]
fn games_are_sorted() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let events = |args: &[&str]| {
        let args: Vec<&str> = ["sort"].iter().chain(args).copied().collect();
        let (sorted, _) = done(folder, &args, GAMES);
        assert_eq!(games(&sorted), games(GAMES));
        sorted.lines().filter_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]")).collect::<String>()
    };
    assert_eq!(events(&["--by", "date"]), "cdeba");
    assert_eq!(events(&["--by", "date", "--reverse"]), "abcde");
    assert_eq!(events(&["--by", "result,event"]), "daebc");
    assert_eq!(events(&["--by", "white,event", "--reverse"]), "dcabe");
    assert_eq!(events(&["--by", "rating"]), "bcdea");
    assert_eq!(events(&["--by", "plies"]), "dabec");
    fs::write(folder.join("a.pgn"), GAMES).unwrap();
    done(folder, &["sort", "a.pgn", "a.pgn", "--by", "event", "--out", "a.pgn"], "");
    assert_eq!(games(&fs::read_to_string(folder.join("a.pgn")).unwrap()).len(), 10);
    assert_eq!(names(folder), ["a.pgn"]);
}

#[test]
fn duplicates_are_removed() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let text = "[White \"a\"]\n[Black \"x\"]\n\n1. e4 e5 *\n\n\
                [White \"b\"]\n[Black \"x\"]\n[Date \"2020.01.01\"]\n\n1.e2e4 e7e5 {long} *\n\n\
                [White \"a\"]\n[Black \"x\"]\n\n1. e4 *\n\n[FEN \"x\"]\n\n1. e4 *\n\n[FEN \"x\"]\n\n1. e4 *\n\n\
                [White \"a\"]\n[Black \"x\"]\n\n1. e4 e5 2. d4 1-0\n";
    let kept = |args: &[&str]| {
        let args: Vec<&str> = ["dedup", "--removed", "removed"].iter().chain(args).copied().collect();
        let (kept, summary) = done(folder, &args, text);
        let removed = fs::read_to_string(folder.join("removed")).unwrap();
        let mut all = [games(&kept), games(&removed)].concat();
        all.sort();
        assert_eq!(all, games(text));
        (kept, summary)
    };
    let (first, summary) = kept(&[]);
    assert_eq!(summary, "6 games: 5 kept, 1 removed, 2 broken");
    assert!(first.starts_with("[White \"a\"]\n[Black \"x\"]\n\n1. e4 e5 *") && !first.contains("long"));
    let (fullest, summary) = kept(&["--keep", "fullest", "--threads", "2"]);
    assert_eq!(summary, "6 games: 5 kept, 1 removed, 2 broken");
    assert!(!fullest.contains("1. e4 e5 *") && fullest.contains("long"));
    assert_eq!(kept(&["--same-players"]).1, "6 games: 6 kept, 0 removed, 2 broken");
    let (prefix, summary) = kept(&["--same-players", "--prefix"]);
    assert_eq!(summary, "6 games: 4 kept, 2 removed, 2 broken");
    assert!(prefix.contains("2. d4") && prefix.contains("long") && !prefix.contains("1. e4 e5 *"), "{prefix}");
    // Standard input and files together.
    fs::write(folder.join("a.pgn"), text).unwrap();
    let (_, summary) = done(folder, &["dedup", "a.pgn", "-", "--keep", "fullest"], text);
    assert_eq!(summary, "12 games: 7 kept, 5 removed, 4 broken");
}

/// Games without moves, such as forfeits, are not duplicates of each other, unless the players are the same.
#[test]
fn games_without_moves_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = [("a", "b"), ("c", "d"), ("a", "b"), ("?", "?"), ("?", "?")]
        .map(|(white, black)| format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1-0\n\n"))
        .concat();
    for (args, count) in [
        (&["dedup"][..], 5),
        (&["dedup", "--keep", "fullest"], 5),
        (&["dedup", "--same-players"], 4),
        (&["filter", "--no-duplicates"], 5),
        (&["filter", "--no-duplicates", "--same-players"], 4),
    ] {
        assert_eq!(games(&done(folder.path(), args, &text).0).len(), count, "{args:?}");
    }
}

#[test]
fn statistics_of_parts_add_up() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let openings = fs::read_to_string(testdata("examples/openings.pgn")).unwrap();
    fs::write(folder.join("all.pgn"), format!("{GAMES}\n{openings}")).unwrap();
    done(folder, &["split", "all.pgn", "--shards", "3"], "");
    let mut parts = Vec::new();
    for shard in 1..=3 {
        let (json, _) = done(folder, &["stats", &format!("part-{shard}.pgn"), "--json"], "");
        let name = format!("{shard}.json");
        fs::write(folder.join(&name), json).unwrap();
        parts.push(name);
    }
    let parts: Vec<&str> = ["stats", "--json", "--merge"].into_iter().chain(parts.iter().map(String::as_str)).collect();
    let (merged, _) = done(folder, &parts, "");
    let (whole, _) = done(folder, &["stats", "all.pgn", "--json", "--threads", "2"], "");
    assert_eq!(merged, whole);
    let json: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!((&json["games"], &json["results"]["white"]), (&41.into(), &2.into()));
    let (shown, _) = done(folder, &["stats", "all.pgn", "--top", "3", "--classify"], "");
    let results = "1-0 2, 1/2-1/2 1, 0-1 1, * 37; White scores 62.5 %";
    assert!(shown.starts_with(&format!("41 games, 0 broken, 4 players\n{results}\n")), "{shown}");
}

/// Games of different files are kept apart, and a byte order mark is kept only at the beginning.
#[test]
fn joined_files_are_one() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    fs::write(folder.join("a"), "\u{feff}[Event \"2\"]\n\n1. e4 *").unwrap();
    fs::write(folder.join("b"), "\u{feff}[Event \"1\"]\n\n1. d4 1-0").unwrap();
    for (args, events) in [
        (&["filter", "a", "b"][..], ["2", "1"]),
        (&["sort", "a", "b", "--by", "event"], ["1", "2"]),
        (&["dedup", "a", "b", "--keep", "fullest"], ["2", "1"]),
        (&["split", "a", "b", "--shard", "1/1"], ["2", "1"]),
    ] {
        let (joined, _) = done(folder, args, "");
        let games: Vec<_> = PgnReader::new(joined.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(games.iter().map(|game| game.tag("Event").unwrap()).collect::<Vec<_>>(), events, "{args:?}");
        assert!(joined.starts_with('\u{feff}') && joined.matches('\u{feff}').count() == 1, "{args:?}");
    }
}

/// An interrupted run leaves nothing, and old files are kept.
#[cfg(unix)]
#[test]
fn an_interruption_leaves_the_old_files() {
    for args in [
        &["filter", "--player", "tal", "--out", "out", "--rejected", "rejected"][..],
        &["sort", "--memory", "1", "--out", "out"],
        &["dedup", "--out", "out"],
        &["dedup", "--keep", "fullest", "--out", "out"],
        &["split", "--shards", "3", "--out", "out{}"],
        &["split", "--by", "event", "--memory", "1", "--out", "out{}"],
        &["stats"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("out"), "old").unwrap();
        let mut command = Command::new(TOOLS);
        command.arg("pgn").args(args).current_dir(folder.path()).stdout(Stdio::null());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let games = GAMES.repeat(3_000);
        // The program has read something, so its handler is installed.
        input.write_all(games.as_bytes()).unwrap();
        let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(signalled.success());
        // More than pipes and chunks hold: the program must have ended before everything is written.
        let written = (0..1_000).try_for_each(|_| input.write_all(games.as_bytes()));
        assert!(written.is_err(), "{args:?}");
        let output = child.wait_with_output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{args:?}: {message}");
        assert!(message.lines().last().unwrap().starts_with("error: interrupted "), "{args:?}: {message}");
        assert_eq!(fs::read_to_string(folder.path().join("out")).unwrap(), "old");
        assert_eq!(names(folder.path()), ["out"], "{args:?}");
    }
}

/// Each takes linear time and at most one game, and every text arrives where it belongs.
#[test]
fn hostile_input_is_survived() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let good = "[Event \"good\"]\n[White \"R\u{e9}ti\"]\n\n1. Nf3 *\n\n";
    for (name, bad) in [
        ("a long line", format!("1. e4 {{{}}} e5 *\n\n", "word ".repeat(1 << 20))),
        ("variations", format!("1. e4 {} *\n\n", "(".repeat(1 << 20))),
        ("closed variations", format!("1. e4 {}1. d4{} *\n\n", "(".repeat(1 << 18), ")".repeat(1 << 18))),
        ("a long tag", format!("[White \"{}\"]\n\n1. e4 *\n\n", "x".repeat(3 << 20))),
        ("many tags", format!("{}\n1. e4 *\n\n", "[A \"b\"]\n".repeat(1 << 17))),
        ("different tags", {
            let tags: String = (0..1 << 17).map(|number| format!("[A{number} \"b\"]\n")).collect();
            format!("{tags}\n1. e4 *\n\n")
        }),
        ("NUL", format!("[White \"a\0b\"]\n\n1. e4{} e5 *\n\n", "\0".repeat(1 << 16))),
        ("a long game", format!("1. e4 {}*\n\n", "Nf6 ".repeat(17 << 18))),
    ] {
        let mut input = good.as_bytes().to_vec();
        input.extend_from_slice(format!("[Event \"bad\"]\n{bad}").as_bytes());
        input.extend_from_slice(b"[Event \"good\"]\n[White \"R\xe9ti\"]\n\n1. Nf3 *\n\n");
        fs::write(folder.join("in"), &input).unwrap();
        let run = |args: &[&str]| {
            let output = pgn(folder, args, b"");
            assert!(output.status.success(), "{name} {args:?}: {}", text(&output.stderr));
            fs::read(folder.join("out")).unwrap()
        };
        assert!(run(&["filter", "in", "--out", "out"]) == input, "{name}");
        let found = run(&["filter", "in", "--player", "r\u{e9}ti", "--check", "--out", "out", "--rejected", "rest"]);
        assert_eq!(PgnReader::new(found.as_slice()).count(), 2, "{name}");
        assert_eq!(found.len() + fs::read(folder.join("rest")).unwrap().len(), input.len(), "{name}");
        assert!(run(&["sort", "in", "--by", "tag:None,plies", "--memory", "1", "--out", "out"]).len() == input.len());
        assert_eq!(
            run(&["dedup", "in", "--keep", "fullest", "--prefix", "--out", "out"]).len(),
            input.len() - good.len() + 1
        );
        if name == "a long game" {
            // Its parts have been seen to stay together.
            continue;
        }
        run(&["split", "in", "--by", "white", "--out", "{}"]);
        run(&["filter", "in", "--no-comments", "--out", "out"]);
        let bare = run(&["filter", "in", "--strip-tags", "--out", "out"]);
        assert_eq!(PgnReader::new(bare.as_slice()).count(), 3, "{name}");
        let (stats, _) = done(folder, &["stats", "in"], "");
        assert!(stats.starts_with("3 games, "), "{name}: {stats}");
    }
}

/// Games of files that end with one line end, or none, are separated by an empty line. Table lines are not.
#[test]
fn games_of_different_files_are_separated() {
    for end in ["", "\n", "\r\n", "\n\n"] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (name, mv) in [("a", "d4"), ("b", "e4"), ("c", "c4")] {
            fs::write(folder.join(name), format!("[Event \"{name}\"]\n\n1. {mv} *{end}")).unwrap();
        }
        for command in
            [&["dedup", "a", "b", "c"][..], &["sort", "c", "b", "a", "--by", "event"], &["filter", "a", "b", "c"]]
        {
            let (joined, _) = done(folder, command, "");
            assert_eq!(joined.replace('\r', "").matches("*\n\n[Event").count(), 2, "{command:?} {end:?}: {joined:?}");
        }
        let (table, _) = done(folder, &["filter", "a", "b", "c", "--csv"], "");
        assert!(table.lines().count() == 4 && !table.contains("\n\n"), "{table}");
    }
}

/// Games with tags, comments and faults.
fn collection() -> impl Strategy<Value = String> {
    let tags = prop::sample::select(&["[White \"a\"]\n", "[White \"b\"]\n[Date \"2020.01.01\"]\n", ""][..]);
    let moves = prop::sample::select(
        &["1. e4 e5 *", "1. d4 {x\n\ny} 1-0", "1. e4 Ke7 *", "1. e4 (1. c4 *", "1. c4\n; note\n1/2-1/2", "*"][..],
    );
    let end = prop::sample::select(&["\n\n", "\n", "\r\n\r\n\r\n"][..]);
    let game = (tags, moves, end).prop_map(|(tags, moves, end)| format!("[Event \"x\"]\n{tags}\n{moves}{end}"));
    prop::collection::vec(game, 1..12).prop_map(|games| games.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Parts add up to the whole, sorted games are the same games, and those taken and rejected are all.
    #[test]
    fn round_trips(text in collection(), size in 1_usize..5) {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        fs::write(folder.join("in"), &text).unwrap();
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        done(folder, &["split", "in", "--games", &size.to_string(), "--out", "part-{}"], "");
        let parts: Vec<String> = names(folder).into_iter().filter(|name| name.starts_with("part-")).collect();
        prop_assert_eq!(parts.iter().map(|name| read(name)).collect::<String>(), text.clone());
        done(folder, &["sort", "in", "--by", "white,plies", "--out", "sorted"], "");
        prop_assert_eq!(games(&read("sorted")), games(&text));
        done(folder, &["filter", "in", "--moves", "e4", "--out", "yes", "--rejected", "no", "--threads", "2"], "");
        let mut all = [games(&read("yes")), games(&read("no"))].concat();
        all.sort();
        prop_assert_eq!(all, games(&text));
    }
}
