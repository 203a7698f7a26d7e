//! System limits: too little memory for the table or for the threads.

use crate::support::{Engine, Game};

/// The address space of the program in KiB. It needs about 100 MiB without the table, and 8 MiB for each thread.
const LIMIT: u64 = 500 << 10;

/// The lines of `info string` before `readyok`.
fn complaints(engine: &mut Engine) -> Vec<String> {
    engine.until_ready().into_iter().filter(|line| line.starts_with("info string")).collect()
}

/// Searches, and checks the answer.
fn answers(engine: &mut Engine, game: &Game, go: &str) {
    let search = engine.go(go);
    game.judge(engine, &search);
}

#[test]
fn a_table_that_cannot_be_had_leaves_a_working_one() {
    let mut engine = Engine::with_address_space(LIMIT);
    let game = Game::startpos("e2e4 e7e5");
    engine.send(&game.position());
    engine.send("setoption name Hash value 240");
    assert_eq!(complaints(&mut engine), [""; 0]);
    answers(&mut engine, &game, "go nodes 5000");
    for (size, fits) in [(260, true), (490, false), (5_000, false)] {
        // Not even the first fits in addition to the old table.
        engine.send(&format!("setoption name Hash value {size}"));
        let complaints = complaints(&mut engine);
        let expected = format!("option 'Hash': cannot allocate {size} MB of memory for the hash table: ");
        assert_eq!(complaints.len(), usize::from(!fits), "{complaints:?}");
        assert!(complaints.iter().all(|line| line.contains(&expected)), "{complaints:?}");
        for _ in 0..2 {
            answers(&mut engine, &game, "go nodes 5000");
        }
    }
    engine.send("setoption name Hash value 20");
    assert_eq!(complaints(&mut engine), [""; 0]);
    answers(&mut engine, &game, "go nodes 5000");
}

#[test]
fn a_first_table_that_cannot_be_had_is_replaced_by_a_smaller_one() {
    let mut engine = Engine::with_address_space(LIMIT);
    let game = Game::startpos("e2e4 e7e5");
    engine.send(&game.position());
    // There is no table before the first `isready`.
    engine.send("setoption name Hash value 5000");
    let warnings = complaints(&mut engine);
    assert!(warnings.len() == 1 && warnings[0].ends_with("; continuing with 16 MB"), "{warnings:?}");
    answers(&mut engine, &game, "go nodes 5000");
}

#[test]
fn the_engine_continues_with_the_threads_that_it_gets() {
    let mut engine = Engine::with_address_space(LIMIT);
    let game = Game::startpos("e2e4 e7e5");
    engine.send(&game.position());
    engine.send("setoption name Threads value 1000");
    let warnings = complaints(&mut engine);
    let is_told = |text: &str| text.contains("cannot start search thread ") && text.ends_with(" of 1000 threads");
    assert!(warnings.len() == 1 && is_told(&warnings[0]), "{warnings:?}");
    for _ in 0..3 {
        answers(&mut engine, &game, "go movetime 50");
    }
    engine.send("setoption name Threads value 1");
    assert_eq!(complaints(&mut engine), [""; 0]);
    answers(&mut engine, &game, "go nodes 5000");
}
