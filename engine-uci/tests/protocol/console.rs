//! The console through a pipe: interactive commands must not disturb a GUI.

use crate::support::Engine;
use bartizan_testkit::SEARCH;

#[test]
fn eval_explains_the_position() {
    let mut engine = Engine::with_options(&[("Evaluation", "classical")]);
    engine.send("position fen 8/5pk1/6p1/3P3p/1r5P/5PK1/6P1/3R4 w - - 0 40");
    engine.send("eval");
    let lines = engine.until_ready();
    assert!(lines[0].starts_with("Static evaluation: +"), "{lines:?}");
    assert!(lines.iter().any(|line| line.ends_with("  White's pawn on d5 is passed")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("passed pawns   |")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("5 |       |       |       |   P   |")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains('\x1b')), "colours in a pipe: {lines:?}");
    engine.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    engine.send("EVAL");
    assert_eq!(
        engine.until_ready(),
        ["Static evaluation: none (the side to move is in check)", "", "Final evaluation: none (in check)"]
    );
}

/// Clients written for Stockfish read this line and the empty one after it: the value that searches use, from White's
/// view, whoever is to move.
#[test]
fn the_final_evaluation_comes_last() {
    for evaluation in ["combined", "network", "classical"] {
        let mut engine = Engine::with_options(&[("Evaluation", evaluation)]);
        for (fen, is_white_better) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", false),
            ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQk - 0 1", true),
        ] {
            engine.send(&format!("position fen {fen}\neval"));
            let lines = engine.until_ready();
            let [.., last, empty] = &lines[..] else { panic!("{lines:?}") };
            let value = last.strip_prefix("Final evaluation ").and_then(|text| text.strip_suffix(" (white side)"));
            let value: f64 = value.unwrap_or_else(|| panic!("{lines:?}")).parse().unwrap();
            assert!(empty.is_empty() && (value > 1.0) == is_white_better && value.abs() > 1.0, "{evaluation}: {last}");
        }
    }
}

/// For a file of positions, too, it is the value of searches that counts, with each evaluation.
#[test]
fn eval_of_a_file_shows_the_value_of_searches() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.epd");
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    std::fs::write(&path, format!("{fen}\n8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\n")).unwrap();
    let mut shown = Vec::new();
    for evaluation in ["combined", "network", "classical"] {
        let mut engine = Engine::with_options(&[("Evaluation", evaluation)]);
        engine.send(&format!("position fen {fen}\neval"));
        let first = engine.until_ready().swap_remove(0);
        let (_, value) = first.rsplit_once("in the units of the search: ").unwrap();
        let value: i32 = value.split_once(')').unwrap().0.parse().unwrap();
        engine.send(&format!("eval {}", path.display()));
        let lines = engine.until_ready();
        assert_eq!(lines[0], format!("{value:>8} {value:>8}  {fen}"), "{evaluation}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("Term ")).count(), 2, "{lines:?}");
        let known = "The value comes from endgame knowledge; the terms below do not count.";
        assert_eq!(lines.iter().filter(|line| *line == known).count(), 1, "{lines:?}");
        shown.push(value);
    }
    assert!(shown[0] != shown[1] && shown[1] != shown[2], "{shown:?}");
}

/// The last line of `bench` but one is Stockfish's, for clients that read it.
#[test]
fn bench_prints_nodes_per_second() {
    let mut engine = Engine::ready();
    engine.send("bench 1 1 1 default depth mixed");
    let lines = engine.until_ready();
    let [.., speed, last] = &lines[..] else { panic!("{lines:?}") };
    let speed = speed.strip_prefix("Nodes/second    : ").unwrap_or_else(|| panic!("{lines:?}"));
    assert!(last.ends_with(&format!(" nodes {speed} nps")), "{lines:?}");
}

#[test]
fn commands_wait_for_the_position_before_them() {
    let mut engine = Engine::ready();
    engine.send("go movetime 200\nd\nposition fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nd\neval\nperft 1\nversion");
    let start = engine.wait_for("Fen: ", SEARCH);
    assert!(start.last().unwrap().contains("rnbqkbnr/pppppppp"), "{start:?}");
    let lines = engine.wait_for("Fen: ", SEARCH);
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert!(lines.last().unwrap().contains("4k3/8/8/8/8/8/4P3/4K3 w"), "{lines:?}");
    engine.wait_for("Static evaluation: +", SEARCH);
    engine.wait_for("Nodes searched: 6", SEARCH);
    engine.until_ready();
}

#[test]
fn moves_are_taken_back_and_games_begun() {
    let mut engine = Engine::ready();
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("undo");
    assert!(engine.until_ready().iter().any(|line| line.starts_with("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/")));
    engine.send("New");
    assert!(engine.until_ready().iter().any(|line| line.starts_with("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/")));
    engine.send("undo");
    assert_eq!(engine.until_ready(), ["info string error: undo: no move to take back"]);
}

