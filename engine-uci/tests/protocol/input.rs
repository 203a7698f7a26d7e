//! Strange input: the engine skips what it does not know, and continues to follow the protocol.

use crate::support::{Engine, Game, PROMPT};

/// Sends bytes and checks that the engine answers only with `info string`.
#[track_caller]
fn send_strange(engine: &mut Engine, bytes: &[u8]) -> Vec<String> {
    engine.send_bytes(bytes);
    let said = engine.until_ready();
    if let Some(line) = said.iter().find(|line| !line.starts_with("info string ")) {
        engine.fail(&format!("`{line}` came of a strange line"));
    }
    said
}

#[test]
fn any_white_space_will_do() {
    let mut engine = Engine::ready();
    for text in ["isready\r\n", "\tisready\n", "  isready  \n", "isready\t\r\n", " \t isready \t \r\n", "\r\nisready\n"]
    {
        engine.send_bytes(text.as_bytes());
        let lines = engine.wait_for("readyok", PROMPT);
        assert_eq!(lines, ["readyok"], "after {text:?}");
    }
    engine.send_bytes(b"position\tfen   4k3/8/8/8/8/8/4P3/4K3  w\t-  -  0\t1 \t moves   e2e4\t \r\n");
    engine.send_bytes(b"\tgo \t depth\t2\r\n");
    assert_eq!(engine.bestmove().best.len(), 4);
    assert!(engine.shown().0.starts_with("4k3/8/8/8/4P3/8/8/4K3 b "));
    engine.send_bytes(b"position startpos\r\n");
    assert!(engine.shown().0.starts_with("rnbqkbnr/"));
}

#[test]
fn commands_may_be_in_capitals() {
    let mut engine = Engine::ready();
    engine.send("SetOption NAME MultiPV VALUE 2\nPOSITION StartPos Moves E2E4 e7e5\nGO Depth 2 SEARCHMOVES D2D4 G1F3");
    let search = engine.bestmove();
    assert!(["d2d4", "g1f3"].contains(&search.best.as_str()), "{search:?}");
    assert_eq!(search.infos.last().unwrap().multipv, Some(2));
    engine.send("ISREADY");
    engine.wait_until("readyok", PROMPT, |line| line == "readyok");
}

/// With a CR alone at their ends, too.
#[test]
fn a_carriage_return_ends_a_line() {
    let mut engine = Engine::ready();
    engine.send_bytes(b"position startpos moves e2e4\rgo depth 2\r");
    let search = engine.bestmove();
    Game::startpos("e2e4").judge(&engine, &search);
    engine.send_bytes(b"isready\r");
    engine.wait_until("readyok", PROMPT, |line| line == "readyok");
}

#[test]
fn empty_lines_draw_no_answer() {
    let mut engine = Engine::ready();
    engine.send_bytes("\n\r\n \n\t\n".repeat(100).as_bytes());
    assert!(engine.until_ready().is_empty());
}

#[test]
fn an_unknown_leading_word_is_skipped() {
    let mut engine = Engine::ready();
    for line in ["joho isready", "foo bar isready", "ISREADYX isready"] {
        engine.send(line);
        engine.wait_until("readyok", PROMPT, |line| line == "readyok");
    }
    send_strange(&mut engine, b"joho debug on\ndebug off\n");
}

#[test]
fn unknown_lines_are_survived() {
    let mut engine = Engine::ready();
    let long_word = "x".repeat(10_000) + "\n";
    let long_line = "word ".repeat(2_000) + "\n";
    let very_long = "y".repeat(1 << 20) + "\n";
    let very_long_line = "position ".repeat(1 << 17) + "\n";
    let numbers = "9".repeat(10_000) + "\n";
    for bytes in [
        "no such command\n",
        "!\"§$%&/()=?\n",
        "Zug ♞f3 — 棋\n",
        "position\n",
        "debug\n",
        "debug perhaps\n",
        "register\n",
        "-1\n",
        &long_word,
        &long_line,
        &very_long,
        &very_long_line,
        &numbers,
    ] {
        send_strange(&mut engine, bytes.as_bytes());
    }
}

#[test]
fn errors_quote_only_the_beginning_of_a_long_line() {
    let console = ["eval", "test", "test a -t", "test a", "loadgame", "savehash", "loadhash", "perft", "bench 1 1 1"];
    let uci = [
        "",
        "setoption name",
        "setoption name Hash value",
        "setoption name UCI_Opponent value",
        "setoption name Debug Log File value",
        "setoption name Game Log value",
        "setoption name Learning File value",
        "setoption name Clear Hash value",
        "position",
        "position fen",
        "position startpos moves",
        "position startpos moves e2e5",
        "go depth 1",
        "go depth 1 searchmoves",
        "debug",
    ];
    let mut engine = Engine::ready();
    for start in console.into_iter().chain(uci) {
        for part in ["x", "9", "x/", "8/"] {
            engine.send(&format!("{start} {}", part.repeat((1 << 20) / part.len())));
            let said = engine.until_ready();
            assert!(said.iter().all(|line| line.len() < 300), "`{start}` draws a long line");
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let mut engine = Engine::ready();
    for bytes in [
        &b"\xff\xfe\xfd\n"[..],
        b"\0\n",
        b"\0\0\0\0what\0\n",
        b"position startpos moves \xc3\x28\n",
        b"position fen \xf0\x28\x8c\x28 w - - 0 1\n",
        b"setoption name \xe2\x82 value \xff\n",
        b"setoption name Hash value 1\x006\n",
        b"position startpos moves e2\0e4\n",
        b"\x1b[A\x08\x7f\n",
        b"\xef\xbb\xbf\n",
    ] {
        send_strange(&mut engine, bytes);
    }
    let every_byte: Vec<u8> = (0..=255).filter(|byte| *byte != b'\n').chain([b'\n']).collect();
    send_strange(&mut engine, &every_byte);
}

#[test]
fn strange_lines_do_not_disturb_a_search() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    for line in
        ["", "what", "position startpos moves e2e5", "position fen 9 w", "setoption name Nope value 1", "debug on"]
    {
        engine.send(line);
    }
    let lines = engine.until_ready();
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    engine.stop();
    engine.expect_no_bestmove();
}

#[test]
fn a_very_long_game_is_taken_in() {
    let mut engine = Engine::ready();
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(500);
    engine.send(&format!("position startpos moves{moves}"));
    assert!(engine.until_ready().is_empty());
    let fen = engine.shown().0;
    assert!(fen.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "), "{fen}");
    let best = engine.go("go depth 2").best;
    assert!(crate::support::Game::startpos("").is_legal(&best));
}
