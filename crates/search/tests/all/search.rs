//! Tests of the public API: results, limits, signals and events.

use bartizan_eval::{Evaluator, HandCrafted, KNOWN_WIN, ORDINARY_MAX};
use bartizan_position::{Game, Position, Tolerance};
use bartizan_search::{Clock, Limits, Search, SearchEvent, SearchInfo, SearchResult, ThreadPool, TranspositionTable};
use bartizan_testkit::PanickingEvaluator;
use bartizan_types::{Bound, Move, Square, Value};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

fn pool(threads: usize) -> ThreadPool {
    ThreadPool::new(threads, HandCrafted::new).unwrap()
}

fn table() -> Arc<TranspositionTable> {
    Arc::new(TranspositionTable::new(4).unwrap())
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn search(fen: &str, limits: Limits) -> SearchResult {
    pool(1).go(Search::new(game(fen), limits), table()).wait()
}

/// Plays a line and returns the resulting position. Every move must be legal.
fn follow(root: &Position, pv: &[bartizan_types::Move]) -> Position {
    pv.iter().fold(root.clone(), |position, &mv| position.play(mv).expect("a pv is legal"))
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, moves, depth) in [
        // In order: back rank, smothered mate, two rooks, promotion, quiet first move, rook and king.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, 3),
        ("r5rk/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1", 1, 4),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2, 6),
        ("8/5P1k/7p/5K1P/8/8/8/8 w - - 0 1", 3, 16),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, 20),
        ("4k3/8/4K3/8/8/8/8/7R w - - 0 1", 1, 3),
    ] {
        let result = search(fen, Limits::depth(depth));
        let found = result.value.mate_in_moves();
        assert!(found.is_some_and(|found| found > 0 && found <= moves), "{fen}: {found:?}, {:?}", result.pv);
        let root = Position::from_fen(fen).unwrap();
        assert!(follow(&root, &result.pv).is_checkmate(), "{fen}: {:?}", result.pv);
        assert_eq!(result.pv.len() as i32, 2 * found.unwrap_or(0) - 1, "{fen}");
    }
}

/// A search for a mate misses nothing that a normal search may have pruned, and proves that there is no shorter mate.
#[test]
fn mate_searches_are_exact() {
    let mate = |moves| Limits::mate(moves);
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let mut pool = pool(1);
    let table = table();
    // The entries of a normal search must not be used.
    pool.go(Search::new(game(fen), Limits::depth(8)), table.clone()).wait();
    let result = pool.go(Search::new(game(fen), mate(2)), table.clone()).wait();
    assert_eq!(result.value.mate_in_moves(), Some(2));
    assert_eq!(result.depth, 3);
    let none = pool.go(Search::new(game(fen), mate(1)), table).wait();
    assert_eq!((none.value.mate_in_moves(), none.depth), (None, 1));
}

#[test]
fn draws_are_recognised() {
    // In order: stalemate, a lone knight, the 50-move rule one ply away, perpetual check.
    for fen in [
        "k7/2Q5/8/8/8/8/8/K7 b - - 0 1",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4k3/8/8/8/8/8/R7/4K3 w - - 99 80",
        "6k1/6p1/8/6PQ/8/8/1r4PK/qr6 w - - 0 1",
    ] {
        assert_eq!(search(fen, Limits::depth(8)).value, Value::DRAW, "{fen}");
    }
}

/// A move that repeats a position for the third time is a draw, whatever the material.
#[test]
fn repetitions_of_the_game_before_the_root_count() {
    let mut game = game("7k/8/8/8/8/8/8/K2Q4 w - - 0 1");
    for _ in 0..2 {
        for mv in ["d1d2", "h8g8", "d2d1", "g8h8"] {
            game.push(game.position().parse_uci(mv).unwrap()).unwrap();
        }
    }
    let value = |mv: &str| {
        let limits = Limits::depth(6).with_search_moves([game.position().parse_uci(mv).unwrap()]);
        pool(1).go(Search::new(game.clone(), limits), table()).wait().value
    };
    assert_eq!(value("d1d2"), Value::DRAW);
    assert!(value("d1d3") > Value(500));
}

