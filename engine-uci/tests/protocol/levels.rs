//! Play below full strength.

use crate::support::{Engine, Game};
use bartizan_testkit::{PROMPT, SEARCH};
use std::time::{Duration, Instant};

/// Plays at 1500 without a book.
const LIMITED: [(&str, &str); 3] = [("UCI_LimitStrength", "true"), ("UCI_Elo", "1500"), ("OwnBook", "false")];

fn limited(options: &[(&str, &str)]) -> Engine {
    Engine::with_options(&[&LIMITED, options].concat())
}

/// Whether the answer to `go depth 2` in the current position comes from the book.
fn is_from_book(engine: &mut Engine) -> bool {
    engine.send("go depth 2");
    let lines = engine.wait_until("a move", SEARCH, |line| line.starts_with("bestmove"));
    lines.iter().any(|line| line.starts_with("info string book: "))
}

#[test]
fn a_level_opens_from_the_book_unless_it_is_switched_off() {
    let mut engine = Engine::ready();
    assert!(!is_from_book(&mut engine));
    engine.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 600");
    engine.send("setoption name Book Variety value 0");
    assert!(is_from_book(&mut engine));
    // It knows four plies.
    engine.send("position startpos moves e2e4 e7e5 g1f3");
    assert!(is_from_book(&mut engine));
    engine.send("position startpos moves e2e4 e7e5 g1f3 b8c6");
    assert!(!is_from_book(&mut engine));
    engine.send("setoption name UCI_Elo value 2400");
    assert!(is_from_book(&mut engine));
    engine.send("setoption name UCI_LimitStrength value false");
    assert!(!is_from_book(&mut engine));
    engine.send("setoption name Skill Level value 19");
    assert!(is_from_book(&mut engine));
    // The declared default, but sent.
    engine.send("setoption name OwnBook value false");
    assert!(!is_from_book(&mut engine));
}

#[test]
fn a_seed_repeats_the_game() {
    let opening = |seed: &str| {
        let mut engine = Engine::with_options(&[("Skill Level", "5"), ("Seed", seed)]);
        let mut moves = String::new();
        for _ in 0..20 {
            engine.send(&Game::startpos(moves.trim()).position());
            moves += &format!(" {}", engine.go("go wtime 60000 btime 60000").best);
        }
        moves
    };
    let games = ["7", "7", "8"].map(opening);
    assert!(games[0] == games[1] && games[0] != games[2], "{games:?}");
}

#[test]
fn a_level_takes_its_time_within_the_limit() {
    let mut engine = limited(&[("Human Time", "true")]);
    let limit = Duration::from_secs(2);
    let mut times: Vec<Duration> = (0..3)
        .map(|_| {
            engine.send("ucinewgame");
            engine.until_ready();
            let started = Instant::now();
            engine.go("go movetime 2000");
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    // The wait ends after 1.6 seconds at the latest.
    assert!(times[0] > Duration::from_millis(100) && times[0] < limit, "{times:?}");
    // Neither a depth, nor an almost empty clock, nor a single reply to a check makes it wait.
    let started = Instant::now();
    for go in ["go depth 3", "go nodes 50", "go wtime 4000 btime 4000", "go mate 1"] {
        engine.go(go);
    }
    assert!(started.elapsed() < PROMPT);
}

/// An hour, if it were not stopped.
const LONG: &str = "go movetime 3600000";

#[test]
fn a_stop_ends_the_wait_of_a_level() {
    let mut engine = limited(&[("Human Time", "true")]);
    engine.send(LONG);
    engine.expect_no_bestmove();
    engine.stop();
    engine.expect_no_bestmove();
    // While pondering and after the ponder hit.
    for is_hit in [false, true] {
        engine.send(&LONG.replace("go", "go ponder"));
        engine.expect_no_bestmove();
        if is_hit {
            engine.send("ponderhit");
            engine.expect_no_bestmove();
        }
        engine.stop();
        engine.expect_no_bestmove();
    }
    // The wait of a ponder search ends by itself.
    engine.send("go ponder movetime 300");
    engine.expect_no_bestmove();
    engine.send("ponderhit");
    engine.bestmove();
    engine.send(LONG);
    engine.send("quit");
    assert!(engine.wait_exit(PROMPT).1.success());
}

#[test]
fn an_analysis_does_not_wait_and_has_full_strength() {
    let mut engine = limited(&[("Human Time", "true"), ("UCI_AnalyseMode", "true")]);
    let search = engine.go("go movetime 3600000 depth 7");
    assert_eq!(search.infos.last().unwrap().depth, Some(7));
}

#[test]
fn the_level_is_set_and_told_on_the_console() {
    let mut engine = Engine::ready();
    engine.send("elo\nelo 1200\nELO\nelo full");
    assert_eq!(
        engine.until_ready(),
        ["full strength", "Elo 1200", "Elo 1200", "full strength"].map(|level| format!("level: {level}"))
    );
    engine.send("elo 99999\nelo strong\nelo 1200 1300");
    for (line, name) in engine.until_ready().iter().zip(["99999", "strong", "1200 1300"]) {
        let error = format!("info string error: elo: '{name}' is not a rating from 600 to 3000 or 'full'");
        assert_eq!(line, &error);
    }
    engine.send("setoption name Strength value 50");
    assert_eq!(engine.until_ready(), ["info string error: unknown option 'Strength'"]);
}
