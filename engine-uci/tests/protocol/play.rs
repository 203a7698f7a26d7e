//! `bartizan play` through a pipe.

use crate::support::Engine;
use bartizan_testkit::{PROMPT, SEARCH};

#[track_caller]
fn start(arguments: &str) -> Engine {
    let arguments: Vec<&str> = ["play", "depth", "2"].into_iter().chain(arguments.split_whitespace()).collect();
    let mut game = Engine::start_with(&arguments);
    game.wait_for("You play ", PROMPT);
    game
}

#[test]
fn a_game_to_mate() {
    let mut game = start("1200 fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    game.send("qg7");
    let lines = game.wait_for("Checkmate: White wins (1-0)", SEARCH);
    assert!(lines.iter().any(|line| line == " 8  .  .  .  .  .  .  .  k "), "{lines:?}");
    game.send("takeback\nmoves\nQg7\nquit");
    game.wait_for("No moves yet.", PROMPT);
    game.wait_for("Checkmate: White wins (1-0)", PROMPT);
    assert!(game.wait_exit(PROMPT).1.success());
}

#[test]
fn the_end_of_the_input_waits_for_the_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let mut game = start("black");
    game.send(&format!("e5\nnf6\nresign\nsave {}", path.display()));
    game.close_input();
    let (lines, status) = game.wait_exit(SEARCH);
    assert!(status.success());
    let answers = lines.iter().filter(|line| line.starts_with("Bartizan plays ")).count();
    assert!((2..=3).contains(&answers), "{lines:?}");
    let pgn = std::fs::read_to_string(&path).unwrap();
    assert!(pgn.contains("[Black \"Player\"]") && pgn.contains("[Result \"1-0\"]"), "{pgn}");
}

#[test]
fn wrong_arguments_end_the_program() {
    let mut game = Engine::start_with(&["play", "blakc"]);
    let (lines, status) = game.wait_exit(PROMPT);
    assert_eq!((lines.len(), status.code()), (0, Some(2)));
    assert!(game.stderr_lines().iter().any(|line| line.contains("did you mean 'black'?")), "{:?}", game.stderr_lines());
}
