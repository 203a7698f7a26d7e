//! The limits of `go`, alone and combined: the first one reached ends the search.

use crate::support::{Engine, Game, KIWIPETE, MATE_IN_TWO, Score, Search};

/// Number of nodes by which a search may exceed its limit, because it only checks the limit occasionally.
const NODES_SLACK: u64 = 5_000;

fn deepest(search: &Search) -> u64 {
    search.infos.iter().filter_map(|info| info.depth).max().unwrap_or(0)
}

fn most_nodes(search: &Search) -> u64 {
    search.infos.iter().filter_map(|info| info.nodes).max().unwrap_or(0)
}

#[test]
fn depth_is_reached_and_not_exceeded() {
    let mut engine = Engine::ready();
    for game in [Game::startpos(""), Game::from_fen(KIWIPETE)] {
        for depth in 1..=6 {
            engine.send("ucinewgame");
            engine.send(&game.position());
            let search = engine.go(&format!("go depth {depth}"));
            game.judge(&engine, &search);
            assert_eq!(deepest(&search), depth);
            // Every depth on the way is reported.
            for below in 1..=depth {
                assert!(search.infos.iter().any(|info| info.depth == Some(below) && info.is_exact_pv()), "no {below}");
            }
        }
    }
}

#[test]
fn nodes_are_not_exceeded_by_much() {
    let mut engine = Engine::ready();
    let game = Game::startpos("e2e4 e7e5");
    for limit in [1, 2, 100, 5_000, 50_000] {
        engine.send("ucinewgame");
        engine.send(&game.position());
        let search = engine.go(&format!("go nodes {limit}"));
        game.judge(&engine, &search);
        assert!(most_nodes(&search) <= limit + NODES_SLACK, "{limit}: {}", most_nodes(&search));
    }
}

#[test]
fn movetime_ends_the_search() {
    let mut engine = Engine::ready();
    let game = Game::from_fen(KIWIPETE);
    for limit in [1, 20, 200] {
        engine.send(&game.position());
        let search = engine.go(&format!("go movetime {limit}"));
        game.judge(&engine, &search);
    }
}

#[test]
fn mate_is_found_in_moves_and_ends_the_search() {
    let mut engine = Engine::ready();
    let game = Game::from_fen(MATE_IN_TWO);
    for go in ["go mate 2", "go mate 2 movetime 20000"] {
        engine.send("ucinewgame");
        engine.send(&game.position());
        let search = engine.go(go);
        game.judge(&engine, &search);
        assert_eq!(search.best, "a1a6");
        let last = search.infos.iter().rfind(|info| info.is_exact_pv()).unwrap();
        assert_eq!(last.score, Some(Score::Mate(2)));
    }
}

#[test]
fn mate_scores_are_in_moves_and_have_the_movers_sign() {
    let mut engine = Engine::ready();
    for (fen, mate, depth) in [
        ("r5k1/5ppp/8/8/8/8/3R1PPP/3R2K1 w - - 0 1", 2, 12),
        // A zugzwang, which null-move pruning hides from shallow searches.
        (MATE_IN_TWO, 2, 36),
        ("kbK5/pp6/RP6/8/8/8/8/8 b - - 1 1", -1, 12),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, 12),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1, 12),
    ] {
        engine.send("ucinewgame");
        let game = Game::from_fen(fen);
        engine.send(&game.position());
        let search = engine.go(&format!("go depth {depth}"));
        game.judge(&engine, &search);
        let last = search.infos.iter().rfind(|info| info.is_exact_pv()).unwrap();
        assert_eq!(last.score, Some(Score::Mate(mate)), "{fen}");
        // The line shows the whole mate.
        let end = game.follow(&last.pv).unwrap();
        assert!(end.is_mate(), "{fen}: the pv does not end in mate");
        assert_eq!(last.pv.len() as i64, if mate > 0 { 2 * mate - 1 } else { -2 * mate }, "{fen}");
    }
}