#[test]
fn a_root_without_legal_moves_has_a_result() {
    let mated = search("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Limits::depth(5));
    assert_eq!((mated.best, mated.value.mate_in_moves()), (None, Some(0)));
    let stalemated = search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Limits::depth(5));
    assert_eq!((stalemated.best, stalemated.value), (None, Value::DRAW));
}

#[test]
fn one_thread_is_deterministic_and_counts_nodes_exactly() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let first = search(fen, Limits::depth(7));
    let second = search(fen, Limits::depth(7));
    assert_eq!((first.nodes, first.value, &first.pv), (second.nodes, second.value, &second.pv));
    let first_iteration = search(fen, Limits::depth(1)).nodes;
    for nodes in [1, 2, 100, 5_000, 20_001] {
        let result = search(fen, Limits::nodes(nodes));
        assert_eq!(result.nodes, nodes.max(first_iteration));
        assert!(result.best.is_some());
    }
}

/// A search with a small budget is that of one thread, regardless of the number of threads.
#[test]
fn a_small_budget_is_exact() {
    let mut limits = Limits::default();
    limits.node_budget = Some(20_000);
    let found = |threads| {
        let search = Search::new(Game::default(), limits.clone());
        let result = pool(threads).go(search, table()).wait();
        (result.best, result.value, result.pv, result.nodes)
    };
    let alone = found(1);
    assert_eq!(alone.3, 20_000);
    assert_eq!(found(3), alone);
}

/// A search with soft nodes is the search to the depth whose iteration first reaches them.
#[test]
fn soft_nodes_end_with_a_whole_iteration() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let soft = search(fen, Limits::nodes(1_000_000).with_soft_nodes(2_000));
    assert!(soft.nodes >= 2_000 && soft.nodes < 100_000, "{}", soft.nodes);
    let whole = search(fen, Limits::depth(soft.depth));
    assert_eq!((soft.nodes, soft.value, &soft.pv), (whole.nodes, whole.value, &whole.pv));
    assert!(search(fen, Limits::depth(soft.depth - 1)).nodes < 2_000);
    assert_eq!(search(fen, Limits::nodes(2_500).with_soft_nodes(2_499)).nodes, 2_500);
}

/// With any limits and signals, the answer comes from at least a one-ply search.
#[test]
fn every_answer_is_searched() {
    let long_ago = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
    let ms = Duration::from_millis;
    let clock = Clock { remaining: ms(50), increment: Duration::ZERO, moves_to_go: None };
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let only = |moves: &[&str]| -> Vec<Move> {
        moves.iter().map(|mv| Position::from_fen(kiwipete).unwrap().parse_uci(mv).unwrap()).collect()
    };
    for (fen, moves) in [
        (kiwipete, vec![]),
        (kiwipete, only(&["a2a3", "e1g1", "e5g6"])),
        // The last of 34 moves mates.
        ("6k1/5ppp/8/8/8/1B6/1Q6/R5K1 w - - 0 1", vec![]),
        // Chess960, with both castling moves.
        ("1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w KQkq - 0 1", vec![]),
    ] {
        for lines in [1, 3] {
            let mut pool = pool(1);
            let mut go = |limits: Limits, started| {
                let search = Search::new(game(fen), limits.with_search_moves(moves.iter().copied()));
                pool.clear();
                let (infos, result) = infos(pool.go(search.with_multipv(lines).started_at(started), table()));
                (infos.len(), result.best, result.value, result.depth, result.pv, result.nodes)
            };
            let expected = go(Limits::depth(1), Instant::now());
            assert_eq!(expected.3, 1);
            for limits in [Limits::clock(clock), Limits::move_time(ms(1)), Limits::nodes(1)] {
                assert_eq!(go(limits.clone(), long_ago), expected, "{fen}: {limits:?}");
            }
            for limits in [Limits::infinite(), Limits::clock(clock).pondering()] {
                // Stopped before it begins: it waits in the queue.
                let _running = pool.go(Search::new(game(fen), Limits::infinite()), table());
                pool.clear();
                let search = Search::new(game(fen), limits.with_search_moves(moves.iter().copied()));
                let queued = pool.go(search.with_multipv(lines).started_at(long_ago), table());
                queued.stop();
                _running.stop();
                let (infos, result) = infos(queued);
                let found = (infos.len(), result.best, result.value, result.depth, result.pv, result.nodes);
                assert_eq!(found, expected, "{fen}: stopped");
            }
        }
    }
}

