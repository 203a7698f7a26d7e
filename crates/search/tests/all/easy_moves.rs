//! Easy moves take a part of the time for a move, and no other search changes. Time is counted in nodes.

use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position};
use bartizan_search::{Clock, Limits, Search, SearchEvent, SearchResult, Searcher, TranspositionTable};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

/// Black takes the queen with the king or the knight; there is no other move.
const FORCED_RECAPTURE: &str = "r1bQkbnr/ppp2ppp/2n5/4p3/2P1P3/8/PP3PPP/RNB1KBNR b KQkq - 0 5";

/// White takes the queen with the knight, or is a queen down.
const RECAPTURE: &str = "r1b1kbnr/1pp2ppp/p1p5/8/3qP3/5N2/PPP2PPP/RNB1K2R w KQkq - 0 7";

/// Middlegames with several good moves.
const HARD: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 5 8",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
];

/// A minute for the game, in which a second has as many nodes as the rate.
fn a_minute() -> Limits {
    let clock = Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None };
    let mut limits = Limits::clock(clock);
    limits.node_rate = NonZeroU64::new(100_000);
    limits
}

/// The nodes of the soft limit for [`a_minute`].
const TARGET: u64 = 100_000 * 60 / 26;

fn search(fen: &str, limits: Limits, lines: usize) -> (SearchResult, bool) {
    let mut search = Search::new(Game::new(Position::from_fen(fen).unwrap()), limits).with_multipv(lines);
    search.trace = true;
    let mut is_easy = false;
    let mut listen = |event| {
        if let SearchEvent::Weighed { easy, .. } = event {
            is_easy = easy;
        }
    };
    let table = Arc::new(TranspositionTable::new(4).unwrap());
    let mut searcher = Searcher::new(HandCrafted::new).unwrap();
    let result = searcher.search(search, &table, &|| false, Some(&mut listen));
    (result, is_easy)
}

#[test]
fn easy_moves_take_a_fifth_of_the_target() {
    for (fen, moves) in [(FORCED_RECAPTURE, ["c6d8", "e8d8"].as_slice()), (RECAPTURE, &["f3d4"])] {
        let (result, is_easy) = search(fen, a_minute(), 1);
        assert!(is_easy && moves.contains(&result.best.unwrap().to_string().as_str()), "{fen}: {result:?}");
        // The length of the last iteration differs.
        assert!((TARGET / 10..TARGET * 2 / 5).contains(&result.nodes), "{fen}: {result:?}");
    }
}

#[test]
fn hard_moves_are_not_cut() {
    for fen in HARD {
        let (result, is_easy) = search(fen, a_minute(), 1);
        assert!(!is_easy && result.nodes > TARGET / 2, "{fen}: {result:?}");
    }
}

/// A limit other than the clock has its own use of the time and nodes, and several lines are all wanted.
#[test]
fn only_a_clock_makes_moves_easy() {
    let mut with_budget = a_minute();
    with_budget.node_budget = Some(100_000);
    let limits = [
        a_minute().with_nodes(100_000),
        a_minute().with_depth(16),
        a_minute().with_move_time(Duration::from_secs(1)),
        with_budget,
    ];
    for limits in limits {
        let (result, is_easy) = search(FORCED_RECAPTURE, limits.clone(), 1);
        assert!(!is_easy, "{limits:?}: {result:?}");
    }
    let (result, is_easy) = search(RECAPTURE, a_minute(), 2);
    assert!(!is_easy && result.nodes > TARGET / 2, "{result:?}");
}
