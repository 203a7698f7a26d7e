//! `go perft`, compared with an independent library.

use crate::support::engine::SEARCH;
use crate::support::{Engine, Game, SAMPLES};

/// The counts by move, sorted, and the sum that `go perft` prints.
#[track_caller]
fn perft(engine: &mut Engine, depth: u32) -> (Vec<(String, u64)>, u64) {
    engine.send(&format!("go perft {depth}"));
    let lines = engine.wait_for("Nodes searched: ", SEARCH);
    let total = lines.last().unwrap()["Nodes searched: ".len()..].parse().unwrap();
    assert!(engine.until_ready().iter().all(String::is_empty), "more behind the sum");
    let mut divided: Vec<(String, u64)> = lines[..lines.len() - 1]
        .iter()
        .filter(|line| !line.is_empty() && !line.starts_with("info string"))
        .map(|line| {
            let (mv, count) = line.split_once(": ").unwrap_or_else(|| panic!("`{line}` among the counts"));
            (mv.to_owned(), count.parse().unwrap())
        })
        .collect();
    divided.sort();
    (divided, total)
}

#[test]
fn the_start_position_is_counted_by_move() {
    let mut engine = Engine::ready();
    engine.send("position startpos");
    let (divided, total) = perft(&mut engine, 3);
    assert_eq!(total, 8902);
    assert_eq!(divided.len(), 20);
    assert_eq!(divided[0], ("a2a3".to_owned(), 380));
    assert_eq!(divided, Game::startpos("").divide(3));
    // Perft is not a search: there is no bestmove.
    engine.expect_no_bestmove();
}

#[test]
fn other_positions_are_counted_as_the_referee_counts_them() {
    let mut engine = Engine::ready();
    for (what, fen) in SAMPLES {
        let game = Game::from_fen(fen);
        engine.send(&game.position());
        let (divided, total) = perft(&mut engine, 2);
        assert_eq!(divided, game.divide(2), "{what}");
        assert_eq!(total, divided.iter().map(|(_, count)| count).sum::<u64>(), "{what}");
    }
}

#[test]
fn chess960_is_counted_with_its_castling() {
    let mut engine = Engine::with_options(&[("UCI_Chess960", "true")]);
    for fen in [
        "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1",
        "rk5r/8/8/8/8/8/8/RK5R b HAha - 0 1",
        "5rkr/8/8/8/8/8/8/RK3R2 w FAhf - 0 1",
        "4k3/8/8/8/8/8/8/r1RK4 w C - 0 1",
    ] {
        let game = Game::chess960(fen);
        engine.send(&game.position());
        assert_eq!(perft(&mut engine, 3).0, game.divide(3), "{fen}");
    }
}

#[test]
fn a_depth_that_cannot_be_counted_is_refused() {
    let mut engine = Engine::ready();
    for line in ["go perft 30000", "perft 4294967295", "bench 1 1 8000 default perft"] {
        engine.send(line);
        let said = engine.until_ready();
        assert!(said.iter().any(|line| line.contains("the depth must be at most 100")), "`{line}` drew {said:?}");
    }
}
