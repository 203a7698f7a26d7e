//! Draw offers and resignation.

use crate::support::{Engine, SEARCH};

/// Black is two queens down.
const LOST: &str = "4k3/8/8/8/8/8/3QQ3/4K3 b - - 0 60";

#[test]
fn a_lost_game_is_resigned_if_asked_for() {
    let mut engine = Engine::ready();
    engine.tell(&format!("option Resign=1\noption Resign Moves=1\noption Resign Score=500\nsetboard {LOST}"));
    engine.send("go");
    let lines = engine.wait_until("resign", SEARCH, |line| line == "resign" || line.starts_with("move"));
    assert_eq!(lines, ["resign"]);
    engine.tell("?");
    engine.tell(&format!("new\nforce\noption Resign=0\nsetboard {LOST}"));
    engine.send("go");
    engine.its_move();
}

#[test]
fn a_draw_is_accepted_when_lost_and_declined_when_won() {
    let mut engine = Engine::ready();
    engine.tell(&format!("setboard {LOST}"));
    engine.send("go");
    engine.its_move();
    assert_eq!(engine.ask("draw"), ["offer draw"]);
    engine.tell("new\nforce\nsetboard 4k3/8/8/8/8/8/3Q4/3QK3 w - - 0 60");
    engine.send("sd 3\ngo");
    engine.its_move();
    engine.tell("draw");
}

#[test]
fn scores_of_another_position_decide_nothing() {
    let mut engine = Engine::ready();
    engine.tell(&format!("setboard {LOST}"));
    engine.send("go");
    engine.its_move();
    engine.tell("force\nsetboard 4k3/8/8/8/8/8/3Q4/3QK3 b - - 0 60\nplayother");
    assert!(engine.ask("draw").is_empty(), "it accepts a draw with two queens more");
}

#[test]
fn an_offer_while_it_thinks_is_answered_with_the_move() {
    let mut engine = Engine::ready();
    // Lost, and too hard to reach the maximum depth before the offer is read.
    engine.tell("setboard rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 60");
    engine.send("st 0.3\ngo\ndraw");
    let lines = engine.wait_for("move ");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "offer draw");
}

#[test]
fn an_offer_before_go_is_answered() {
    let mut engine = Engine::ready();
    engine.tell(&format!("setboard {LOST}\ndraw"));
    engine.send("go");
    let lines = engine.wait_for("move ");
    assert_eq!(lines[0], "offer draw", "{lines:?}");
}

#[test]
fn offers_are_ignored_when_it_does_not_play() {
    let mut engine = Engine::ready();
    engine.tell("draw\nnew\nforce\nst 0.1");
    engine.tell("option Draw Offers=0");
    engine.tell(&format!("setboard {LOST}"));
    engine.send("go");
    engine.its_move();
    engine.tell("draw");
}