/// Quiescence cannot keep a search that must end: with sixteen queens on each side it would take billions of nodes.
#[test]
fn an_explosion_of_captures_ends_with_the_limits() {
    for fen in [
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "q1q1k1q1/1q1q1q1q/q1q1q1q1/8/8/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1QK1Q1 w - - 0 1",
    ] {
        for lines in [1, 256] {
            let game = Game::new(Position::from_fen_with(fen, Tolerance::ALL).unwrap());
            let search = Search::new(game, Limits::nodes(1)).with_multipv(lines);
            let (infos, result) = infos(pool(1).go(search, table()));
            assert_eq!(result.depth, 1, "{fen}");
            assert!(result.nodes < 100_000, "{fen}: {} nodes", result.nodes);
            let last = infos.iter().rfind(|info| info.multipv == 1).unwrap();
            assert_eq!(last.pv.first().copied(), result.best);
        }
    }
}

fn infos(handle: bartizan_search::SearchHandle) -> (Vec<SearchInfo>, SearchResult) {
    let mut infos = Vec::new();
    let result = handle.wait_with(|event| {
        if let SearchEvent::Info(info) = event {
            infos.push(info.clone());
        }
    });
    (infos, result)
}

#[test]
fn the_last_line_is_that_of_the_result() {
    let mut pool = pool(2);
    let table = table();
    let fen = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7";
    for nodes in [1, 50, 3_000, 40_000, 100_000] {
        let (infos, result) = infos(pool.go(Search::new(game(fen), Limits::nodes(nodes)), table.clone()));
        let last = infos.last().unwrap();
        assert_eq!((last.value, last.bound, &last.pv), (result.value, result.bound, &result.pv));
        assert_eq!(last.pv.first().copied(), result.best);
        for info in &infos {
            follow(&Position::from_fen(fen).unwrap(), &info.pv);
        }
    }
}

/// A search that stops in the middle of an iteration keeps the last exact line, or has a better move whose value is a
/// lower bound. Both include a reply, and an exact mate its whole line.
#[test]
fn an_interrupted_iteration_leaves_a_whole_line() {
    let (mut pool, table) = (pool(1), table());
    let (mut bounds, mut mates, mut without_reply) = (0, 0, 0);
    for fen in [
        "8/R7/1k6/8/4r3/R3K3/8/N7 w - - 0 1",
        "r1bqkb1r/pp3ppp/2np1n2/4p3/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 7",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    ] {
        for nodes in (500..12_000).step_by(250) {
            pool.clear();
            table.clear();
            let (infos, result) = infos(pool.go(Search::new(game(fen), Limits::nodes(nodes)), table.clone()));
            let settled = infos.iter().rev().find(|info| info.depth == result.depth && info.bound == Bound::Exact);
            let settled = settled.and_then(|info| info.pv.first().copied());
            let end = follow(game(fen).position(), &result.pv);
            without_reply += usize::from(result.ponder.is_none() && !end.is_checkmate());
            match (result.bound, result.value.plies_to_mate()) {
                (Bound::Exact, None) => {}
                (Bound::Exact, Some(plies)) => {
                    mates += 1;
                    assert_eq!(result.pv.len() as i32, plies, "{fen}, {nodes} nodes");
                    assert!(end.is_checkmate(), "{fen}, {nodes} nodes");
                }
                (bound, _) => {
                    bounds += 1;
                    assert_eq!(bound, Bound::Lower);
                    assert_ne!(result.best, settled, "{fen}, {nodes} nodes");
                }
            }
        }
    }
    assert!(bounds > 0 && mates > 0, "{bounds} bounds, {mates} mates");
    assert_eq!(without_reply, 0);
}

