//! Castling is written `e1h1` with `UCI_Chess960` and `e1g1` without it; both are accepted as input.

use crate::support::{Engine, Game};

#[test]
fn castling_is_written_as_the_option_says() {
    for (chess960, fen, castling) in [
        ("false", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("true", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1"),
        ("false", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8"),
        ("true", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8a8"),
        ("true", "1k6/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1"),
    ] {
        let mut engine = Engine::with_options(&[("UCI_Chess960", chess960)]);
        engine.send(&format!("position fen {fen}"));
        let search = engine.go(&format!("go depth 3 searchmoves {castling}"));
        assert_eq!(search.best, castling, "{fen}, UCI_Chess960 {chess960}");
        let game = if chess960 == "true" { Game::chess960(fen) } else { Game::from_fen(fen) };
        game.judge(&engine, &search);
    }
}

#[test]
fn castling_is_read_both_ways() {
    for chess960 in ["false", "true"] {
        let mut engine = Engine::with_options(&[("UCI_Chess960", chess960)]);
        for (moves, board) in [
            ("e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b "),
            ("e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b "),
            ("e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b "),
            ("e1a1", "r3k2r/8/8/8/8/8/8/2KR3R b "),
            ("e1g1 e8a8", "2kr3r/8/8/8/8/8/8/R4RK1 w "),
            ("e1h1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w "),
        ] {
            engine.send(&format!("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves {moves}"));
            let said = engine.until_ready();
            assert!(said.is_empty(), "{moves}, UCI_Chess960 {chess960}: {said:?}");
            let fen = engine.shown().0;
            assert!(fen.starts_with(board), "{moves}, UCI_Chess960 {chess960}: {fen}");
        }
    }
}

#[test]
fn both_ways_to_write_castling_rights_are_read() {
    let mut engine = Engine::with_options(&[("UCI_Chess960", "true")]);
    for (xfen, shredder) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"),
        (
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1",
            "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
        ),
    ] {
        engine.send(&format!("position fen {xfen}"));
        let by_side = engine.shown();
        engine.send(&format!("position fen {shredder}"));
        assert_eq!(engine.shown(), by_side);
    }
}

#[test]
fn without_the_option_rights_of_chess960_are_dropped() {
    let mut engine = Engine::ready();
    for (fen, dropped, left) in
        [("r3k2r/8/8/8/8/8/8/R2R1K1R w KQkq - 0 1", "KQ", "kq"), ("1r2k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "b", "KQk")]
    {
        engine.send(&format!("position fen {fen}"));
        let reason = "standard chess castles with kings on e1 and e8 and rooks in the corners";
        let line = format!("info string warning: castling rights '{dropped}' dropped: {reason}");
        assert_eq!(engine.until_ready(), [line]);
        assert_eq!(engine.shown().0, fen.replace("KQkq", left));
    }
    engine.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1");
    assert!(engine.until_ready().is_empty());
}

#[test]
fn searches_in_chess960_are_legal_throughout() {
    let mut engine = Engine::with_options(&[("UCI_Chess960", "true")]);
    for fen in [
        "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
        "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 0 1",
        "rk6/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAa - 0 1",
        "4kr2/8/8/8/8/8/8/RK3R2 w FA - 0 1",
    ] {
        let game = Game::chess960(fen);
        engine.send(&game.position());
        let search = engine.go("go depth 5");
        game.judge(&engine, &search);
    }
}