#[test]
fn console_commands_ignore_case() {
    let mut engine = Engine::ready();
    for command in ["Help", "HELP", "?", "Version", "D"] {
        engine.send(command);
        let lines = engine.until_ready();
        assert!(!lines.is_empty() && !lines[0].starts_with("info string"), "{command}: {lines:?}");
    }
}

#[test]
fn unknown_words_get_a_suggestion() {
    let mut engine = Engine::ready();
    for (word, meant) in [("pertf 3", "perft"), ("Bnech", "bench"), ("isredy", "isready"), ("psoition", "position")] {
        engine.send(word);
        let lines = engine.until_ready();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("info string error: "), "{lines:?}");
        assert!(lines[0].ends_with(&format!("; did you mean '{meant}'?")), "{lines:?}");
    }
    for (word, meant) in [
        ("plya", "play"),
        ("reveiw", "review"),
        ("evaluate", "eval"),
        ("Explain d4", "eval"),
        ("analyse", "go infinite"),
        ("hint", "go movetime 1000"),
    ] {
        engine.send(word);
        let lines = engine.until_ready();
        assert!(lines[0].ends_with(&format!("; did you mean '{meant}'?")), "{lines:?}");
    }
    engine.send("play");
    assert!(engine.until_ready()[0].ends_with("; enter quit and start `bartizan play` for a game"));
    engine.send("Review game.pgn");
    assert!(engine.until_ready()[0].ends_with("; enter quit and run `bartizan review GAME.pgn`"));
    engine.send("xyzzyx");
    assert!(!engine.until_ready()[0].contains("did you mean"));
}

#[test]
fn a_move_through_a_pipe_is_not_played() {
    let mut engine = Engine::ready();
    let before = engine.shown();
    engine.send("e4");
    assert!(engine.until_ready()[0].starts_with("info string error: unknown command"));
    assert_eq!(engine.shown(), before);
}

#[test]
fn a_loaded_game_says_who_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let pgn = "[Event \"World Championship\"]\n[Site \"?\"]\n[Date \"1972.07.11\"]\n[Round \"1\"]\n\
        [White \"Spassky\"]\n[Black \"Fischer\"]\n[Result \"1-0\"]\n\n1. d4 Nf6 2. c4 1-0\n\n1. e4 *\n";
    std::fs::write(&path, pgn).unwrap();
    let mut engine = Engine::ready();
    engine.send(&format!("loadgame {}", path.display()));
    let lines = engine.until_ready();
    assert_eq!(lines[0], "Spassky - Fischer, World Championship, 1972.07.11, 1-0 (2 moves)");
    engine.send(&format!("loadgame {} 2", path.display()));
    assert_eq!(engine.until_ready()[0], "? - ?, * (1 move)");
    engine.send(&format!("loadgame {} 0", path.display()));
    assert_eq!(engine.until_ready(), ["info string error: loadgame: '0' is not the number of a game, from 1"]);
}

#[test]
fn a_suite_skips_bad_lines_and_shows_the_expected_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    let mate = "k7/8/1K6/8/8/8/8/7R w - -";
    std::fs::write(&path, format!("{mate} bm Rh9; id \"bad\";\n{mate} am Rh8#; id \"two\";\nrubbish\n")).unwrap();
    let mut engine = Engine::ready();
    engine.send(&format!("test {} -d 2", path.display()));
    let lines = engine.wait_for("solved 0 of 1", SEARCH);
    let skipped: Vec<&String> = lines.iter().filter(|line| line.starts_with("skipped: ")).collect();
    assert!(skipped.len() == 2 && skipped[0].contains("line 1") && skipped[1].contains("line 3"), "{lines:?}");
    assert!(lines.contains(&"1 two: Rh8# NOT solved, expected am Rh8#".to_owned()), "{lines:?}");
}

#[test]
fn text_of_files_controls_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let [suite, pgn] = ["suite.epd", "games.pgn"].map(|name| folder.path().join(name).display().to_string());
    std::fs::write(&suite, "k7/8/1K6/8/8/8/8/7R w - - bm Rh8; id \"a\x1b[2Jb\u{202e}\";\n\x1b[2J\n").unwrap();
    std::fs::write(&pgn, "[White \"a\u{9b}2Jb\u{202e}\"]\n\n1. d4 *\n").unwrap();
    let mut engine = Engine::ready();
    engine.send(&format!("test {suite} -d 2"));
    let mut lines = engine.wait_for("solved 1 of 1", SEARCH);
    for command in
        [format!("loadgame {pgn}"), format!("loadgame {suite}"), "test \x1b[2J".to_owned(), "\x1b[2J".to_owned()]
    {
        engine.send(&command);
        lines.extend(engine.until_ready());
    }
    assert!(!lines.iter().any(|line| line.contains(|c: char| c.is_control() || c == '\u{202e}')), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("1 a") && line.contains("b\\u202e: ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("b\\u202e - ?, * (1 move)")), "{lines:?}");
}
