//! Pondering: `hard`, `easy`, hits and misses.

use crate::support::{Engine, thinking};

/// Starts pondering and returns the expected move.
#[track_caller]
fn pondering() -> (Engine, String) {
    let mut engine = Engine::ready_with(&["-t"]);
    // A search whose time ends just after finding a better move knows no answer to it, so no pondering follows.
    for _ in 0..20 {
        engine.send("new\nlevel 0 1 0\nhard\nst 0.2\ngo");
        engine.wait_for("move ");
        let lines = engine.sync();
        if let Some(guess) = lines.iter().find_map(|line| line.strip_prefix("# ponder: awaiting ")) {
            return (engine, guess.to_owned());
        }
    }
    engine.fail("it never ponders")
}

#[test]
fn a_hit_continues_the_search() {
    let (mut engine, guess) = pondering();
    engine.send(&format!("usermove {guess}"));
    engine.wait_for(&format!("# ponder: hit {guess}"));
    let lines = engine.wait_for("move ");
    assert!(!lines.iter().any(|line| line.starts_with("# search entered")), "{lines:?}");
    engine.send("force\nquit");
    engine.wait_exit();
}

#[test]
fn a_miss_starts_another_search() {
    let (mut engine, guess) = pondering();
    let other = if guess == "a7a6" { "h7h6" } else { "a7a6" };
    engine.send(&format!("usermove {other}"));
    engine.wait_for(&format!("# ponder: miss: {other} instead of {guess}"));
    engine.wait_for("# search entered");
    engine.its_move();
    engine.send("force\nquit");
    engine.wait_exit();
}

#[test]
fn it_waits_for_the_opponent() {
    let (mut engine, _) = pondering();
    engine.expect_silence(|line| line.starts_with("move"));
    engine.send("hint");
    engine.wait_for("Hint: ");
    engine.send("easy");
    engine.wait_for("# search aborted");
    engine.send("usermove a7a6");
    engine.its_move();
    engine.expect_silence(|line| line.starts_with("# ponder"));
    engine.send("quit");
    engine.wait_exit();
}

/// The lines of thinking begin after the expected move, which the client must already know.
#[test]
fn the_expected_move_is_told_before_the_thinking_about_it() {
    let (mut engine, guess) = pondering();
    let lines = engine.ask("post");
    let first = lines.iter().find(|line| line.starts_with("Hint: ") || thinking(line).is_some());
    assert_eq!(first, Some(&format!("Hint: {guess}")), "{lines:?}");
    engine.send("level 0 0:15 0");
    let lines = engine.wait_for("# search entered: pondering, clock 15.000 s");
    assert!(lines.contains(&format!("Hint: {guess}")), "{lines:?}");
    engine.send("force\nquit");
    engine.wait_exit();
}

#[test]
fn an_illegal_move_does_not_disturb_it() {
    let (mut engine, guess) = pondering();
    engine.send("usermove e2e5");
    engine.wait_for("Illegal move: e2e5");
    engine.send(&format!("usermove {guess}"));
    engine.wait_for("# ponder: hit");
    engine.its_move();
    engine.send("quit");
    engine.wait_exit();
}

#[test]
fn another_time_control_restarts_it() {
    let (mut engine, guess) = pondering();
    engine.send("st 0.1");
    engine.wait_for("# search entered: pondering, 0.100 s");
    engine.send(&format!("usermove {guess}"));
    engine.wait_for("# ponder: hit");
    engine.its_move();
    engine.send("quit");
    engine.wait_exit();
}

#[test]
fn a_hit_with_less_time_than_planned_starts_another_search() {
    let (mut engine, guess) = pondering();
    engine.send("level 0 0:15 0");
    engine.wait_for("# search entered: pondering, clock 15.000 s");
    engine.send(&format!("time 10\notim 1500\nusermove {guess}"));
    engine.wait_for(&format!("# ponder: hit {guess}, with less time than planned"));
    engine.wait_for("# search entered: clock 0.100 s");
    engine.its_move();
    engine.send("force\nquit");
    engine.wait_exit();
}

#[test]
fn undo_and_new_while_it_ponders() {
    for command in ["undo", "new", "force", "result 1-0 {x}", "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] {
        let (mut engine, _) = pondering();
        engine.send(command);
        engine.wait_for("# search aborted");
        engine.sync();
        engine.expect_silence(|line| line.starts_with("move"));
        engine.send("quit");
        engine.wait_exit();
    }
}