#[test]
fn multipv_lines_are_distinct_and_in_order() {
    let search = Search::new(Game::default(), Limits::depth(6)).with_multipv(4);
    let (infos, result) = infos(pool(1).go(search, table()));
    for depth in 1..=6 {
        let is_whole =
            |lines: &&[SearchInfo]| lines.iter().zip(1..).all(|(info, n)| (info.multipv, info.depth) == (n, depth));
        let lines = infos.windows(4).find(is_whole).unwrap();
        assert!(lines.is_sorted_by(|a, b| a.value >= b.value));
        assert_distinct(lines);
    }
    // No set comes twice, and none is incomplete.
    let expected: Vec<_> = (1..=6).flat_map(|depth| (1..=4).map(move |line| (line, depth))).collect();
    assert_eq!(infos.iter().map(|info| (info.multipv, info.depth)).collect::<Vec<_>>(), expected);
    assert_eq!(result.best, infos[20].pv.first().copied());
}

/// At a depth limit every line comes once, however many threads search; a search that stops within an iteration
/// repeats its lines, as a whole set, with the statistics of the whole search.
#[test]
fn lines_are_repeated_only_as_a_set_with_later_statistics() {
    for (threads, multipv) in [(1, 1), (1, 2), (1, 5), (3, 1), (3, 2)] {
        let last = |limits| {
            let search = Search::new(Game::default(), limits).with_multipv(multipv);
            let (infos, result) = infos(pool(threads).go(search, table()));
            let set = infos[infos.len() - multipv..].to_vec();
            assert!(set.iter().zip(1..).all(|(info, line)| info.multipv == line), "{threads} {multipv}: {infos:?}");
            assert_eq!(result.best, Some(set[0].pv[0]));
            (infos, set)
        };
        let (infos, _) = last(Limits::depth(5));
        let deepest = infos.iter().filter(|info| info.depth == 5).count();
        assert_eq!(deepest, multipv, "{threads} {multipv}: {infos:?}");
        let (infos, set) = last(Limits::nodes(3_000));
        assert!(set.iter().all(|info| info.nodes >= 3_000), "{threads} {multipv}: {infos:?}");
        let enough = infos.iter().filter(|info| info.nodes >= 3_000).count();
        // With several threads, the set of the first one, and then the lines of the thread whose result is taken.
        assert!(enough == multipv || threads > 1 && enough == 2 * multipv, "{threads} {multipv}: {infos:?}");
    }
}

/// The first moves of lines, which must be distinct.
fn assert_distinct(lines: &[SearchInfo]) {
    let mut firsts: Vec<_> = lines.iter().map(|info| info.pv[0]).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), lines.len(), "{lines:?}");
}

/// After the first second, all lines are reported as soon as a new one is found.
#[test]
fn lines_of_a_long_search_are_reported_one_by_one() {
    let long_ago = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
    let search = Search::new(Game::default(), Limits::depth(5)).with_multipv(3).started_at(long_ago);
    let (infos, _) = infos(pool(1).go(search, table()));
    let mut expected = vec![(1, 1), (2, 1), (3, 1)];
    for depth in 2..=5 {
        for new in 1..=3 {
            expected.extend((1..=3).map(|line| (line, if line <= new { depth } else { depth - 1 })));
        }
    }
    assert_eq!(infos.iter().map(|info| (info.multipv, info.depth)).collect::<Vec<_>>(), expected);
    infos.chunks(3).for_each(assert_distinct);
}

