//! `position`: invalid input is rejected with an `info string`, and nothing is searched until a position is accepted.

use crate::support::engine::SEARCH;
use crate::support::{Engine, Game, KIWIPETE};

/// Arguments of `position fen` that are not legal positions.
const BAD_FENS: &[(&str, &str)] = &[
    ("nothing", ""),
    ("a word", "startpos"),
    ("too few ranks", "8/8/8/4k3/8/8/4K3 w - - 0 1"),
    ("too many ranks", "8/8/8/4k3/8/8/4K3/8/8 w - - 0 1"),
    ("an empty rank", "8/8/8/4k3//8/4K3/8 w - - 0 1"),
    ("a rank too short", "7/8/8/4k3/8/8/4K3/8 w - - 0 1"),
    ("a rank too long", "9/8/8/4k3/8/8/4K3/8 w - - 0 1"),
    ("a rank too long by a piece", "8p/8/8/4k3/8/8/4K3/8 w - - 0 1"),
    ("a zero", "08/8/8/4k3/8/8/4K3/8 w - - 0 1"),
    ("an unknown piece", "8/8/8/4k3/8/8/4X3/4K3 w - - 0 1"),
    ("chess symbols", "8/8/8/4♚3/8/8/4♔3/8 w - - 0 1"),
    ("wide digits", "８/８/８/4k3/８/８/4K3/８ w - - 0 1"),
    ("no kings", "8/8/8/8/8/8/8/8 w - - 0 1"),
    ("no black king", "8/8/8/8/8/8/4K3/8 w - - 0 1"),
    ("no white king", "8/8/8/4k3/8/8/8/8 w - - 0 1"),
    ("two white kings", "8/8/8/4k3/8/8/4K3/4K3 w - - 0 1"),
    ("nine kings", "4k3/8/8/8/8/8/KKKK4/KKKKK3 w - - 0 1"),
    ("kings that touch", "8/8/8/3kK3/8/8/8/8 w - - 0 1"),
    ("white pawn on the last rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("black pawn on the first rank", "4k3/8/8/8/8/8/8/p3K3 w - - 0 1"),
    ("white pawn on the first rank", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"),
    ("side not to move in check", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"),
    ("no side", "4k3/8/8/8/8/8/4P3/4K3 x - - 0 1"),
    ("a side too long", "4k3/8/8/8/8/8/4P3/4K3 white - - 0 1"),
    ("unknown castling", "4k3/8/8/8/8/8/4P3/4K3 w XYZ - 0 1"),
    ("en passant square off the board", "4k3/8/8/8/8/8/4P3/4K3 w - i9 0 1"),
    ("en passant square on the wrong rank", "4k3/8/8/8/8/8/4P3/4K3 w - e5 0 1"),
    ("halfmoves that are no number", "4k3/8/8/8/8/8/4P3/4K3 w - - x 1"),
    ("halfmoves below zero", "4k3/8/8/8/8/8/4P3/4K3 w - - -1 1"),
    ("halfmoves beyond every number", "4k3/8/8/8/8/8/4P3/4K3 w - - 99999999999999999999999 1"),
    ("moves beyond every number", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 99999999999999999999999"),
    ("slashes", "///////"),
    ("another language", "ферзь бьёт е4"),
    (
        "a very long board",
        "8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8/8 w - - 0 1",
    ),
];

/// Odd positions that an engine may accept or reject. It must not crash, and must search those that it accepts.
const ODD_FENS: &[&str] = &[
    "4k3/8/8/8/8/8/4P3/4K3",
    "4k3/8/8/8/8/8/4P3/4K3 w",
    "4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 255 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 32767 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 65536 65536",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 4294967296 4294967296",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 and more",
    "4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/8/8/QQQQQQQQ/QQ4K1/PPPPP1pp/6bk b - - 0 1",
    "QQQQQ1QQ/QQQQQ1QQ/QQQQQ1QQ/QQQQQ1QQ/QQQQQ1PP/QQQQQ1pp/QQQQQ1nn/K4bqk w - - 0 1",
    "4k3/8/3N1N2/1Q2R2B/8/8/8/4K3 b - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b AHah - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KKQQkkqq - 0 1",
];

#[test]
fn a_bad_fen_is_refused_and_the_position_stays() {
    let mut engine = Engine::ready();
    engine.send(&format!("position fen {KIWIPETE}"));
    let before = engine.shown();
    assert_eq!(before.0, KIWIPETE);
    for (what, fen) in BAD_FENS {
        for moves in ["", " moves", " moves e1d1"] {
            refused(&mut engine, &format!("position fen {fen}{moves}"), what);
            assert_eq!(engine.shown(), before, "{what}");
        }
    }
}

/// The client's board is not the engine's: a move of the old position would be illegal for the client.
#[test]
fn nothing_is_searched_after_a_refused_position() {
    let mut engine = Engine::ready();
    for bad in
        ["position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e4 e2e4", "position startpos moves xyz"]
    {
        engine.send(&format!("position fen {KIWIPETE}"));
        refused(&mut engine, bad, bad);
        for go in
            ["go depth 3", "go nodes 100 searchmoves e2e4", "go movetime 10", "go wtime 1000 btime 1000", "go mate 2"]
        {
            engine.send(go);
            let lines = engine.wait_for("bestmove", SEARCH);
            let (answer, notes) = lines.split_last().unwrap();
            assert_eq!(answer, "bestmove (none)", "{bad}: {go}");
            assert!(notes[0].starts_with("info string error: go: no position"), "{bad}: {go}: {notes:?}");
            assert!(notes.iter().all(|note| note.starts_with("info string ")), "{bad}: {go}: {notes:?}");
        }
        // The protocol's rules hold: an endless search is answered after `stop`.
        for (go, end) in [("go infinite", "stop"), ("go ponder wtime 1000 btime 1000", "ponderhit")] {
            engine.send(go);
            engine.expect_no_bestmove();
            engine.send(end);
            assert_eq!(engine.wait_for("bestmove", SEARCH).pop().unwrap(), "bestmove (none)", "{bad}: {go}");
        }
        for command in ["eval", "undo", "flip", "advise", "go perft 2", "eval a.svg"] {
            engine.send(command);
            let lines = engine.until_ready();
            assert!(
                lines.iter().any(|line| line.contains("no position: the last one was refused")),
                "{command}: {lines:?}"
            );
            assert!(!lines.iter().any(|line| line.contains("Network") || line.contains(": 1")), "{command}: {lines:?}");
        }
        engine.send("eval");
        assert_eq!(engine.until_ready()[0], "Final evaluation: none (no position)");
        engine.send("ucinewgame");
        let game = Game::startpos("");
        let search = engine.go("go depth 2");
        game.judge(&engine, &search);
        refused(&mut engine, bad, bad);
        let game = Game::from_fen(KIWIPETE);
        engine.send(&game.position());
        let search = engine.go("go depth 2");
        game.judge(&engine, &search);
    }
}

/// The position that waits for the end of a search is judged when its turn comes.
#[test]
fn a_position_refused_during_a_search_leaves_its_answer() {
    let mut engine = Engine::ready();
    let game = Game::startpos("");
    engine.send("go infinite\nposition startpos moves e2e5\ngo depth 2\nposition startpos\ngo depth 2\nstop");
    let search = engine.bestmove();
    game.judge(&engine, &search);
    assert_eq!(engine.wait_for("bestmove", SEARCH).pop().unwrap(), "bestmove (none)");
    let search = engine.bestmove();
    game.judge(&engine, &search);
}

/// Sends a `position` that must be answered only with `info string`.
#[track_caller]
fn refused(engine: &mut Engine, line: &str, what: &str) {
    engine.send(line);
    let said = engine.until_ready();
    if said.is_empty() || said.iter().any(|line| !line.starts_with("info string ")) {
        engine.fail(&format!("{what}: `{line}` drew {said:?}"));
    }
}

#[test]
fn an_odd_fen_does_not_crash() {
    for fen in ODD_FENS {
        let mut engine = Engine::ready();
        engine.send(&format!("position fen {fen}"));
        let said = engine.until_ready();
        assert!(said.iter().all(|line| line.starts_with("info string ")), "{fen}: {said:?}");
        engine.go("go depth 2");
        engine.shown();
    }
}

#[test]
fn an_illegal_move_is_refused_and_the_position_stays() {
    let mut engine = Engine::ready();
    engine.send(&format!("position fen {KIWIPETE}"));
    let before = engine.shown();
    for line in [
        "position startpos moves e2e5",
        "position startpos moves e7e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 e7e5 e1g1",
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1c1",
        "position startpos moves xyz",
        "position startpos moves e2",
        "position startpos moves e2e4e5",
        "position startpos moves e2e9",
        "position startpos moves i2i4",
        "position startpos moves e2e4q",
        "position startpos moves 0000",
        "position startpos moves (none)",
        "position startpos moves e2e4 ♟e5",
        "position startpos moves e4e5",
        "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8",
        "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8k",
        "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8p",
        "position fen 4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1 moves e2d2",
        "position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1 moves e1g1",
        "position fen 4kr2/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1",
        "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3 moves a2a3",
    ] {
        refused(&mut engine, line, "illegal move");
        assert_eq!(engine.shown(), before, "{line}");
    }
}

#[test]
fn an_empty_list_of_moves_is_accepted() {
    let mut engine = Engine::ready();
    let start = engine.shown();
    assert_eq!(start.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for line in ["position startpos moves", "position startpos moves ", "position startpos"] {
        engine.send(&format!("position fen {KIWIPETE}"));
        engine.send(line);
        assert!(engine.until_ready().is_empty(), "{line}");
        assert_eq!(engine.shown(), start, "{line}");
    }
    engine.send(&format!("position fen {KIWIPETE} moves"));
    assert!(engine.until_ready().is_empty());
    assert_eq!(engine.shown().0, KIWIPETE);
}

#[test]
fn a_fen_of_four_fields_is_accepted_with_moves() {
    let mut engine = Engine::ready();
    engine.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - moves e1g1 e8c8");
    assert!(engine.until_ready().is_empty());
    let fen = engine.shown().0;
    assert!(fen.starts_with("2kr3r/8/8/8/8/8/8/R4RK1 w - - "), "{fen}");
}

#[test]
fn moves_lead_to_the_same_key_as_the_fen() {
    let mut engine = Engine::ready();
    engine.send("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
    let played = engine.shown();
    assert_eq!(played.0, "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
    engine.send(&format!("position fen {}", played.0));
    assert_eq!(engine.shown(), played);
    engine.send("position startpos moves g1f3 b8c6 e2e4 e7e5 f1c4 f8c5 e1g1");
    assert_eq!(engine.shown().1, played.1);
}

#[test]
fn a_drawn_root_still_gets_a_move() {
    let mut engine = Engine::ready();
    let repeated = Game::startpos("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert!(repeated.is_over());
    for game in
        [repeated, Game::from_fen("8/8/4k3/8/8/3QK3/8/8 w - - 100 90"), Game::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")]
    {
        engine.send(&game.position());
        let best = engine.go("go depth 3").best;
        assert!(game.is_legal(&best), "{best}");
    }
}
