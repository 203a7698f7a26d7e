//! `go infinite`, `stop`, and exactly one `bestmove` for every `go`.

use bartizan_types::SplitMix64;
use std::time::Duration;

use crate::support::engine::SEARCH;
use crate::support::{Engine, Game, MATED, SAMPLES, SINGLE_REPLY, STALEMATE};

#[test]
fn isready_is_answered_during_a_search_which_continues() {
    let mut engine = Engine::ready();
    let game = Game::startpos("");
    engine.send("go infinite");
    engine.wait_until("info … pv", SEARCH, |line| line.contains(" pv "));
    for _ in 0..20 {
        let lines = engine.until_ready();
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "isready ended the search");
    }
    // It is still searching: more `info` lines follow all those answers.
    engine.wait_until("info depth", SEARCH, |line| line.starts_with("info") && !line.starts_with("info string"));
    let search = engine.stop();
    assert!(game.is_legal(&search.best));
    engine.expect_no_bestmove();
}

#[test]
fn infinite_waits_for_stop_whatever_it_finds() {
    for (fen, go) in [
        (MATED, "go infinite"),
        (STALEMATE, "go infinite"),
        (SINGLE_REPLY, "go infinite"),
        (SINGLE_REPLY, "go infinite depth 1"),
        ("k7/2K5/8/8/8/8/8/1R6 w - - 0 1", "go infinite mate 1"),
        ("8/8/4k3/8/8/3QK3/8/8 w - - 100 90", "go infinite depth 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "go infinite nodes 10"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go infinite movetime 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go wtime 1 btime 1 infinite"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go infinite searchmoves e2e4 depth 1"),
    ] {
        let mut engine = Engine::ready();
        engine.send(&format!("position fen {fen}"));
        engine.send(go);
        engine.expect_no_bestmove();
        let search = engine.stop();
        let legal = Game::from_fen(fen).legal_moves();
        if legal.is_empty() {
            assert_eq!(search.best, "(none)", "{fen}");
        } else {
            assert!(legal.contains(&search.best), "{fen}: {}", search.best);
        }
        engine.expect_no_bestmove();
    }
}

#[test]
fn no_legal_move_is_bestmove_none_at_once() {
    for fen in [MATED, STALEMATE] {
        for go in
            ["go depth 1", "go movetime 60000", "go wtime 600000 btime 600000", "go nodes 1000000000", "go mate 3"]
        {
            let mut engine = Engine::ready();
            engine.send(&format!("position fen {fen}"));
            let search = engine.go(go);
            assert_eq!((search.best.as_str(), search.ponder), ("(none)", None), "{fen}: {go}");
        }
    }
}

#[test]
fn a_burst_of_searches_gives_a_bestmove_each() {
    burst(&mut Engine::ready(), 200);
}

/// Sends `position`, `go infinite`, `stop` many times in a single write. Every answer must fit its own position.
#[track_caller]
pub(crate) fn burst(engine: &mut Engine, times: usize) {
    let games = [Game::startpos("e2e4"), Game::startpos(""), Game::from_fen(SAMPLES[0].1)];
    let text: String =
        games.iter().cycle().take(times).map(|game| format!("{}\ngo infinite\nstop\n", game.position())).collect();
    engine.send_bytes(text.as_bytes());
    for (nth, game) in games.iter().cycle().take(times).enumerate() {
        let lines = engine.wait_for("bestmove", SEARCH);
        let search = engine.search(&lines);
        if !game.is_legal(&search.best) {
            engine.fail(&format!("answer {nth} is `{}`, not legal in its position", search.best));
        }
    }
    assert!(engine.until_ready().is_empty());
    engine.expect_no_bestmove();
}

#[test]
fn a_leftover_stop_does_not_end_the_next_search() {
    let mut engine = Engine::ready();
    for _ in 0..10 {
        engine.send_bytes(b"stop\nstop\nposition startpos\ngo depth 6\n");
        let search = engine.bestmove();
        assert_eq!(search.infos.iter().filter_map(|info| info.depth).max(), Some(6));
    }
    // The same for one that comes after the bestmove of a search that ended by itself.
    engine.go("go depth 1");
    engine.send_bytes(b"stop\ngo depth 6\n");
    let search = engine.bestmove();
    assert_eq!(search.infos.iter().filter_map(|info| info.depth).max(), Some(6));
    engine.expect_no_bestmove();
}

#[test]
fn stop_twice_gives_one_bestmove() {
    let mut engine = Engine::ready();
    engine.send_bytes(b"go infinite\nstop\nstop\nstop\n");
    engine.bestmove();
    engine.expect_no_bestmove();
}

#[test]
fn stops_are_for_searches_in_their_order_whatever_waits_between() {
    let mut engine = Engine::ready();
    for _ in 0..20 {
        engine.send_bytes(b"go infinite\ngo ponder depth 2\nposition startpos\ngo infinite\nstop\nstop\nstop\n");
        for _ in 0..3 {
            engine.bestmove();
        }
        engine.send_bytes(b"go infinite\ngo infinite\ngo depth 2\nstop\nstop\n");
        for _ in 0..3 {
            engine.bestmove();
        }
    }
    engine.expect_no_bestmove();
}

#[test]
fn stop_at_any_moment_gives_one_legal_bestmove() {
    stop_at_any_moment(&mut Engine::ready(), 40);
}

/// Stops searches after a random number of `info` lines. The last line before `bestmove` must still be consistent.
#[track_caller]
pub(crate) fn stop_at_any_moment(engine: &mut Engine, times: usize) {
    let mut random = SplitMix64::new(1);
    for nth in 0..times {
        let game = Game::from_fen(SAMPLES[nth % SAMPLES.len()].1);
        engine.send(&game.position());
        engine.send("go infinite");
        let mut to_come = 1 + random.below(8);
        let mut lines = Vec::new();
        while to_come > 0 {
            // A small tree may be searched completely, so that no more lines come: stop it then too.
            let more = engine.expect_silence(Duration::from_millis(20), |line| line.starts_with("bestmove"));
            to_come = if more.is_empty() { 0 } else { to_come.saturating_sub(more.len()) };
            lines.extend(more);
        }
        engine.send("stop");
        lines.extend(engine.wait_for("bestmove", SEARCH));
        let search = engine.search(&lines);
        game.judge(engine, &search);
    }
    engine.expect_no_bestmove();
}
