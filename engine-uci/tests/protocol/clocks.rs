//! Strange clocks: a legal move must come whatever they show. (How much of its time the engine uses is not tested
//! here.)

use crate::support::{Engine, Game};

const CLOCKS: &[&str] = &[
    "go wtime 0 btime 0",
    "go wtime 1 btime 1",
    "go wtime -500 btime -500",
    "go wtime -500 btime -500 winc 100 binc 100",
    "go wtime 0 btime 0 winc 0 binc 0 movestogo 1",
    "go wtime 200 btime 200",
    "go wtime 200",
    "go btime 200",
    "go wtime 200 winc 10",
    "go btime 200 binc 10",
    "go winc 50",
    "go binc 50",
    "go winc 50 binc 50",
    "go wtime 200 btime 200 movestogo 1",
    "go wtime 200 btime 200 movestogo 0",
    "go wtime 200 btime 200 movestogo -1",
    "go wtime 200 btime 200 movestogo 99999999999999999999",
    "go wtime 200 btime 200 winc -10 binc -10",
    "go wtime 10 btime 10 winc 100 binc 100",
    "go wtime 200 btime 0",
    "go wtime 0 btime 200",
    "go movetime 0",
    "go movetime -1",
    "go movetime 1",
    "go wtime 9223372036854775807 btime 9223372036854775807 winc 9223372036854775807 binc 9223372036854775807 depth 3",
    "go wtime 99999999999999999999999 btime 99999999999999999999999 depth 3",
    "go wtime -9223372036854775808 btime -9223372036854775808 winc -1 binc -1 depth 3",
    "go wtime 18446744073709551615 btime 18446744073709551615 movestogo 2147483647 depth 3",
    "go movetime 99999999999999999999999 depth 3",
    "go wtime 200 btime 200 wtime 100 btime 100",
    "go wtime x btime y depth 3",
    "go wtime btime depth 3",
    "go movetime depth 3",
];

#[test]
fn a_legal_move_comes_whatever_the_clocks_say() {
    let mut engine = Engine::ready();
    for game in [Game::startpos("d2d4"), Game::startpos("d2d4 d7d5")] {
        for go in CLOCKS {
            engine.send(&game.position());
            let best = engine.go(go).best;
            assert!(game.is_legal(&best), "`{go}` gave {best}");
        }
    }
    engine.expect_no_bestmove();
}

#[test]
fn a_move_overhead_larger_than_the_clock_leaves_a_move() {
    let mut engine = Engine::with_options(&[("Move Overhead", "1000")]);
    let game = Game::startpos("");
    for go in ["go wtime 100 btime 100", "go movetime 50", "go wtime 300 btime 300 movestogo 1"] {
        engine.send(&game.position());
        let best = engine.go(go).best;
        assert!(game.is_legal(&best), "`{go}` gave {best}");
    }
}

#[test]
fn a_short_game_against_itself_on_a_clock_is_legal_throughout() {
    let mut engine = Engine::ready();
    let mut moves = String::new();
    let mut game = Game::startpos("");
    while !game.is_over() && moves.len() < 5 * 60 {
        engine.send(&Game::startpos(&moves).position());
        let search = engine.go("go wtime 400 btime 400 winc 4 binc 4");
        game.judge(&engine, &search);
        game.play(&search.best).unwrap();
        moves = format!("{moves} {}", search.best).trim().to_owned();
    }
}
