//! `analyze` and the commands that work in it.

use crate::support::{Engine, SEARCH, game, thinking};
use bartizan_engine::{Limits, MaterialCount, shown};
use std::time::Instant;

fn analysing() -> Engine {
    let mut engine = Engine::ready();
    engine.send("post\nanalyze");
    thinks(&mut engine);
    engine
}

/// Waits for a line of thinking and returns its first move.
#[track_caller]
fn thinks(engine: &mut Engine) -> String {
    let lines = engine.wait_until("a line of thinking", SEARCH, |line| thinking(line).is_some());
    let line = thinking(lines.last().unwrap()).unwrap();
    line.moves.split(' ').next().unwrap().to_owned()
}

#[track_caller]
fn leave(mut engine: Engine) {
    engine.send("exit");
    engine.sync();
    engine.tell("usermove @@@@\nundo");
}

#[test]
fn it_never_moves() {
    let mut engine = analysing();
    engine.expect_silence(|line| line.starts_with("move"));
    engine.send("?\ngo");
    let lines = engine.sync();
    assert!(lines.contains(&"Error (analysing): go".to_owned()), "{lines:?}");
    assert!(!lines.iter().any(|line| line.starts_with("move")), "{lines:?}");
    leave(engine);
}

#[test]
fn it_continues_after_moves_undo_new_and_setboard() {
    let mut engine = analysing();
    for (command, fen) in [
        ("usermove e2e4", game("e2e4").position().to_fen()),
        ("e7e5", game("e2e4 e7e5").position().to_fen()),
        ("undo", game("e2e4").position().to_fen()),
        ("remove", game("").position().to_fen()),
        ("setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned()),
        ("usermove @@@@", "4k3/8/8/8/8/8/4P3/4K3 b - - 1 1".to_owned()),
        ("new", game("").position().to_fen()),
    ] {
        engine.send(command);
        engine.sync();
        if command == "remove" {
            // One move was left to take back. The second is an error, and the analysis continues.
            engine.send("undo");
            engine.sync();
        }
        assert_eq!(engine.fen(), fen, "{command}");
        thinks(&mut engine);
    }
    leave(engine);
}

#[test]
fn an_illegal_move_does_not_disturb_it() {
    let mut engine = analysing();
    engine.send("usermove e2e5");
    let lines = engine.sync();
    assert!(lines.contains(&"Illegal move: e2e5".to_owned()), "{lines:?}");
    thinks(&mut engine);
    leave(engine);
}

#[test]
fn a_refused_position_stops_it_until_the_next() {
    let mut engine = analysing();
    engine.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1");
    engine.wait_for("tellusererror Illegal position");
    engine.sync();
    engine.expect_silence(|line| thinking(line).is_some());
    engine.send("setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    thinks(&mut engine);
    leave(engine);
}

#[test]
fn the_dot_shows_the_progress() {
    let mut engine = analysing();
    engine.wait_until("stat01", SEARCH, |line| thinking(line).is_some_and(|line| line.ply >= 5));
    engine.send(".");
    let line = engine.wait_for("stat01: ").pop().unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words.len(), 7, "{line}");
    let numbers: Vec<u64> = words[1..6].iter().map(|word| word.parse().unwrap()).collect();
    assert!(numbers[2] >= 5 && numbers[3] <= numbers[4] && numbers[4] == 20, "{line}");
    leave(engine);
}

/// The node count of `.` is the current one, not that of the last line of thinking.
#[test]
fn the_dot_counts_the_nodes_so_far() {
    let mut engine = Engine::ready();
    engine.send("post\nanalyze");
    let mut thought = Vec::new();
    let deadline = Instant::now() + SEARCH;
    loop {
        assert!(Instant::now() < deadline, "the nodes are always those of a line");
        engine.send(".");
        let mut lines = engine.wait_for("stat01: ");
        let status = lines.pop().unwrap();
        let nodes = |line: &str, index| line.split([' ', '\t']).nth(index).and_then(|word| word.parse::<u64>().ok());
        thought.extend(lines.iter().filter_map(|line| nodes(line, 3)));
        let nodes = nodes(&status, 2).unwrap();
        if nodes > 0 && !thought.contains(&nodes) {
            break;
        }
    }
    leave(engine);
}

#[test]
fn moves_can_be_excluded_and_included() {
    let mut engine = Engine::ready();
    engine.tell("setboard r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    engine.send("analyze");
    assert_eq!(thinks(&mut engine), "Qxf7#");
    engine.send("exclude f3f7");
    engine.sync();
    assert_ne!(thinks(&mut engine), "Qxf7#");
    engine.send("include f3f7");
    engine.sync();
    assert_eq!(thinks(&mut engine), "Qxf7#");
    engine.send("exclude all");
    engine.sync();
    engine.expect_silence(|line| thinking(line).is_some());
    engine.send("include a2a3");
    engine.sync();
    assert_eq!(thinks(&mut engine), "a3");
    engine.send("include all");
    engine.sync();
    assert_eq!(thinks(&mut engine), "Qxf7#");
    // In another position, no move is excluded.
    engine.send("exclude f3f7\nusermove a2a3\nundo");
    engine.sync();
    assert_eq!(thinks(&mut engine), "Qxf7#");
    engine.send("exclude e2e5");
    let lines = engine.sync();
    assert!(lines.contains(&"Error (illegal move): exclude e2e5".to_owned()), "{lines:?}");
    leave(engine);
}

#[test]
fn what_an_analysis_excludes_is_free_in_the_game() {
    let mut engine = Engine::ready();
    engine.tell("setboard r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4\npost");
    engine.send("analyze\nexclude f3f7");
    engine.sync();
    assert_ne!(thinks(&mut engine), "Qxf7#");
    engine.send("exit\nnopost");
    engine.sync();
    engine.send("go");
    assert_eq!(engine.its_move(), "f3f7");
    engine.wait_for("1-0");
}

#[test]
fn positions_without_moves_can_be_analysed() {
    let mut engine = Engine::ready();
    engine.tell("setboard 7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    engine.send("analyze\n.\nhint");
    engine.sync();
    engine.send("setboard 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1");
    engine.expect_silence(|_| true);
    engine.send("exit");
    engine.sync();
}

#[test]
fn options_take_effect_in_it() {
    let mut engine = analysing();
    engine.send("option MultiPV=3\nmemory 40\ncores 2");
    engine.sync();
    let mut first = std::collections::HashSet::new();
    for _ in 0..6 {
        first.insert(thinks(&mut engine));
    }
    assert!(first.len() >= 3, "{first:?}");
    engine.send("option MultiPV=1");
    leave(engine);
}

/// xboard clears its window of lines at a smaller depth.
#[test]
fn the_depth_of_several_lines_never_falls() {
    let mut engine = analysing();
    engine.send("option MultiPV=4");
    engine.sync();
    let lines = engine.wait_until("a line of depth 9", SEARCH, |line| line.starts_with("9 "));
    let depths: Vec<u32> = lines.iter().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
    assert!(depths.len() >= 20 && depths.is_sorted(), "{lines:#?}");
    leave(engine);
}

#[test]
fn hints_and_books_are_answered() {
    let mut engine = analysing();
    engine.send("hint");
    let line = engine.wait_for("Hint: ").pop().unwrap();
    assert!(line.len() >= "Hint: e2e4".len());
    engine.send("bk");
    engine.wait_until("an empty line", SEARCH, str::is_empty);
    leave(engine);
}

/// Scores are normalised by the material at the root. A library search gives the internal value.
#[test]
fn scores_are_shown_normalised() {
    let fen = "8/5pk1/6p1/8/8/1R4P1/4PPK1/3r4 b - - 0 1";
    let mut library = bartizan_engine::Engine::new();
    library.set_position(fen, &[]).unwrap();
    let value = library.go(Limits::depth(5)).unwrap().wait().value;
    let expected = shown(value, MaterialCount::of(library.position()));
    let mut engine = Engine::ready();
    engine.tell(&format!("setboard {fen}\nsd 5\npost"));
    engine.send("go");
    let lines = engine.wait_for("move ");
    let last = lines.iter().rev().find_map(|line| thinking(line)).unwrap();
    assert_eq!(last.score, i64::from(expected), "{value:?}");
}
