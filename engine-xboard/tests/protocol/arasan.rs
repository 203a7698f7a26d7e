//! Faults of Arasan 20.2, one test each, which this engine must not have.

use crate::support::{Engine, SEARCH, thinking};

#[test]
fn sd_does_not_forget_the_clock() {
    let mut engine = Engine::ready_with(&["-t"]);
    engine.send("level 0 1 0\nsd 100\ngo");
    let line = engine.wait_for("# time: target").pop().unwrap();
    assert!(line.contains("at most"), "{line}");
    engine.its_move();
    engine.send("quit");
    engine.wait_exit();
}

#[test]
fn stat01_is_in_centiseconds() {
    let mut engine = Engine::ready();
    let begin = std::time::Instant::now();
    engine.send("analyze");
    engine.expect_silence(|_| false);
    engine.send(".");
    let line = engine.wait_for("stat01: ").pop().unwrap();
    let most = begin.elapsed().as_millis() / 10 + 1;
    let time: u128 = line.split(' ').nth(1).unwrap().parse().unwrap();
    assert!((20..=most).contains(&time), "{line}: at most {most}");
    engine.send("exit");
    engine.sync();
}

#[test]
fn ping_new_setboard_and_quit_work_while_analysing() {
    let mut engine = Engine::ready();
    engine.send("analyze");
    engine.sync();
    engine.send("setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(engine.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    engine.send("new");
    assert!(engine.fen().starts_with("rnbqkbnr/"));
    engine.send("quit");
    let (_, status) = engine.wait_exit();
    assert!(status.success());
}

#[test]
fn illegal_moves_are_reported() {
    let mut engine = Engine::ready();
    assert_eq!(engine.ask("usermove e2e5"), ["Illegal move: e2e5"]);
}

#[test]
fn mates_are_a_hundred_thousand_and_the_moves() {
    let mut engine = Engine::ready();
    engine.send("setboard 7k/8/5K2/8/8/8/8/R7 w - - 0 1\nanalyze");
    engine.wait_until("mate in two", SEARCH, |line| thinking(line).is_some_and(|line| line.score == 100_002));
    engine.send("exit");
    engine.sync();
}
