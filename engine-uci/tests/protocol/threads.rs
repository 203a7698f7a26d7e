//! The rules of the protocol, with two threads.

use crate::lines::multipv;
use crate::stop::{burst, stop_at_any_moment};
use crate::support::{Engine, Game, SAMPLES};

#[test]
fn two_threads_answer_a_burst_once_each() {
    let mut engine = Engine::with_options(&[("Threads", "2")]);
    burst(&mut engine, 100);
}

#[test]
fn two_threads_stop_at_any_moment() {
    let mut engine = Engine::with_options(&[("Threads", "2")]);
    stop_at_any_moment(&mut engine, 20);
}

#[test]
fn two_threads_show_sound_lines() {
    let mut engine = Engine::with_options(&[("Threads", "2")]);
    for (_, fen) in SAMPLES {
        let game = Game::from_fen(fen);
        engine.send(&game.position());
        let search = engine.go("go depth 5");
        game.judge(&engine, &search);
        assert!(search.infos.iter().all(|info| info.depth.is_none_or(|depth| depth <= 5)));
    }
}

#[test]
fn two_threads_show_three_lines_in_order() {
    let mut engine = Engine::with_options(&[("Threads", "2"), ("MultiPV", "3")]);
    multipv(&mut engine);
}

#[test]
fn the_number_of_threads_can_change_between_searches() {
    let mut engine = Engine::ready();
    let game = Game::startpos("");
    engine.send(&game.position());
    for threads in [2, 1, 3, 1, 2] {
        engine.send(&format!("setoption name Threads value {threads}"));
        let search = engine.go("go depth 4");
        game.judge(&engine, &search);
        engine.send_bytes(b"go ponder wtime 1000 btime 1000\nponderhit\nstop\n");
        engine.bestmove();
        engine.send("ucinewgame");
    }
    engine.expect_no_bestmove();
}