#[test]
fn searchmoves_restricts_the_choice() {
    let mut engine = Engine::ready();
    let game = Game::startpos("");
    engine.send(&game.position());
    for (go, allowed) in [
        ("go depth 4 searchmoves a2a3 h2h3", &["a2a3", "h2h3"][..]),
        ("go searchmoves a2a3 h2h3 depth 4", &["a2a3", "h2h3"]),
        ("go searchmoves g1h3 depth 4", &["g1h3"]),
        ("go movetime 50 searchmoves f2f3", &["f2f3"]),
        ("go nodes 2000 searchmoves f2f3 g2g4", &["f2f3", "g2g4"]),
        ("go depth 4 searchmoves g2g4 g2g4", &["g2g4"]),
    ] {
        let search = engine.go(go);
        game.judge(&engine, &search);
        assert!(allowed.contains(&search.best.as_str()), "`{go}` gave {}", search.best);
        for info in search.infos.iter().filter(|info| !info.pv.is_empty()) {
            assert!(allowed.contains(&info.pv[0].as_str()), "`{go}` showed {}", info.pv[0]);
        }
    }
    // The restriction applies to one `go` only.
    let search = engine.go("go depth 4");
    assert!(!["f2f3", "g2g4"].contains(&search.best.as_str()));
    // With illegal moves, there is still exactly one answer.
    for go in ["go depth 2 searchmoves e2e5", "go depth 2 searchmoves", "go searchmoves xyz depth 2"] {
        let best = engine.go(go).best;
        assert!(best == "(none)" || game.is_legal(&best), "`{go}` gave {best}");
    }
    engine.expect_no_bestmove();
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let mut engine = Engine::ready();
    let game = Game::from_fen(KIWIPETE);
    for (go, depth, nodes) in [
        ("go depth 3 nodes 1000000000 movetime 600000", 3, u64::MAX),
        ("go movetime 600000 nodes 1000000000 depth 3", 3, u64::MAX),
        ("go wtime 600000000 btime 600000000 depth 2", 2, u64::MAX),
        ("go depth 100 nodes 3000", 100, 3_000),
        ("go nodes 3000 wtime 600000000 btime 600000000", u64::MAX, 3_000),
        ("go movetime 100 depth 100 nodes 1000000000", 100, u64::MAX),
        ("go depth 100 wtime 300 btime 300", 100, u64::MAX),
        ("go mate 9 depth 3", 3, u64::MAX),
        ("go mate 9 nodes 3000", u64::MAX, 3_000),
    ] {
        engine.send("ucinewgame");
        engine.send(&game.position());
        let search = engine.go(go);
        game.judge(&engine, &search);
        assert!(deepest(&search) <= depth, "`{go}` went to depth {}", deepest(&search));
        assert!(most_nodes(&search) <= nodes.saturating_add(NODES_SLACK), "`{go}`: {} nodes", most_nodes(&search));
    }
}

#[test]
fn limits_that_are_nonsense_leave_a_move() {
    let mut engine = Engine::ready();
    let game = Game::startpos("");
    for go in [
        "go depth 0 movetime 50",
        "go depth -1 movetime 50",
        "go depth 99999999999 nodes 1000",
        "go nodes 0 depth 2",
        "go nodes -1 depth 2",
        "go nodes 99999999999999999999999 depth 2",
        "go mate 0 depth 2",
        "go mate -1 depth 2",
        "go depth x movetime 50",
        "go what depth 2 ever",
    ] {
        engine.send(&game.position());
        let best = engine.go(go).best;
        assert!(game.is_legal(&best), "`{go}` gave {best}");
    }
}

#[test]
fn bare_go_has_one_answer() {
    let mut engine = Engine::ready();
    // It may mean `go infinite` or a limit of the engine's choice: in both cases there is one answer.
    engine.send_bytes(b"position startpos\ngo\nstop\n");
    assert!(Game::startpos("").is_legal(&engine.bestmove().best));
    engine.expect_no_bestmove();
}

#[test]
fn a_go_without_a_valid_limit_does_not_search_for_ever() {
    let mut engine = Engine::ready();
    for line in ["go depth abc", "go depht 5", "go movetime", "go nodes -", "go searchmoves e2e4 depth x"] {
        engine.send("position startpos");
        let search = engine.go(line);
        assert_eq!(deepest(&search), 1, "{line}");
    }
    // A valid limit applies despite an invalid one.
    assert_eq!(deepest(&engine.go("go depth 3 nodes abc")), 3);
}
