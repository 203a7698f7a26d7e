//! `variant fischerandom`.

use crate::support::Engine;

const START: &str = "bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKRNNB w KQkq - 0 1";

#[test]
fn castling_in_and_out() {
    let mut engine = Engine::ready();
    engine.tell("variant fischerandom\nsetboard 4k3/8/8/8/8/8/8/1R1K2R1 w KQ - 0 1\nusermove O-O");
    assert!(engine.fen().starts_with("4k3/8/8/8/8/8/8/1R3RK1 b"));
    engine.tell("undo\nusermove O-O-O");
    assert!(engine.fen().starts_with("4k3/8/8/8/8/8/8/2KR2R1 b"));
}

#[test]
fn the_engine_writes_castling_as_the_protocol_says() {
    let mut engine = Engine::ready();
    // Exclude every move but castling.
    engine.tell("variant fischerandom\nsetboard 4k3/8/8/8/8/8/8/1R1K2R1 w KQ - 0 1\nexclude all\ninclude O-O");
    engine.send("sd 2\ngo");
    assert_eq!(engine.its_move(), "O-O");
    engine.tell("new\nforce\nsetboard 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\nexclude all\ninclude e1c1");
    engine.send("sd 2\ngo");
    assert_eq!(engine.its_move(), "e1c1");
}

#[test]
fn a_game_from_a_shuffled_start_position() {
    let mut engine = Engine::ready();
    engine.tell(&format!("variant fischerandom\nsetboard {START}"));
    engine.send("go");
    engine.its_move();
    engine.tell("force");
}

#[test]
fn unknown_variants_are_refused() {
    let mut engine = Engine::ready();
    assert_eq!(engine.ask("variant bughouse"), ["Error (unknown variant): variant bughouse"]);
    engine.tell("variant normal");
}

#[test]
fn variant_normal_drops_the_rights_of_chess960() {
    let mut engine = Engine::ready();
    let fen = "4k3/8/8/8/8/8/8/1R1K2R1 w KQ - 0 1";
    let said = engine.ask(&format!("force\nsetboard {fen}"));
    let [line] = &said[..] else { panic!("{said:?}") };
    assert!(line.starts_with("tellusererror ") && line.contains("castling rights 'GB' dropped: standard"), "{line}");
    assert_eq!(engine.fen(), fen.replace("KQ", "-"));
    engine.tell(&format!("variant fischerandom\nsetboard {fen}"));
    assert_eq!(engine.fen(), fen);
}
