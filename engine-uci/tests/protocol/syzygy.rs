//! Endgame tables.

use crate::support::{Engine, Score};
use bartizan_testkit::{SEARCH, testdata};
use std::fs;
use std::path::Path;

fn tables() -> String {
    testdata("syzygy").to_str().unwrap().to_owned()
}

/// The messages about a path, with no other output.
fn told(engine: &mut Engine, path: &str) -> Vec<String> {
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    let lines = engine.until_ready();
    assert!(lines.iter().all(|line| line.starts_with("info string ")), "{lines:?}");
    lines.iter().map(|line| line.trim_start_matches("info string ").to_owned()).collect()
}

fn copy(name: &str, folder: &Path) {
    for extension in ["rtbw", "rtbz"] {
        let file = format!("{name}.{extension}");
        fs::copy(testdata("syzygy").join(&file), folder.join(&file)).unwrap();
    }
}

#[test]
fn the_options_are_declared() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.wait_until("uciok", SEARCH, |line| line == "uciok");
    for declaration in [
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
        "option name TablePath type string default <empty>",
    ] {
        assert!(lines.iter().any(|line| line == declaration), "{declaration}: {lines:?}");
    }
}

#[test]
fn a_path_says_what_was_found() {
    let mut engine = Engine::ready();
    let lines = told(&mut engine, &tables());
    assert_eq!(lines[0], "found 11 WDL and 10 DTZ tablebase files with up to 4 pieces");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].starts_with("of 60 tablebase files with 4 pieces, these are missing: KQvKQ.rtbw,"), "{lines:?}");
    assert!(lines[1].ends_with(" and 43 more"), "{lines:?}");
    // The same path again changes nothing.
    assert_eq!(told(&mut engine, &tables()), [""; 0]);
    assert_eq!(told(&mut engine, "<empty>"), [""; 0]);
    // Several folders, with two separators.
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy("KQvK", one.path());
    copy("KRvK", two.path());
    for separator in if cfg!(windows) { &[";"][..] } else { &[";", ":", " ; "] } {
        let path = format!("{}{separator}{}", one.path().display(), two.path().display());
        let lines = told(&mut engine, &path);
        assert_eq!(lines[0], "found 2 WDL and 2 DTZ tablebase files with up to 3 pieces", "{path}");
        told(&mut engine, "<empty>");
    }
}

#[test]
fn scores_of_the_tables() {
    let mut engine = Engine::with_options(&[("UCI_ShowWDL", "true")]);
    told(&mut engine, &tables());
    for (fen, score, wdl) in [
        ("8/8/8/3K4/8/8/R7/4k3 w - - 0 1", 20_000, [1000, 0, 0]),
        ("8/8/8/3K4/8/8/R7/4k3 b - - 0 1", -20_000, [0, 0, 1000]),
        ("8/8/8/3K4/8/8/B7/4k3 w - - 0 1", 0, [0, 1000, 0]),
    ] {
        engine.send(&format!("position fen {fen}"));
        let search = engine.go("go depth 1");
        let last = search.infos.iter().rfind(|info| info.is_exact_pv()).unwrap();
        if last.score.is_some_and(|score| !matches!(score, Score::Mate(_))) {
            assert_eq!(last.score, Some(Score::Cp(score)), "{fen}");
        }
        assert_eq!(last.wdl, Some(wdl), "{fen}");
    }
    // Before the trade: two plies from the root.
    engine.send("position fen 8/8/8/4k3/4P3/8/8/K6R b - - 0 1");
    let search = engine.go("go depth 3 searchmoves e5e4");
    let last = search.infos.last().unwrap();
    assert_eq!((last.score, last.wdl), (Some(Score::Cp(-19_999)), Some([0, 0, 1000])));
    assert!(last.tbhits.unwrap() > 0);
}

#[test]
fn the_clock_decides_unless_the_rule_is_off() {
    let mut engine = Engine::with_options(&[("UCI_ShowWDL", "true")]);
    told(&mut engine, &tables());
    engine.send("position fen 8/8/8/3K4/8/8/R7/4k3 w - - 95 100");
    let last = |engine: &mut Engine| {
        let search = engine.go("go depth 2");
        let info = search.infos.last().unwrap();
        (info.score.unwrap().worth(), info.wdl.unwrap())
    };
    let (score, wdl) = last(&mut engine);
    assert!((1..=100).contains(&score), "{score}");
    assert_eq!(wdl, [0, 1000, 0]);
    engine.send("setoption name Syzygy50MoveRule value false");
    assert_eq!(last(&mut engine), (20_000, [1000, 0, 0]));
    engine.send("setoption name Syzygy50MoveRule value true");
    assert_eq!(last(&mut engine).1, [0, 1000, 0]);
}

