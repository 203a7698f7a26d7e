use super::*;
use crate::{Level, Limits, Stopwatch};
use std::time::Instant;

#[test]
fn an_invalid_position_leaves_the_old_one() {
    let mut engine = Engine::new();
    let before = engine.position().clone();
    assert!(engine.set_position("8/8/8/8/8/8/8/8 w - - 0 1", &[]).is_err());
    let e2e5 = "e2e5".parse().unwrap();
    let error = engine.set_startpos(&["e2e4".parse().unwrap(), e2e5]).unwrap_err();
    assert_eq!(error.to_string(), "move 2: illegal move 'e2e5'");
    assert_eq!(engine.position(), &before);
}

#[test]
fn castling_rights_are_those_of_the_variant() {
    let fen = "1r2k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1";
    let king_takes_rook = "f1h1".parse().unwrap();
    let mut engine = Engine::new();
    assert!(engine.set_position(fen, &[king_takes_rook]).is_err());
    engine.set_position(fen, &["f1g1".parse().unwrap()]).unwrap();
    assert_eq!(engine.game().start().castling().to_string(), "k");
    let dropped: Vec<String> = engine
        .take_notices()
        .into_iter()
        .map(|notice| match notice {
            Notice::CastlingDropped { rights, variant: Variant::Standard } => rights.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(dropped.len(), 2);
    assert!(dropped.iter().all(|rights| rights.len() == 3), "{dropped:?}");
    engine.configure(|options| options.variant = Variant::Chess960).unwrap();
    engine.set_position(fen, &[king_takes_rook]).unwrap();
    assert!(engine.take_notices().is_empty());
    // No rook stands there in any variant.
    engine.set_position("4k3/8/8/8/8/8/8/4K3 w K - 0 1", &[]).unwrap();
    assert!(matches!(engine.take_notices()[..], [Notice::CastlingDropped { variant: Variant::Chess960, .. }]));
}

#[test]
fn options_are_set_by_name() {
    let mut engine = Engine::new();
    engine.set_option("multi pv", Some("3")).unwrap();
    engine.set_option("Clear Hash", None).unwrap();
    assert_eq!(engine.options().multipv, 3);
    let error = engine.set_option("BookFile", Some("/no/such/book")).unwrap_err().to_string();
    assert!(error.starts_with("option 'BookFile': cannot use book '/no/such/book'"), "{error}");
    assert!(engine.set_option("Hash", Some("0")).is_err() && engine.set_option("Resign", Some("true")).is_err());
    assert_eq!(engine.options(), &Options::default().with_multipv(3).unwrap());
}

#[test]
fn the_larger_overhead_counts() {
    let mut engine = Engine::new();
    assert_eq!(engine.move_overhead(), Duration::from_millis(10));
    engine.set_least_overhead(Duration::from_millis(500));
    assert_eq!(engine.move_overhead(), Duration::from_millis(500));
    engine.configure(|options| options.move_overhead = Duration::from_millis(900)).unwrap();
    assert_eq!(engine.move_overhead(), Duration::from_millis(900));
}

#[test]
fn an_analysis_takes_no_side() {
    let mut engine = Engine::new();
    engine.configure(|options| options.contempt = 20).unwrap();
    engine.set_rating_lead(300);
    assert_eq!(engine.contempt(), 50);
    engine.configure(|options| options.analyse = true).unwrap();
    assert_eq!(engine.contempt(), 0);
}

#[test]
fn the_old_table_is_freed_when_its_size_changes() {
    for threads in [1, 4] {
        let options = Options::default().with_threads(threads).unwrap();
        let mut engine = Engine::with_options(options).unwrap();
        let mut old = Vec::new();
        for mib in [2, 3, 2] {
            let _controls = [Limits::depth(1), Limits::depth(5)].map(|limits| {
                let handle = engine.go(limits).unwrap();
                let control = handle.control();
                handle.wait();
                control
            });
            old.push(Arc::downgrade(engine.table.as_ref().unwrap()));
            engine.configure(|options| options.hash_mib = mib).unwrap();
            assert_eq!(engine.table.as_ref().unwrap().megabytes(), mib);
            assert!(old.iter().all(|table| table.strong_count() == 0), "{threads} threads");
        }
    }
}

#[test]
fn a_table_that_cannot_be_had_leaves_the_old_one() {
    let mut engine = Engine::new();
    engine.go(Limits::depth(6)).unwrap().wait();
    let (table, best) = (engine.table.clone().unwrap(), engine.table_move());
    let error = engine.configure(|options| options.hash_mib = *Options::HASH_MIB.end()).unwrap_err();
    assert!(matches!(error, EngineError::Table(_)), "{error}");
    assert!(Arc::ptr_eq(&table, engine.table.as_ref().unwrap()));
    assert!(best.is_some() && engine.table_move() == best);
}

/// If no table exists yet, a search begins with a small one, and the user is told once.
#[test]
fn a_first_table_that_cannot_be_had_is_replaced_by_a_smaller_one() {
    let options = Options::default().with_hash_mib(*Options::HASH_MIB.end()).unwrap();
    let mut engine = Engine::with_options(options).unwrap();
    for warnings in [1, 0] {
        assert_eq!(engine.go(Limits::depth(2)).unwrap().wait().depth, 2);
        assert_eq!(engine.take_notices().len(), warnings);
    }
    assert_eq!(engine.table.as_ref().unwrap().megabytes(), 16);
    // Other options can still be set, and a size that fits is accepted.
    engine.configure(|options| options.multipv = 2).unwrap();
    engine.configure(|options| options.hash_mib = 3).unwrap();
    assert_eq!(engine.table.as_ref().unwrap().megabytes(), 3);
}

#[test]
fn what_the_system_has_not_provided_is_tried_again() {
    let mut engine = Engine::with_options(Options::default().with_hash_mib(2).unwrap()).unwrap();
    engine.prepare().unwrap();
    // As if the system had provided less.
    (engine.options.hash_mib, engine.options.threads) = (3, 2);
    engine.configure(|options| (options.hash_mib, options.threads) = (3, 2)).unwrap();
    assert_eq!((engine.table.as_ref().unwrap().megabytes(), engine.pool.as_ref().unwrap().threads()), (2, 1));
    engine.retry(Retry::Memory).unwrap();
    assert_eq!((engine.table.as_ref().unwrap().megabytes(), engine.pool.as_ref().unwrap().threads()), (3, 2));
    engine.options.hash_mib = *Options::HASH_MIB.end();
    assert!(engine.retry(Retry::Memory).is_err());
    assert_eq!(engine.table.as_ref().unwrap().megabytes(), 3);
}

#[test]
fn an_invalid_option_changes_nothing() {
    let mut engine = Engine::new();
    engine.prepare().unwrap();
    let changes: [fn(&mut Options); 4] = [
        // No machine has that much memory.
        |options| options.hash_mib = *Options::HASH_MIB.end(),
        |options| options.hash_mib = 0,
        |options| options.threads = 0,
        |options| options.book.file = Some("/no/such/\0folder".into()),
    ];
    for change in changes {
        assert!(engine.configure(change).is_err());
        assert_eq!(engine.options(), &Options::default());
    }
    assert_eq!(engine.go(Limits::depth(2)).unwrap().wait().depth, 2);
    engine.configure(|options| options.threads = 2).unwrap();
    assert_eq!(engine.go(Limits::depth(3)).unwrap().wait().depth, 3);
    let error = engine.configure(|options| options.contempt = 999).unwrap_err();
    assert_eq!(error.to_string(), "contempt must be between -200 and 200, not 999");
}

/// A game of an engine against itself.
fn self_play(engine: &mut Engine, plies: usize) -> Vec<Move> {
    engine.set_game(Game::default());
    for _ in 0..plies {
        let Some(mv) = engine.go(Limits::depth(6)).unwrap().wait().best else { break };
        engine.play(mv).unwrap();
    }
    engine.game().moves().collect()
}

#[test]
fn a_seed_makes_play_below_full_strength_repeatable() {
    let player = |seed| {
        let mut engine = Engine::with_options(Options::default().with_seed(seed).unwrap()).unwrap();
        engine.configure(|options| options.set_level(Level::rated(1_200))).unwrap();
        engine
    };
    let games: Vec<Vec<Move>> = [1, 1, 2, u32::MAX].map(|seed| self_play(&mut player(seed), 30)).into();
    assert_eq!(games[0], games[1]);
    assert!(games[0] != games[2] && games[0] != games[3] && games[2] != games[3]);
    // The next game is the same one.
    let mut engine = player(1);
    for _ in 0..2 {
        engine.new_game();
        assert_eq!(self_play(&mut engine, 30), games[0]);
    }
    // Without a seed, it is another one.
    let mut engine = player(0);
    let games: Vec<Vec<Move>> = (0..3)
        .map(|_| {
            engine.new_game();
            self_play(&mut engine, 30)
        })
        .collect();
    assert!(games[0] != games[1] || games[0] != games[2]);
}

#[test]
fn a_seed_determines_the_choices_from_the_book() {
    let openings = |seed| {
        let mut options = Options::default().with_seed(seed).unwrap();
        options.book.enabled = Some(true);
        let mut engine = Engine::with_options(options).unwrap();
        (0..8).map(|_| self_play(&mut engine, 6)).collect::<Vec<_>>()
    };
    assert!(openings(3).windows(2).all(|two| two[0] == two[1]));
    assert!(!openings(0).windows(2).all(|two| two[0] == two[1]));
    let first: std::collections::BTreeSet<String> = (1..9).map(|seed| openings(seed)[0][0].to_string()).collect();
    assert!(first.len() > 1, "{first:?}");
}

#[test]
fn a_limited_player_takes_its_time() {
    let mut engine = Engine::new();
    engine.configure(|options| (options.human_time, options.book.enabled) = (true, Some(false))).unwrap();
    engine.prepare().unwrap();
    let hour = Limits::move_time(Duration::from_secs(3_600)).with_depth(3);
    // Full strength and analyses do not wait.
    engine.go(hour.clone()).unwrap().wait();
    engine.configure(|options| options.set_level(Level::rated(1_500))).unwrap();
    engine.configure(|options| options.analyse = true).unwrap();
    engine.go(hour.clone()).unwrap().wait();
    engine.configure(|options| options.analyse = false).unwrap();
    let limits = Limits::move_time(Duration::from_millis(500)).with_depth(3);
    // That of the easiest choice: how hard this one is depends on how far the player gets in its time.
    let least = engine.least_time(&Game::default(), &limits, 0.0).unwrap();
    let started = Instant::now();
    assert!(engine.go(limits).unwrap().wait().best.is_some());
    assert!(started.elapsed() >= least && !least.is_zero(), "{least:?}");
    // A stop ends the wait.
    let handle = engine.go(hour).unwrap();
    handle.stop();
    assert!(handle.wait().best.is_some());
}

#[test]
fn a_search_on_the_callers_thread_is_that_of_one_thread() {
    let mut here = Engine::new();
    let mut threads = Engine::new();
    let search_here = |engine: &mut Engine, continues| {
        let (stopwatch, game) = (Stopwatch::start(), engine.game().clone());
        let caller = Caller { stopwatch, continues, is_stopped: &|| false, on_event: &mut |_| {} };
        engine.search_here(game, Limits::depth(7), 1, caller).unwrap()
    };
    for seed in [0, 7] {
        // Full strength, then a limited player.
        for engine in [&mut here, &mut threads] {
            let elo = if seed > 0 { 2_200 } else { 3_000 };
            engine
                .configure(|options| (options.seed, options.limit_strength, options.elo) = (seed, seed > 0, elo))
                .unwrap();
        }
        let result = search_here(&mut here, false);
        let expected = threads.search(Game::default(), Limits::depth(7), 1).unwrap().wait();
        assert_eq!((result.pv, result.nodes, result.value), (expected.pv, expected.nodes, expected.value));
    }
    let mut engine = Engine::new();
    let first = search_here(&mut engine, false);
    // What it has found is there.
    assert!(search_here(&mut engine, true).nodes < first.nodes);
}
