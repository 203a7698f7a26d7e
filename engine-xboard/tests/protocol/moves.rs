//! Moves entered and taken back.

use crate::support::{Engine, game};

#[test]
fn moves_in_every_notation() {
    let mut engine = Engine::ready();
    engine.tell("usermove e2e4\ne7e5\nNf3\nusermove Nc6\nusermove Bb5\na6\nO-O\nusermove axb5");
    let fen = game("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 a6b5").position().to_fen();
    assert_eq!(engine.fen(), fen);
}

#[test]
fn promotions() {
    let mut engine = Engine::ready();
    engine.tell("setboard 7k/P7/8/8/8/8/p7/7K w - - 0 1\nusermove a7a8n\na2a1Q");
    assert_eq!(engine.fen(), "N6k/8/8/8/8/8/8/q6K w - - 0 2");
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let mut engine = Engine::ready();
    let before = engine.fen();
    for mv in ["e2e5", "e7e5", "e1g1", "Nd4", "O-O", "e2e4q", "a1a1", "usermove e9e4"] {
        let said = engine.ask(mv);
        let mv = mv.strip_prefix("usermove ").unwrap_or(mv);
        assert_eq!(said.len(), 1, "{mv}: {said:?}");
        let refusal = said[0].starts_with("Illegal move") && said[0].ends_with(&format!(": {mv}"));
        // `e2e4q` is not a promotion, and may also be reported as an unknown command.
        assert!(refusal || said[0].starts_with("Error (unknown command)"), "{mv}: {said:?}");
    }
    assert_eq!(engine.fen(), before);
}

#[test]
fn legality_is_checked_in_force_mode_too() {
    let mut engine = Engine::ready();
    engine.tell("usermove e2e4");
    assert_eq!(engine.ask("usermove e4e5"), ["Illegal move: e4e5"]);
}

#[test]
fn the_null_move() {
    let mut engine = Engine::ready();
    engine.tell("usermove e2e4\nusermove @@@@\nusermove d2d4");
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b"));
    engine.tell("undo\nundo");
    assert_eq!(engine.fen(), game("e2e4").position().to_fen());
    engine.tell("setboard 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert_eq!(engine.ask("@@@@"), ["Illegal move (in check): @@@@"]);
}

#[test]
fn undo_takes_one_ply_back_and_remove_two() {
    let mut engine = Engine::ready();
    engine.tell("usermove e2e4\nusermove e7e5\nusermove g1f3\nundo");
    assert_eq!(engine.fen(), game("e2e4 e7e5").position().to_fen());
    engine.tell("remove");
    assert_eq!(engine.fen(), game("").position().to_fen());
    assert_eq!(engine.ask("undo"), ["Error (no move to take back): undo"]);
}

#[test]
fn the_search_goes_on_when_there_is_no_move_to_take_back() {
    let mut engine = Engine::ready();
    engine.send("new\nst 0.5\ngo\nundo");
    engine.wait_for("Error (no move to take back): undo");
    engine.its_move();
    // `remove` takes back two moves, but there is only one: nothing changes.
    engine.send("new\nst 0.5\nusermove e2e4\nremove");
    engine.wait_for("Error (no move to take back): remove");
    let answer = engine.its_move();
    assert_eq!(engine.fen(), game(&format!("e2e4 {answer}")).position().to_fen());
}

#[test]
fn remove_lets_the_player_move_again() {
    let mut engine = Engine::ready();
    engine.send("new\nst 0.05\nusermove e2e4");
    engine.its_move();
    engine.tell("remove");
    assert_eq!(engine.fen(), game("").position().to_fen());
    engine.send("usermove d2d4");
    engine.its_move();
}

#[test]
fn taking_back_restores_repetitions_and_the_fifty_moves() {
    let mut engine = Engine::ready();
    engine.tell("setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 42 60\nusermove a1a8\nundo");
    assert_eq!(engine.fen(), "4k3/8/8/8/8/8/8/R3K3 w Q - 42 60");
}