#[test]
fn the_limit_and_an_empty_path_turn_the_tables_off() {
    let mut engine = Engine::ready();
    told(&mut engine, &tables());
    let hits = |engine: &mut Engine| {
        engine.send("position fen 8/8/8/3K4/8/8/R7/4k3 w - - 0 1");
        engine.go("go depth 3").infos.last().unwrap().tbhits.unwrap()
    };
    assert!(hits(&mut engine) > 0);
    engine.send("setoption name SyzygyProbeLimit value 2");
    assert_eq!(hits(&mut engine), 0);
    engine.send("setoption name SyzygyProbeLimit value 3");
    assert!(hits(&mut engine) > 0);
    engine.send("setoption name SyzygyPath value <empty>");
    assert_eq!(hits(&mut engine), 0);
}

#[test]
fn what_cannot_be_used_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    ["KQvK", "KRvK", "KPvK"].into_iter().for_each(|name| copy(name, folder.path()));
    // Truncated, and damaged.
    let file = |name: &str| folder.path().join(name);
    let mut bytes = fs::read(file("KQvK.rtbw")).unwrap();
    fs::write(file("KQvK.rtbw"), &bytes[..100]).unwrap();
    bytes = fs::read(file("KRvK.rtbz")).unwrap();
    bytes[0] ^= 1;
    fs::write(file("KRvK.rtbz"), &bytes).unwrap();

    let mut engine = Engine::ready();
    let nowhere = folder.path().join("nowhere");
    let lines = told(&mut engine, &format!("{};{}", nowhere.display(), folder.path().display()));
    let warning = |start: &str, end: &str| {
        let found = lines.iter().filter(|line| line.starts_with(start) && line.contains(end));
        assert_eq!(found.count(), 1, "{start}: {lines:?}");
    };
    warning("warning: cannot read tablebase folder '", "nowhere': ");
    warning("warning: damaged tablebase file '", "KQvK.rtbw': invalid file size");
    warning("found 2 WDL and 3 DTZ", "");
    warning("of 10 tablebase files with 3 pieces, these are missing: KQvK.rtbw, ", "KBvK.rtbw");

    let mut complaints = 0;
    for _ in 0..3 {
        engine.send("position fen 8/8/8/3K4/8/8/R7/4k3 w - - 0 1\ngo depth 4");
        let lines = engine.wait_until("a move", SEARCH, |line| line.starts_with("bestmove"));
        complaints += lines.iter().filter(|line| line.contains("KRvK.rtbz': invalid magic number")).count();
    }
    assert_eq!(complaints, 1);
}

/// Options may change between the moves of a game, and with several threads.
#[test]
fn tables_come_and_go_during_a_game() {
    let mut engine = Engine::with_options(&[("Threads", "3")]);
    let start = "position fen 8/2p5/8/KP5r/8/8/8/6k1 w - - 0 1";
    engine.send(start);
    let mut moves = String::new();
    for ply in 0..8 {
        let path = if ply % 2 == 0 { tables() } else { "<empty>".to_owned() };
        engine.send(&format!("setoption name SyzygyPath value {path}"));
        engine.send(&format!("setoption name Syzygy50MoveRule value {}", ply % 3 == 0));
        engine.send(&format!("setoption name SyzygyProbeDepth value {}", 1 + ply));
        engine.send(&format!("{start} moves{moves}"));
        let best = engine.go("go nodes 20000").best;
        if best == "(none)" {
            break;
        }
        moves = format!("{moves} {best}");
    }
}

/// Distances to mate from tables: exact scores, and the ending explained in the console.
#[test]
fn distances_to_mate_are_used_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let mut generator = bartizan_dtm::Generator::new(folder.path(), 1);
    generator.generate(&"KQK".parse().unwrap(), &bartizan_dtm::StopFlag::new(), &|_| ()).unwrap();
    let mut engine = Engine::start();
    engine.send("advise");
    engine.wait_until("a reason", SEARCH, |line| line.contains("advise: no endgame tables"));
    engine.send(&format!("setoption name TablePath value {}", folder.path().display()));
    engine
        .wait_until("the tables", SEARCH, |line| line.contains("found 1 distance-to-mate tables with up to 3 pieces"));
    engine.send("position fen 8/8/8/3k4/8/8/3K4/3Q4 w - - 0 1\ngo depth 4");
    let lines = engine.wait_for("bestmove", SEARCH);
    assert!(lines.iter().any(|line| line.contains("score mate 7")), "{lines:?}");
    engine.send("advise");
    engine.wait_until("advice", SEARCH, |line| {
        line == "White to move and win: mate in 7 moves. The 50-move rule changes nothing."
    });
    engine.send("setoption name TablePath value /no/such/folder");
    engine.wait_until("a warning", SEARCH, |line| line.contains("/no/such/folder"));
    // An unreadable folder does not disable the others.
    engine.send(&format!("setoption name TablePath value /no/such/folder;{}", folder.path().display()));
    let lines = engine
        .wait_until("the tables", SEARCH, |line| line.contains("found 1 distance-to-mate tables with up to 3 pieces"));
    engine.send("isready");
    let more = engine.wait_for("readyok", SEARCH);
    assert!(lines.iter().chain(&more).any(|line| line.contains("/no/such/folder")), "{lines:?} {more:?}");
    engine.send("go depth 4");
    let lines = engine.wait_for("bestmove", SEARCH);
    assert!(lines.iter().any(|line| line.contains("score mate 7")), "{lines:?}");
}

