//! The `info` lines of a search: well formed, legal, complete with MultiPV, and consistent with the bestmove.

use crate::support::{Engine, Game, Info, SAMPLES, SINGLE_REPLY};

#[test]
fn the_last_line_before_bestmove_begins_with_it() {
    let mut engine = Engine::ready();
    for (what, fen) in SAMPLES {
        let game = Game::from_fen(fen);
        for go in ["go depth 5", "go nodes 3000", "go movetime 30", "go wtime 500 btime 500"] {
            engine.send(&game.position());
            let search = engine.go(go);
            assert!(search.infos.iter().any(Info::is_exact_pv), "{what}: `{go}` shows no line");
            // The last line may be a lower bound only if the search was stopped within an iteration.
            let last = search.infos.iter().rfind(|info| info.score.is_some());
            assert!(!go.contains("depth") || last.is_some_and(Info::is_exact_pv), "{what}: {last:?}");
            game.judge(&engine, &search);
        }
    }
}

#[test]
fn a_line_has_depth_score_nodes_time_and_speed() {
    let mut engine = Engine::ready();
    let search = engine.go("go depth 6");
    for info in search.infos.iter().filter(|info| !info.pv.is_empty()) {
        let told = info.depth.is_some() && info.score.is_some() && info.nodes.is_some() && info.time.is_some();
        assert!(told && info.nps.is_some(), "{info:?}");
        assert!(info.hashfull.is_none_or(|permill| permill <= 1000), "{info:?}");
    }
    let nodes: Vec<u64> = search.infos.iter().filter_map(|info| info.nodes).collect();
    assert!(nodes.is_sorted(), "{nodes:?}");
}

#[test]
fn lines_know_the_repetitions_of_the_game() {
    let mut engine = Engine::ready();
    let game = Game::startpos("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
    engine.send(&game.position());
    let search = engine.go("go depth 6");
    game.judge(&engine, &search);
}

#[test]
fn multipv_shows_every_line_of_a_depth_together_and_in_order() {
    multipv(&mut Engine::with_options(&[("MultiPV", "3")]));
}

/// Checks the three best lines in several positions. MultiPV must already be 3.
#[track_caller]
pub(crate) fn multipv(engine: &mut Engine) {
    const DEPTH: u64 = 5;
    for (what, fen) in SAMPLES {
        let game = Game::from_fen(fen);
        let count = game.legal_moves().len().min(3) as u64;
        engine.send(&game.position());
        let search = engine.go(&format!("go depth {DEPTH}"));
        game.judge(engine, &search);
        let exact: Vec<&Info> = search.infos.iter().filter(|info| info.is_exact_pv()).collect();
        assert!(exact.iter().all(|info| (1..=count).contains(&info.line())), "{what}: a line too many");
        // A group: lines 1 to `count` in order.
        let groups: Vec<&[&Info]> = exact
            .windows(count as usize)
            .filter(|group| group.iter().zip(1..).all(|(info, line)| info.line() == line))
            .collect();
        let is_whole = |group: &[&Info]| group.iter().all(|info| info.depth == group[0].depth);
        for group in &groups {
            // After a second, a group may have been completed with lines of the previous iteration.
            let depth = group[0].depth.unwrap();
            let depths: Vec<u64> = group.iter().filter_map(|info| info.depth).collect();
            assert!(
                depths.is_sorted_by(|a, b| a >= b) && depths.iter().all(|&other| other + 1 >= depth),
                "{what}: {group:?}"
            );
            let mut moves: Vec<&str> = group.iter().map(|info| info.pv[0].as_str()).collect();
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len() as u64, count, "{what}: the same first move twice in {group:?}");
            assert!(
                !is_whole(group)
                    || group.windows(2).all(|pair| pair[0].score.unwrap().worth() >= pair[1].score.unwrap().worth()),
                "{what}: not sorted by score: {group:?}"
            );
        }
        // A single reply or a short mate may end the search early; otherwise every depth is complete.
        if count == 3 && !search.infos.iter().any(|info| matches!(info.score, Some(crate::support::Score::Mate(_)))) {
            for depth in 1..=DEPTH {
                let is_it = |group: &&[&Info]| group[0].depth == Some(depth) && is_whole(group);
                assert!(groups.iter().any(is_it), "{what}: depth {depth} not complete");
            }
        }
    }
}

#[test]
fn multipv_of_more_than_the_legal_moves_shows_them_all() {
    let mut engine = Engine::with_options(&[("MultiPV", "200")]);
    for fen in [SINGLE_REPLY, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", crate::support::KIWIPETE] {
        let game = Game::from_fen(fen);
        engine.send(&game.position());
        let search = engine.go("go depth 2");
        game.judge(&engine, &search);
        let most = search.infos.iter().filter(|info| info.is_exact_pv()).map(Info::line).max();
        assert_eq!(most, Some(game.legal_moves().len() as u64), "{fen}");
    }
}

#[test]
fn multipv_respects_searchmoves() {
    let mut engine = Engine::with_options(&[("MultiPV", "3")]);
    let search = engine.go("go depth 4 searchmoves a2a3 h2h3");
    let mut first: Vec<&str> =
        search.infos.iter().filter(|info| info.is_exact_pv()).map(|info| info.pv[0].as_str()).collect();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first, ["a2a3", "h2h3"]);
}
