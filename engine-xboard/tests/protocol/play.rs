//! `new`, `force`, `go`, `playother`, `?`, and the end of the game.

use crate::support::{Engine, game, is_legal};

#[test]
fn new_makes_it_black() {
    let mut engine = Engine::ready();
    engine.send("new\nst 0.05");
    engine.expect_silence(|_| true);
    engine.send("usermove e2e4");
    let answer = engine.its_move();
    let mut game = game("e2e4");
    game.push(game.position().parse_uci(&answer).unwrap()).unwrap();
    assert_eq!(engine.fen(), game.position().to_fen());
}

#[test]
fn go_plays_the_side_to_move_from_then_on() {
    let mut engine = Engine::ready();
    engine.send("go");
    let first = engine.its_move();
    assert!(is_legal("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &first));
    engine.send("a7a6");
    engine.its_move();
    engine.tell("force");
}

#[test]
fn playother_waits_for_the_other_side() {
    for ponder in ["easy", "hard"] {
        let mut engine = Engine::ready();
        engine.send(&format!("{ponder}\nplayother"));
        engine.expect_silence(|line| line.starts_with("move"));
        engine.send("usermove d2d4");
        engine.its_move();
        engine.tell("force\neasy");
    }
}

#[test]
fn force_plays_neither_side_and_aborts_the_search() {
    let mut engine = Engine::ready();
    engine.tell("usermove e2e4\nusermove e7e5\ng1f3");
    engine.send("st 100\ngo");
    engine.expect_silence(|_| true);
    engine.tell("force");
    engine.expect_silence(|_| true);
    engine.tell("usermove b8c6");
    assert_eq!(engine.fen(), game("e2e4 e7e5 g1f3 b8c6").position().to_fen());
}

#[test]
fn a_question_mark_moves_now() {
    let mut engine = Engine::ready();
    engine.send("st 1000\ngo");
    engine.expect_silence(|_| true);
    engine.send("?");
    engine.its_move();
    engine.tell("?");
    engine.tell("force\n?");
}

#[test]
fn a_second_go_changes_nothing() {
    let mut engine = Engine::ready();
    engine.send("st 0.3\ngo\ngo");
    engine.its_move();
    engine.expect_silence(|_| true);
    engine.tell("force");
}

#[test]
fn a_move_while_it_thinks_is_refused_but_not_called_illegal() {
    let mut engine = Engine::ready();
    engine.send("st 1000\ngo\nusermove e2e4");
    let said = engine.wait_for("Error");
    assert_eq!(said.last().unwrap(), "Error (it is not your move): e2e4");
    engine.tell("force");
}

#[test]
fn it_plays_no_excluded_move() {
    let mut engine = Engine::ready();
    assert_eq!(engine.ask("exclude all\ngo"), ["Error (all moves are excluded): go"]);
    engine.send("include a2a3\ngo");
    assert_eq!(engine.its_move(), "a2a3");
}

#[test]
fn thinking_is_shown_when_asked_for() {
    let mut engine = Engine::ready();
    engine.send("sd 5\nst 100\npost\ngo");
    let lines = engine.wait_for("move ");
    let shown: Vec<_> = lines.iter().filter_map(|line| crate::support::thinking(line)).collect();
    assert!(shown.len() >= 5, "{lines:?}");
    assert_eq!(shown.len(), lines.len() - 1, "{lines:?}");
    assert_eq!(shown.last().unwrap().ply, 5);
    assert!(shown.iter().all(|line| !line.moves.is_empty()));
    engine.send("nopost\nusermove a7a6");
    let lines = engine.wait_for("move ");
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[test]
fn mate_is_a_hundred_thousand_and_the_moves() {
    let mut engine = Engine::ready();
    engine.send("setboard 7k/8/5K2/8/8/8/8/R7 w - - 0 1\nsd 8\npost\ngo");
    let lines = engine.wait_for("move ");
    let last = lines.iter().filter_map(|line| crate::support::thinking(line)).next_back().unwrap();
    assert_eq!(last.score, 100_002, "{lines:?}");
    engine.send("force\nsetboard 8/8/8/8/8/1k6/7r/K7 w - - 0 1\nsd 4\ngo");
    let lines = engine.wait_for("move ");
    let last = lines.iter().filter_map(|line| crate::support::thinking(line)).next_back().unwrap();
    assert_eq!(last.score, -100_001, "{lines:?}");
}

#[test]
fn it_announces_the_result() {
    for (fen, moves, claim) in [
        ("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", "f7g7", "1-0 {White mates}"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "1-0 {White mates}"),
        ("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "", "1/2-1/2 {Stalemate}"),
    ] {
        let mut engine = Engine::ready();
        engine.tell(&format!("setboard {fen}"));
        if !moves.is_empty() {
            let _ = engine.ask(&format!("usermove {moves}"));
        }
        assert_eq!(engine.ask("go"), [claim], "{fen}");
        // The result is announced once.
        engine.tell("?");
        assert_eq!(engine.ask("usermove a1a1"), ["Illegal move (the game is over): a1a1"]);
    }
}

#[test]
fn its_own_mate_is_played_and_claimed() {
    let mut engine = Engine::ready();
    engine.send("setboard k7/8/1K6/8/8/8/8/7R w - - 0 1\ngo");
    let lines = engine.wait_for("1-0");
    assert_eq!(lines, ["move h1h8", "1-0 {White mates}"]);
}

#[test]
fn dead_positions_are_drawn() {
    let mut engine = Engine::ready();
    // White's only move is to capture the bishop.
    engine.send("setboard 8/8/8/8/8/5k2/8/3bK3 w - - 0 1\ngo");
    let lines = engine.wait_for("1/2-1/2");
    assert_eq!(lines.last().unwrap(), "1/2-1/2 {Insufficient material}");
}

#[test]
fn nothing_is_claimed_in_force_mode_or_analysis() {
    let mut engine = Engine::ready();
    engine.tell("setboard k7/8/1K6/8/8/8/8/7R w - - 0 1\nusermove h1h8");
    engine.tell("analyze\nexit");
}

#[test]
fn repetition_is_claimed_only_when_it_has_occurred() {
    let mut engine = Engine::ready();
    // White has a knight against a rook, and welcomes a draw. Both kings shuffle.
    engine.tell("setboard r5k1/5ppp/8/8/8/8/5PPP/N5K1 b - - 0 1");
    let shuffle = ["g8f8", "g1f1", "f8g8", "f1g1"];
    for _ in 0..2 {
        for mv in shuffle {
            engine.tell(&format!("usermove {mv}"));
        }
    }
    // The first position has occurred three times with Black to move. Let White move.
    engine.tell("usermove g8f8");
    engine.send("st 0.2\ngo");
    let lines = engine.wait_until("a claim or a move", crate::support::SEARCH, |line| {
        line.starts_with("move") || line.starts_with("1/2")
    });
    assert_eq!(lines.last().unwrap(), "1/2-1/2 {Draw by repetition}");
    engine.send("undo\nundo\nusermove f1g1\nusermove a8b8\ngo");
    let lines = engine.wait_for("move ");
    assert!(!lines.iter().any(|line| line.contains("1/2")), "{lines:?}");
}

#[test]
fn a_result_ends_the_play() {
    let mut engine = Engine::ready();
    engine.send("st 100\ngo\nresult 1-0 {White wins on time}");
    engine.expect_silence(|_| true);
    engine.tell("usermove e2e4\nusermove e7e5");
}

#[test]
fn pause_and_resume() {
    let mut engine = Engine::ready();
    engine.send("st 1\ngo\npause");
    engine.expect_silence(|_| true);
    assert_eq!(engine.sync(), [""; 0]);
    engine.send("resume");
    engine.its_move();
    engine.send("analyze\npost\npause");
    engine.sync();
    engine.expect_silence(|_| true);
    engine.send("resume");
    engine.wait_until("thinking", crate::support::SEARCH, |line| crate::support::thinking(line).is_some());
    engine.send("exit");
    engine.sync();
}

#[test]
fn commands_during_a_pause_take_effect_at_resume() {
    for commands in ["option Contempt=3", "go", "usermove e7e5\ngo", "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ngo"] {
        let mut engine = Engine::ready();
        engine.send("usermove e2e4\nst 0.2\ngo\npause");
        let _ = engine.sync();
        engine.send(commands);
        engine.expect_silence(|line| line.starts_with("move"));
        engine.send("resume");
        engine.its_move();
    }
}
