//! Searching in the caller's thread.

use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position};
use bartizan_search::{Limits, Search, SearchEvent, SearchResult, Searcher, Stopwatch, ThreadPool, TranspositionTable};
use bartizan_testkit::PanickingEvaluator;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::Duration;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn table() -> Arc<TranspositionTable> {
    Arc::new(TranspositionTable::new(4).unwrap())
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

/// Without the fields that depend on the clock.
fn timeless(result: SearchResult) -> SearchResult {
    let mut result = result;
    result.time = Duration::ZERO;
    result
}

/// In every search, it finds what a thread of a pool finds, with the same nodes.
#[test]
fn it_searches_as_a_pool_of_one_thread() {
    let mut pool = ThreadPool::new(1, HandCrafted::new).unwrap();
    let mut searcher = Searcher::new(HandCrafted::new).unwrap();
    let tables = [table(), table()];
    for round in 0..2 {
        for fen in [KIWIPETE, "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
            for limits in [Limits::depth(7), Limits::nodes(20_000), Limits::mate(2)] {
                let search = Search::new(game(fen), limits.clone()).with_multipv(1 + round);
                let expected = pool.search(search.clone(), tables[0].clone());
                let mut last = None;
                let result = searcher.search(search, &tables[1], &|| false, Some(&mut |event| last = Some(event)));
                assert!(matches!(last, Some(SearchEvent::Finished(finished)) if finished == result));
                assert_eq!(timeless(result), timeless(expected), "{fen} {limits:?}");
            }
        }
        pool.clear();
        searcher.clear();
    }
}

/// The caller's stop signal and clock, without the system clock.
#[test]
fn stop_and_clock_are_the_callers() {
    let mut searcher = Searcher::new(HandCrafted::new).unwrap();
    let asked = Cell::new(0);
    let is_stopped = || asked.replace(asked.get() + 1) >= 20;
    let result = searcher.search(Search::new(game(KIWIPETE), Limits::infinite()), &table(), &is_stopped, None);
    assert!(result.best.is_some() && (10_000..40_000).contains(&result.nodes), "{result:?}");

    // A millisecond passes at each call.
    let time = Arc::new(AtomicI64::new(0));
    let stopwatch = Stopwatch::of(move || Duration::from_millis(time.fetch_add(1, Relaxed) as u64));
    let search = Search::new(game(KIWIPETE), Limits::move_time(Duration::from_millis(100))).with_stopwatch(stopwatch);
    let result = searcher.search(search, &table(), &|| false, None);
    assert!(result.best.is_some() && (100..400).contains(&result.time.as_millis()), "{result:?}");
}

/// The documented stack suffices for the deepest lines.
#[test]
fn three_mebibytes_of_stack_suffice() {
    let search = || {
        let mut searcher = Searcher::new(HandCrafted::new).unwrap();
        // Rooks that give perpetual check, and a full board.
        for fen in ["4k2r/r6r/8/8/8/8/R6R/4K2R w K - 0 1", "7q/8/8/8/8/2k5/8/1K6 w - - 0 1", KIWIPETE] {
            let limits = Limits::nodes(300_000);
            let result = searcher.search(Search::new(game(fen), limits), &table(), &|| false, None);
            assert!(result.depth > 5, "{fen}: {result:?}");
        }
        let mate =
            Search::new(game("7q/8/8/8/8/2k5/8/1K6 b - - 0 1"), Limits::mate(60).with_depth(120).with_nodes(300_000));
        let _ = searcher.search(mate, &table(), &|| false, None);
    };
    std::thread::Builder::new().stack_size(3 << 20).spawn(search).unwrap().join().unwrap();
}

/// A panic is propagated to the caller; the next search is complete again.
#[test]
fn it_can_be_used_after_a_panic() {
    let fuse = Arc::new(AtomicI64::new(-1));
    let counter = fuse.clone();
    let mut searcher = Searcher::new(move || PanickingEvaluator::new(counter.clone())).unwrap();
    let mut search = || {
        let search = Search::new(Game::default(), Limits::depth(6));
        searcher.search(search, &table(), &|| false, None)
    };
    fuse.store(300, Relaxed);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut search)).is_err());
    assert_eq!(search().depth, 6);
}