/// Setting a path again reopens its tables after one of them has failed.
#[test]
fn repaired_tables_are_used_when_their_path_is_set_again() {
    let folder = tempfile::tempdir().unwrap();
    copy("KRvK", folder.path());
    bartizan_dtm::Generator::new(folder.path(), 1)
        .generate(&"KRK".parse().unwrap(), &bartizan_dtm::StopFlag::new(), &|_| ())
        .unwrap();
    let files = ["KRvK.rtbz", "KRK.dtm"].map(|name| folder.path().join(name));
    let whole = files.clone().map(|file| fs::read(file).unwrap());
    for (file, bytes) in files.iter().zip(&whole) {
        let mut bytes = bytes.clone();
        bytes[0] ^= 1;
        fs::write(file, bytes).unwrap();
    }
    let mut engine = Engine::ready();
    let set = |engine: &mut Engine| -> Vec<String> {
        ["SyzygyPath", "TablePath"]
            .iter()
            .flat_map(|option| {
                engine.send(&format!("setoption name {option} value {}", folder.path().display()));
                engine.until_ready()
            })
            .filter(|line| line.contains("found "))
            .collect()
    };
    assert_eq!(set(&mut engine).len(), 2);
    engine.send("position fen 8/8/8/3k4/8/8/3K4/3R4 w - - 0 1\ngo depth 4");
    let lines = engine.wait_for("bestmove", SEARCH);
    for name in ["KRvK.rtbz", "KRK.dtm"] {
        assert!(lines.iter().any(|line| line.contains(name)), "{name}: {lines:?}");
    }
    for (file, bytes) in files.iter().zip(&whole) {
        fs::write(file, bytes).unwrap();
    }
    // Other options do not affect the tables.
    engine.send("setoption name MultiPV value 2\nsetoption name MultiPV value 1");
    assert_eq!(engine.until_ready(), [""; 0]);
    let found = set(&mut engine);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(set(&mut engine), [""; 0]);
    engine.send("go depth 4");
    let lines = engine.wait_for("bestmove", SEARCH);
    assert!(lines.iter().any(|line| line.contains("score mate 12")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("KR")), "{lines:?}");
}

/// Tables that only `advise` has found to be damaged count as failed too.
#[test]
fn tables_that_advise_found_damaged_are_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    copy("KRvK", folder.path());
    bartizan_dtm::Generator::new(folder.path(), 1)
        .generate(&"KRK".parse().unwrap(), &bartizan_dtm::StopFlag::new(), &|_| ())
        .unwrap();
    let mut engine = Engine::ready();
    engine.send("position fen 8/8/8/3k4/8/8/3K4/3R4 w - - 0 1");
    for (option, name) in [("SyzygyPath", "KRvK.rtbw"), ("TablePath", "KRK.dtm")] {
        let file = folder.path().join(name);
        let whole = fs::read(&file).unwrap();
        let mut bytes = whole.clone();
        bytes[0] ^= 1;
        fs::write(&file, bytes).unwrap();
        let set = |engine: &mut Engine| {
            engine.send(&format!("setoption name {option} value {}", folder.path().display()));
            engine.until_ready().iter().any(|line| line.contains("found "))
        };
        assert!(set(&mut engine));
        // Nothing has failed yet.
        assert!(!set(&mut engine));
        engine.send("advise");
        engine.wait_until("the fault", SEARCH, |line| line.contains("advise: ") && line.contains(name));
        fs::write(&file, whole).unwrap();
        assert!(set(&mut engine), "{option}");
        engine.send("advise");
        engine.wait_until("advice", SEARCH, |line| line.starts_with("White to move and win"));
        engine.until_ready();
    }
}
