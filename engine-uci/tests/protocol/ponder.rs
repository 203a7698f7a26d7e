//! `go ponder` searches on the opponent's time and gives no bestmove before `ponderhit` or `stop`.

use crate::support::{Engine, Game};

#[test]
fn ponder_holds_its_move_until_ponderhit() {
    let mut engine = Engine::ready();
    let game = Game::startpos("e2e4 e7e5");
    for go in [
        "go ponder wtime 500 btime 500 winc 10 binc 10",
        "go wtime 500 btime 500 ponder",
        "go ponder movetime 20",
        "go ponder depth 1",
        "go ponder nodes 100",
        "go ponder wtime 0 btime 0",
    ] {
        engine.send(&game.position());
        engine.send(go);
        let lines = engine.expect_no_bestmove();
        engine.send("ponderhit");
        let search = with_earlier(lines, &mut engine);
        game.judge(&engine, &search);
        engine.expect_no_bestmove();
    }
}

#[test]
fn stop_ends_pondering_when_the_guess_was_wrong() {
    let mut engine = Engine::ready();
    for go in ["go ponder wtime 60000 btime 60000", "go ponder depth 1", "go ponder infinite"] {
        let guessed = Game::startpos("e2e4 e7e5");
        engine.send(&guessed.position());
        engine.send(go);
        let lines = engine.expect_no_bestmove();
        engine.send("stop");
        let search = with_earlier(lines, &mut engine);
        guessed.judge(&engine, &search);
        // The move that was played.
        let played = Game::startpos("e2e4 c7c5");
        engine.send(&played.position());
        let search = engine.go("go depth 4");
        played.judge(&engine, &search);
    }
    engine.expect_no_bestmove();
}

#[test]
fn ponderhit_and_stop_at_once_give_one_bestmove() {
    let mut engine = Engine::ready();
    let game = Game::startpos("e2e4 e7e5");
    engine.send(&game.position());
    for _ in 0..50 {
        engine.send_bytes(b"go ponder wtime 60000 btime 60000\nponderhit\nstop\n");
        let search = engine.bestmove();
        assert!(game.is_legal(&search.best), "{}", search.best);
    }
    engine.expect_no_bestmove();
}

#[test]
fn ponderhit_without_a_pondering_search_changes_nothing() {
    let mut engine = Engine::ready();
    engine.send("ponderhit");
    engine.expect_no_bestmove();
    engine.send("go infinite");
    engine.send("ponderhit");
    engine.expect_no_bestmove();
    engine.stop();
    engine.expect_no_bestmove();
}

#[test]
fn mate_found_while_pondering_is_held_back() {
    let mut engine = Engine::ready();
    engine.send("position fen k7/2K5/8/8/8/8/8/1R6 w - - 0 1");
    engine.send("go ponder wtime 1000 btime 1000");
    engine.expect_no_bestmove();
    engine.send("ponderhit");
    engine.bestmove();
    engine.expect_no_bestmove();
}

/// Waits for `bestmove` and reads the whole search, including lines already received.
#[track_caller]
fn with_earlier(mut lines: Vec<String>, engine: &mut Engine) -> crate::support::Search {
    lines.extend(engine.wait_for("bestmove", crate::support::engine::SEARCH));
    engine.search(&lines)
}