/// When a search for several lines stops in the middle of an iteration, the lines that it has found come first,
/// followed by those of the previous iteration.
#[test]
fn an_interrupted_iteration_keeps_its_finished_lines() {
    let fen = "r1bqkb1r/pp3ppp/2np1n2/4p3/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 7";
    let (mut pool, table) = (pool(1), table());
    let mut numbers = [0; 3];
    for nodes in (2_000..16_000).step_by(400) {
        pool.clear();
        table.clear();
        let search = Search::new(game(fen), Limits::nodes(nodes)).with_multipv(3);
        let (infos, result) = infos(pool.go(search, table.clone()));
        let [.., first, second, third] = &infos[..] else { panic!("{infos:?}") };
        let lines = [first, second, third].map(Clone::clone);
        assert_eq!(lines.each_ref().map(|info| info.multipv), [1, 2, 3]);
        assert_distinct(&lines);
        let newer = lines.iter().take_while(|info| info.depth == result.depth + 1).count();
        assert!(lines[newer..].iter().all(|info| info.depth == result.depth), "{nodes} nodes: {lines:?}");
        assert!(lines[..newer].is_sorted_by(|a, b| a.value >= b.value));
        assert!(lines.iter().all(|info| info.nodes == result.nodes), "{lines:?}");
        assert_eq!((result.best, result.value), (Some(first.pv[0]), first.value));
        numbers[newer] += 1;
    }
    assert!(numbers.iter().all(|&number| number > 0), "{numbers:?}");
}

#[test]
fn only_search_moves_are_considered() {
    let start = Game::default();
    let only: Vec<_> = ["a2a3", "h2h3"].iter().map(|mv| start.position().parse_uci(mv).unwrap()).collect();
    let limits = Limits::depth(5).with_search_moves(only.iter().copied());
    let result = pool(1).go(Search::new(start, limits), table()).wait();
    assert!(only.contains(&result.best.unwrap()));
}

/// Gives every position the same value, from White's view.
struct Constant(i32);

impl Evaluator for Constant {
    fn evaluate(&mut self, position: &Position) -> Value {
        Value(if position.turn().is_white() { self.0 } else { self.0.saturating_neg() })
    }
}

#[test]
fn evaluations_of_any_size_are_taken_for_values_in_range() {
    let value = |constant| {
        let mut pool = ThreadPool::new(1, move || Constant(constant)).unwrap();
        pool.go(Search::new(Game::default(), Limits::depth(4)), table()).wait().value
    };
    let certain = KNOWN_WIN..=Value::EVAL_MAX;
    for (constant, expected) in [
        (300, Value(300)..=Value(300)),
        (ORDINARY_MAX.0 + 500, ORDINARY_MAX..=ORDINARY_MAX),
        (KNOWN_WIN.0 + 1_000, certain.clone()),
        (70_000, certain.clone()),
        (i32::MAX, certain),
    ] {
        assert!(expected.contains(&value(constant)), "{constant}: {:?}", value(constant));
        assert!(expected.contains(&-value(-constant)), "{}: {:?}", -constant, value(-constant));
    }
    assert!(value(i32::MIN) <= -KNOWN_WIN);
}

#[test]
fn illegal_search_moves_are_left_out() {
    let start = Game::default();
    let [legal, illegal] = [Square::A3, Square::A5].map(|to| Move::normal(Square::A2, to));
    let best = |moves: &[Move]| {
        let limits = Limits::depth(5).with_search_moves(moves.iter().copied());
        pool(2).go(Search::new(start.clone(), limits), table()).wait().best
    };
    assert_eq!(best(&[illegal, legal]), Some(legal));
    assert_eq!(best(&[illegal]), None);
}

#[test]
fn nodes_as_time_give_the_same_search_at_any_speed() {
    let rate = NonZeroU64::new(100_000).unwrap();
    let fen = "r1bqkb1r/pp3ppp/2np1n2/4p3/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 7";
    let fixed = search(fen, Limits::move_time(Duration::from_millis(130)).with_node_rate(rate));
    assert_eq!(fixed.nodes, 13_000);
    let clock = Clock { remaining: Duration::from_secs(5), increment: Duration::ZERO, moves_to_go: Some(10) };
    let [first, second] = [(); 2].map(|()| {
        let result = search(fen, Limits::clock(clock).with_node_rate(rate));
        (result.best, result.value, result.depth, result.nodes)
    });
    assert_eq!(first, second);
    // Half a second is planned, and more than two are not taken.
    assert!((10_000..=200_000).contains(&first.3), "{first:?}");
}

