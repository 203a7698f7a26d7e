//! `ping` in every state.

use crate::support::{Engine, PROMPT, SEARCH};

#[test]
fn idle_pings_are_answered_at_once_and_in_order() {
    let mut engine = Engine::ready();
    engine.send("ping 5\nping 0\nping 4294967295");
    for number in ["5", "0", "4294967295"] {
        let pong = format!("pong {number}");
        assert_eq!(engine.wait_until(&pong, PROMPT, |_| true), [pong]);
    }
}

#[test]
fn while_it_thinks_the_move_comes_first() {
    let mut engine = Engine::ready();
    engine.send("st 0.3\ngo\nping 77");
    let lines = engine.wait_for("pong 77");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("move "), "{lines:?}");
}

#[test]
fn pings_are_answered_before_the_command_that_aborts_the_search() {
    let mut engine = Engine::ready();
    engine.send("st 100\ngo\nping 77\nsetboard rubbish");
    let lines = engine.wait_for("tellusererror");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "pong 77");
}

#[test]
fn while_it_ponders_or_analyses_at_once() {
    let mut engine = Engine::ready();
    engine.send("hard\ngo");
    engine.its_move();
    engine.sync();
    engine.send("force\nanalyze");
    engine.sync();
    engine.send("exit");
    engine.sync();
}

#[test]
fn earlier_commands_are_executed_first() {
    let mut engine = Engine::ready();
    engine.send("st 0.2\ngo\nmemory 20\noption Contempt=9999\nping 8");
    let lines = engine.wait_until("pong", SEARCH, |line| line == "pong 8");
    let begin: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(begin, ["move", "tellusererror", "pong"], "{lines:?}");
}

#[test]
fn a_storm_of_commands_loses_nothing() {
    let mut engine = Engine::ready();
    let states =
        ["go", "force", "analyze", "exit", "new", "force", "hard", "go", "undo", "playother", "remove", "easy"];
    for round in 0..8 {
        let mut text = String::from("st 50\n");
        for (index, state) in states.iter().enumerate() {
            text += &format!("{state}\nping {}\n", 1_000 + round * 100 + index);
        }
        text += "force";
        engine.send(&text);
        for index in 0..states.len() {
            let pong = format!("pong {}", 1_000 + round * 100 + index);
            engine.wait_until(&pong, SEARCH, |line| line == pong);
        }
    }
    engine.sync();
}
