//! `setboard` and `edit`.

use crate::support::Engine;

#[test]
fn setboard_and_play() {
    let mut engine = Engine::ready();
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    engine.tell(&format!("setboard {fen}"));
    assert_eq!(engine.fen(), fen);
    engine.send("go");
    assert_eq!(engine.its_move(), "f3f7");
    engine.wait_for("1-0 {White mates}");
}

#[test]
fn an_illegal_position_is_refused_and_leaves_none() {
    for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "rubbish", "4k3/8/8/8/8/8/8/4K3", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"] {
        let mut engine = Engine::ready();
        let said = engine.ask(&format!("setboard {fen}"));
        assert_eq!(said.len(), 1, "{fen}: {said:?}");
        assert!(said[0].starts_with("tellusererror Illegal position"), "{said:?}");
        assert_eq!(engine.ask("undo"), ["Error (no move to take back): undo"]);
        assert_eq!(engine.ask("usermove e2e4"), ["Illegal move (there is no legal position): e2e4"]);
        assert_eq!(engine.ask("go"), ["Error (no legal position): go"]);
        assert_eq!(engine.ask("playother"), ["Error (no legal position): playother"]);
        engine.tell("force\nanalyze\n.\nexit");
        engine.tell("new\nforce\nusermove e2e4");
    }
}

#[test]
fn a_bare_setboard_is_an_error() {
    let mut engine = Engine::ready();
    assert_eq!(engine.ask("setboard"), ["Error (setboard: the FEN is missing): setboard"]);
}

#[test]
fn edit_mode() {
    let mut engine = Engine::ready();
    engine.tell("edit\n#\nKe1\nRa1\nPe2\nc\nKe8\n.");
    assert_eq!(engine.fen(), "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1");
    // Pings are answered in edit mode, and other lines are refused.
    engine.tell("edit");
    assert_eq!(engine.ask("what"), ["Error (invalid line in edit mode): what"]);
    engine.tell("xa1\nc\nQd8\n.");
    assert_eq!(engine.fen(), "3qk3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let said = engine.ask("edit\n#\n.");
    assert!(said[0].starts_with("tellusererror Illegal position"), "{said:?}");
    assert_eq!(engine.ask("usermove e2e4").len(), 1);
    engine.tell("edit\n#\nKe1\nc\nKe8\n.\nusermove e1e2");
}

#[test]
fn a_new_position_aborts_the_search() {
    let mut engine = Engine::ready();
    engine.send("st 100\ngo\nsetboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    engine.expect_silence(|_| true);
    assert_eq!(engine.fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
}