#[test]
fn a_clock_may_show_any_time() {
    let clock = Clock { remaining: Duration::MAX, increment: Duration::MAX, moves_to_go: Some(1) };
    let search = Search::new(Game::default(), Limits::clock(clock).with_depth(4));
    assert_eq!(pool(1).go(search, table()).wait().depth, 4);
}

/// After a stop, a ponder hit or a drop at any moment, the search gives exactly one legal result and does not hang.
#[test]
fn signals_at_any_moment_give_one_legal_result() {
    let mut pool = pool(2);
    let table = table();
    let start = Game::default();
    for round in 0..60_u64 {
        let limits = match round % 3 {
            0 => Limits::infinite(),
            1 => Limits::depth(4).pondering(),
            _ => Limits::clock(Clock::default()).pondering(),
        };
        let handle = pool.go(Search::new(start.clone(), limits.clone()), table.clone());
        // Waits for nothing: it varies the moment of the signal.
        thread::sleep(Duration::from_micros(round * round * 3));
        if limits.ponder && round % 2 == 0 {
            handle.ponder_hit();
        } else {
            handle.stop();
            handle.stop();
        }
        if round % 10 == 9 {
            drop(handle);
        } else {
            let mut finished = 0;
            let result = handle.wait_with(|event| finished += usize::from(matches!(event, SearchEvent::Finished(_))));
            assert_eq!(finished, 1);
            assert!(start.position().is_legal(result.best.unwrap()));
        }
    }
    // The pool may be dropped while a search is running.
    let _running = pool.go(Search::new(start, Limits::infinite()), table);
    drop(pool);
}

#[test]
fn an_infinite_search_waits_for_the_stop() {
    for fen in ["7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"] {
        let mut pool = pool(1);
        let (sender, events) = channel();
        let search = Search::new(game(fen), Limits::infinite().with_depth(1));
        let control = pool.go_with(search, table(), move |event| drop(sender.send(event)));
        let early = std::iter::from_fn(|| events.recv_timeout(Duration::from_millis(50)).ok())
            .any(|event| matches!(event, SearchEvent::Finished(_)));
        assert!(!early, "{fen}");
        control.stop();
        assert!(matches!(events.iter().last(), Some(SearchEvent::Finished(_))));
    }
}

/// A search whose thread panics before it has found anything ends with `Failed`.
#[test]
fn a_search_whose_thread_panics_fails() {
    let fuse = Arc::new(AtomicI64::new(-1));
    let counter = fuse.clone();
    let mut pool = ThreadPool::new(1, move || PanickingEvaluator::new(counter.clone())).unwrap();
    for _ in 0..2 {
        fuse.store(0, Relaxed);
        let events: Vec<_> = pool.go(Search::new(Game::default(), Limits::depth(3)), table()).collect();
        assert_eq!(events.last(), Some(&SearchEvent::Failed));
        assert_eq!(events.iter().filter(|event| event.is_terminal()).count(), 1);
        fuse.store(0, Relaxed);
        let result = pool.go(Search::new(Game::default(), Limits::depth(3)), table()).wait();
        assert_eq!((result.best, result.depth), (None, 0));
    }
}

/// Dropping the pool ends every search that is running or queued, each with a result.
#[test]
fn dropping_the_pool_ends_queued_searches() {
    let mut pool = pool(2);
    let (sender, events) = channel();
    for number in 0..3 {
        let sender = sender.clone();
        let search = Search::new(Game::default(), Limits::infinite());
        // The control is dropped at once, which stops nothing.
        let _ = pool.go_with(search, table(), move |event| drop(sender.send((number, event))));
    }
    drop((pool, sender));
    let finished: Vec<_> = events.iter().filter(|(_, event)| event.is_terminal()).collect();
    assert!(finished.iter().all(|(_, event)| matches!(event, SearchEvent::Finished(_))));
    assert_eq!(finished.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1, 2]);
}
