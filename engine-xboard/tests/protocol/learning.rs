//! Learning and the game log.

use crate::support::{Engine, text};

const FEN: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1P2PN2/PB2BPPP/RN1Q1RK1 w - - 0 8";

#[test]
fn games_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut engine = Engine::ready();
    engine.tell(&format!("option Game Log={}", text(&path)));
    engine.send("new\nst 0.05\nname Mr Fish\nusermove e2e4");
    let answer = engine.its_move();
    engine.tell("result 1-0 {Black resigns}");
    // The end of the program waits until the game is in the file.
    engine.finish();
    let games: Vec<_> =
        bartizan_notation::pgn::PgnReader::new(&std::fs::read(&path).unwrap()[..]).collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 1);
    let game = &games[0];
    assert_eq!((game.tag("White"), game.tag("Termination")), (Some("Mr Fish"), Some("Black resigns")));
    assert_eq!((game.moves.len(), game.result.as_str()), (2, "1-0"));
    assert_eq!(game.moves[1].mv.to_string(), answer);
}

#[test]
fn the_next_engine_knows_what_was_learnt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learning.epd");
    let options = format!(
        "option Learning File={}\noption Learning=1\noption Learning Depth=5\noption Learning Threshold=1",
        text(&path)
    );
    let mut engine = Engine::ready_with(&["-t"]);
    engine.ask(&options);
    // The value at the end of a search almost always differs from that at half its depth.
    engine.send(&format!("setboard {FEN}\nst 100\nsd 9\ngo"));
    let lines = engine.wait_for("move ");
    engine.send("quit");
    engine.wait_exit();
    assert!(path.exists(), "{lines:#?}");
    let kept = std::fs::read_to_string(&path).unwrap();
    let fields = FEN.trim_end_matches(" 0 8");
    assert!(kept.starts_with(&format!("# bartizan-learning 1\n{fields} acd 9; ce ")), "{kept}");
    // An invalid line is reported.
    std::fs::write(&path, format!("{kept}rubbish\n")).unwrap();
    let mut engine = Engine::ready_with(&["-t"]);
    engine.ask(&options);
    engine.send(&format!("new\nforce\nsetboard {FEN}\nsd 3\ngo"));
    let lines = engine.wait_for("move ");
    assert!(lines.iter().any(|line| line.contains("line 3: ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.ends_with("from: search, with learning")), "{lines:#?}");
    engine.send("quit");
    engine.wait_exit();
}
