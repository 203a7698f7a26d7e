//! Searches with endgame tables.
// A test reports failures by panicking. The long version prints numbers.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use bartizan_dtm::{Dtm, DtmTables, Generator, StopFlag};
use bartizan_engine::{MateTables, SearchTables};
use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position, Tolerance};
use bartizan_search::{
    Limits, Search, SearchEvent, SearchInfo, SearchResult, TablebaseProbing, ThreadPool, TranspositionTable,
};
use bartizan_tablebase::{Dtz, TablebaseConfig, Tablebases, Wdl};
use bartizan_testkit::testdata;
use bartizan_types::{Move, Ply, SplitMix64, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn tables() -> Arc<Tablebases> {
    Arc::new(Tablebases::open_folders(&[testdata("syzygy")]).unwrap())
}

fn probing(syzygy: Option<Arc<Tablebases>>, mates: Option<Arc<MateTables>>) -> TablebaseProbing {
    TablebaseProbing::new(Arc::new(SearchTables { syzygy, mates }))
}

fn position(fen: &str) -> Position {
    Position::from_fen_with(fen, Tolerance::ALL).unwrap()
}

fn search(fen: &str, limits: Limits) -> Search {
    Search::new(Game::new(position(fen)), limits).with_tables(probing(Some(tables()), None))
}

/// The result of a search with the last line of each rank.
fn run(search: Search, threads: usize) -> (SearchResult, Vec<SearchInfo>) {
    let mut pool = ThreadPool::new(threads, HandCrafted::new).unwrap();
    let (mut lines, mut result) = (Vec::new(), None);
    for event in pool.go(search, Arc::new(TranspositionTable::new(4).unwrap())) {
        match event {
            SearchEvent::Info(info) => {
                let index = info.multipv as usize - 1;
                lines.resize(lines.len().max(index + 1), info.clone());
                lines[index] = info;
            }
            SearchEvent::Finished(finished) => result = Some(finished),
            _ => {}
        }
    }
    (result.unwrap(), lines)
}

/// Random positions of some pieces, as in the golden file of the tables.
fn golden(name: &str, step: usize) -> Vec<String> {
    let mut wanted: Vec<char> = name.chars().filter(|&c| c != 'v').collect();
    wanted.sort_unstable();
    let text = bartizan_testkit::read("syzygy/golden.txt");
    let fens = text.lines().map(|line| line.split(';').next().unwrap()).filter(|fen| {
        let mut men: Vec<char> =
            fen.split(' ').next().unwrap().to_uppercase().chars().filter(|c| c.is_alphabetic()).collect();
        men.sort_unstable();
        men == wanted
    });
    fens.step_by(step).map(str::to_owned).collect()
}

/// In every won position of the tables, the move keeps the win, whatever the depth, and also when only some moves are
/// allowed.
#[test]
fn a_win_is_kept_at_the_root() {
    let tables = tables();
    let mut random = SplitMix64::new(5);
    let (mut won, mut saved) = (0, 0);
    for name in ["KQvK", "KRvK", "KPvK", "KRvKR", "KBvKN"] {
        for fen in golden(name, 4) {
            let root = position(&fen);
            let moves = root.legal_moves();
            let wdl_after = |mv: Move| -tables.probe_wdl(&root.play_unchecked(mv)).unwrap().unwrap();
            let some: Vec<Move> = moves.iter().copied().filter(|_| random.below(2) == 0).collect();
            for allowed in [moves.to_vec(), some] {
                let Some(best) = allowed.iter().map(|&mv| wdl_after(mv)).max() else { continue };
                let limits = Limits::nodes(300).with_search_moves(allowed.iter().copied());
                let (result, _) = run(search(&fen, limits), 1);
                assert_eq!(wdl_after(result.best.unwrap()), best, "{fen} {result:?}");
                match best {
                    Wdl::Win => {
                        won += 1;
                        assert!(result.value.is_decisive() && result.value > Value::ZERO, "{fen} {result:?}");
                    }
                    Wdl::Draw => {
                        saved += 1;
                        assert_eq!(result.value, Value::DRAW, "{fen}");
                    }
                    _ => assert!(result.value.is_lost(), "{fen} {result:?}"),
                }
            }
        }
    }
    assert!(won > 100 && saved > 50, "{won} {saved}");
}

/// With several lines, better results come first, and no line has a better value than one with a better result.
#[test]
fn lines_are_ordered_by_result() {
    let tables = tables();
    for fen in golden("KRvKR", 10).into_iter().chain(golden("KPvK", 10)) {
        let root = position(&fen);
        let count = root.legal_moves().len();
        for threads in [1, 3] {
            let (result, lines) = run(search(&fen, Limits::depth(6)).with_multipv(256), threads);
            assert_eq!(lines.len(), count, "{fen}");
            let results: Vec<Wdl> = lines
                .iter()
                .map(|info| -tables.probe_wdl(&root.play_unchecked(info.pv[0])).unwrap().unwrap())
                .collect();
            assert!(results.is_sorted_by(|a, b| a >= b), "{fen} {results:?}");
            for (wdl, info) in results.iter().zip(&lines) {
                let sign = i32::from(info.value.is_decisive()) * info.value.0.signum();
                assert_eq!(sign, i32::from(wdl.to_int().signum()), "{fen} {info:?}");
            }
            assert_eq!(result.best, Some(lines[0].pv[0]));
            assert!(lines[0].tablebase_hits >= count as u64);
        }
    }
}

/// Against the longest defence, a win makes progress: it ends in mate, and never by the 50-move rule.
#[test]
fn wins_make_progress() {
    let tables = tables();
    let mut pool = ThreadPool::new(1, HandCrafted::new).unwrap();
    let hash = Arc::new(TranspositionTable::new(4).unwrap());
    let mut games = 0;
    for name in ["KQvK", "KRvK", "KPvK"] {
        for fen in golden(name, 7) {
            for fifty_moves in [true, false] {
                let mut game = Game::new(position(&fen));
                if tables.probe_wdl(game.position()).unwrap() != Some(Wdl::Win) {
                    continue;
                }
                games += 1;
                let winner = game.position().turn();
                while game.outcome().is_none() {
                    let root = game.position().clone();
                    let mv = if root.turn() == winner {
                        let mut probing = probing(Some(tables.clone()), None);
                        probing.fifty_moves = fifty_moves;
                        let search = Search::new(game.clone(), Limits::nodes(500)).with_tables(probing);
                        pool.go(search, hash.clone()).wait().best.unwrap()
                    } else {
                        let distance =
                            |mv: &Move| tables.probe_dtz(&root.play_unchecked(*mv)).unwrap().unwrap_or(Dtz::DRAW).0;
                        *root.legal_moves().iter().max_by_key(|mv| distance(mv)).unwrap()
                    };
                    game.push(mv).unwrap();
                }
                assert!(game.position().is_checkmate(), "{fen}: {:?}", game.outcome());
                assert!(game.position().turn() != winner);
            }
        }
    }
    assert!(games > 20, "{games}");
}

/// The halfmove clock decides between a win and a draw, unless the 50-move rule is off.
#[test]
fn the_clock_at_the_root() {
    for turn in ['w', 'b'] {
        let fen = |clock: u32| format!("8/8/8/3K4/8/8/R7/4k3 {turn} - - {clock} 70");
        // There is neither a capture nor a pawn move on the way to mate.
        let plies = tables().probe_dtz(&position(&fen(0))).unwrap().unwrap().plies();
        let value = |clock: u32, fifty_moves: bool| {
            let mut search = search(&fen(clock), Limits::depth(2));
            search.tables.as_mut().unwrap().fifty_moves = fifty_moves;
            // From White's point of view.
            let value = run(search, 1).0.value;
            if turn == 'w' { value } else { -value }
        };
        let last = 99 - plies;
        for clock in [0, 30, last] {
            assert_eq!([value(clock, true), value(clock, false)], [Value::TABLE_WIN; 2], "{turn} {clock}");
        }
        let late = [last + 2, 98].map(|clock| value(clock, true));
        assert!(late[0] >= late[1] && late.iter().all(|value| (1..=50).contains(&value.0)), "{turn} {late:?}");
        // The next move is the last one.
        assert_eq!(value(99, true), Value::DRAW, "{turn}");
        assert_eq!([value(last + 2, false), value(99, false)], [Value::TABLE_WIN; 2], "{turn}");
    }
}

/// A pawn move resets the clock: the only winning move.
#[test]
fn the_pawn_moves_before_the_clock_runs_out() {
    for clock in [97, 98, 99] {
        let (result, _) = run(search(&format!("8/8/8/1P6/1K6/8/8/7k w - - {clock} 120"), Limits::depth(5)), 1);
        assert_eq!((result.best.unwrap().to_string().as_str(), result.value), ("b5b6", Value::TABLE_WIN), "{clock}");
    }
}

/// A root move that repeats the position for the third time draws, whatever the tables say.
#[test]
fn repetitions_are_no_wins() {
    let mut game = Game::new(position("8/8/8/8/8/2k5/8/1R2K3 w - - 0 1"));
    for mv in ["b1a1", "c3b3", "a1b1", "b3c3", "b1a1", "c3b3", "a1b1", "b3c3"] {
        game.push(game.position().parse_uci(mv).unwrap()).unwrap();
    }
    let search = Search::new(game.clone(), Limits::depth(4)).with_multipv(256);
    let (result, lines) = run(search.with_tables(probing(Some(tables()), None)), 1);
    assert_eq!(result.value, Value::TABLE_WIN);
    let again = lines.iter().find(|info| info.pv[0].to_string() == "b1a1").unwrap();
    assert_eq!(again.value, Value::DRAW);
    assert!(result.best.unwrap().to_string() != "b1a1");
}

/// Before the trade into the tables, their results reach the root as non-mate values.
#[test]
fn results_in_the_tree() {
    for (fen, mv, expected) in [
        // The pawn falls, and king and rook remain.
        ("8/8/8/8/4p3/7k/8/K3R3 w - - 0 1", "e1e4", Value::table_win_in(Ply(1))),
        ("8/8/8/4k3/4P3/8/8/K6R b - - 0 1", "e5e4", Value::table_loss_in(Ply(1))),
        // Or king and bishop, which cannot win.
        ("8/8/8/4k3/4P3/8/8/K5B1 b - - 0 1", "e5e4", Value::DRAW),
    ] {
        for threads in [1, 2] {
            let limits = Limits::depth(3).with_search_moves([position(fen).parse_uci(mv).unwrap()]);
            let (result, lines) = run(search(fen, limits), threads);
            assert_eq!(result.value, expected, "{fen}");
            assert!(lines[0].tablebase_hits > 0 || expected == Value::DRAW, "{fen}");
        }
    }
}

/// Tables in which king and rook against king is a cursed win. No real table of 3 or 4 men has one.
fn tables_with_cursed_wins(folder: &std::path::Path, with_distances: bool) -> Arc<Tablebases> {
    for name in ["KQvK", "KBvK", "KNvK", "KPvK"] {
        for kind in ["rtbw", "rtbz"].into_iter().filter(|&kind| kind == "rtbw" || with_distances) {
            let file = format!("{name}.{kind}");
            std::fs::copy(testdata("syzygy").join(&file), folder.join(file)).unwrap();
        }
    }
    let write = |file: &str, head: &[u8]| {
        // Pads the contents to a multiple of 64 bytes, then adds 16 bytes of checksum, which is only needed by files
        // that are read whole.
        let mut bytes = head.to_vec();
        bytes.resize(64 + 16, 0);
        std::fs::write(folder.join(file), bytes).unwrap();
    };
    // Magic number, both sides to move, order, white king, white rook and black king for both sides, padding; then for
    // each side: a flag that all values are the same, and the value. White to move has a cursed win, black to move a
    // blessed loss.
    write("KRvK.rtbw", &[0x71, 0xe8, 0x23, 0x5d, 1, 0, 0x66, 0x44, 0xee, 0, 0x80, 3, 0x80, 1]);
    if with_distances {
        // White to move: the distance is the smallest cursed one, 101 plies.
        write("KRvK.rtbz", &[0xd7, 0x66, 0x0c, 0xa5, 0, 0, 6, 4, 14, 0, 0x80, 0]);
    }
    let mut config = TablebaseConfig::default();
    config.whole_file = 0;
    Arc::new(Tablebases::open_with(&[folder], config).unwrap())
}

fn search_cursed(fen: &str, limits: Limits, tables: &Arc<Tablebases>, fifty_moves: bool) -> Search {
    let mut probing = probing(Some(tables.clone()), None);
    probing.fifty_moves = fifty_moves;
    Search::new(Game::new(position(fen)), limits).with_tables(probing)
}

/// In the tree, a cursed win is slightly better than a draw, and a blessed loss slightly worse; without the 50-move
/// rule, they are a win and a loss.
#[test]
fn cursed_wins_in_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables_with_cursed_wins(folder.path(), true);
    for (fen, mv, with_rule, without) in [
        ("8/8/8/8/4p3/7k/8/K3R3 w - - 0 1", "e1e4", Value(2), Value::table_win_in(Ply(1))),
        ("8/8/8/4k3/4P3/8/8/K6R b - - 0 1", "e5e4", Value(-2), Value::table_loss_in(Ply(1))),
        // The same with the colours swapped.
        ("k3r3/8/7K/4P3/8/8/8/8 b - - 0 1", "e8e5", Value(2), Value::table_win_in(Ply(1))),
        ("k6r/8/8/4p3/4K3/8/8/8 w - - 0 1", "e4e5", Value(-2), Value::table_loss_in(Ply(1))),
    ] {
        for threads in [1, 2] {
            for (fifty_moves, expected) in [(true, with_rule), (false, without)] {
                let limits = Limits::depth(3).with_search_moves([position(fen).parse_uci(mv).unwrap()]);
                let (result, lines) = run(search_cursed(fen, limits, &tables, fifty_moves), threads);
                assert_eq!(result.value, expected, "{fen} {fifty_moves}");
                assert!(lines[0].tablebase_hits > 0, "{fen}");
            }
        }
    }
    assert_eq!(tables.take_faults().len(), 0);
}

/// At the root, a cursed win is worth up to half a pawn. It ranks between a win and a draw, also with several lines.
#[test]
fn cursed_wins_at_the_root() {
    for with_distances in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let tables = tables_with_cursed_wins(folder.path(), with_distances);
        let lines = |fen: &str, fifty_moves| {
            let search = search_cursed(fen, Limits::depth(4), &tables, fifty_moves).with_multipv(256);
            let (result, lines) = run(search, 1);
            assert_eq!(result.best, Some(lines[0].pv[0]), "{fen}");
            assert_eq!(result.value, lines[0].value, "{fen}");
            lines
        };
        let is_hope = |value: Value| (1..=50).contains(&value.0);
        let is_win = |value: Value| value.is_decisive() && value > Value::ZERO;

        // The side with the rook: all moves keep it, except those that lose the rook.
        let fen = "8/8/8/8/8/2k5/8/KR6 w - - 0 1";
        let after = |line: &SearchInfo| -tables.probe_wdl(&position(fen).play_unchecked(line.pv[0])).unwrap().unwrap();
        for fifty_moves in [true, false] {
            let lines = lines(fen, fifty_moves);
            assert_eq!(lines.len(), position(fen).legal_moves().len());
            assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(after(line))), "{lines:?}");
            assert_eq!((after(&lines[0]), after(&lines[lines.len() - 1])), (Wdl::CursedWin, Wdl::Draw));
            for line in &lines {
                let is_right = match after(line) {
                    Wdl::Draw => line.value == Value::DRAW,
                    _ if fifty_moves => is_hope(line.value),
                    _ => is_win(line.value),
                };
                assert!(is_right, "{fifty_moves} {line:?}");
            }
        }

        // The bare king: capturing the rook draws, the other moves are blessed losses.
        let fen = "8/8/8/8/8/8/1R1k4/K7 b - - 0 1";
        for fifty_moves in [true, false] {
            let lines = lines(fen, fifty_moves);
            assert!(
                lines.len() > 1
                    && lines.iter().all(|line| match fifty_moves {
                        true => is_hope(-line.value),
                        false => is_win(-line.value),
                    }),
                "{lines:?}"
            );
        }
        for fifty_moves in [true, false] {
            let lines = lines("8/8/8/8/8/8/1Rk5/4K3 b - - 0 1", fifty_moves);
            assert_eq!((lines[0].pv[0].to_string().as_str(), lines[0].value), ("c2b2", Value::DRAW));
            assert!(lines.len() > 1 && lines[1..].iter().all(|line| line.value < Value::DRAW), "{lines:?}");
        }

        // Promotion to a queen wins, to a rook is a cursed win, to a bishop or knight a draw.
        for fifty_moves in [true, false] {
            let lines = lines("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", fifty_moves);
            let line = |mv: &str| lines.iter().find(|line| line.pv[0].to_string() == mv).unwrap();
            assert!(is_win(lines[0].value) && is_win(line("e7e8q").value), "{lines:?}");
            let rook = line("e7e8r").value;
            assert!(if fifty_moves { is_hope(rook) } else { is_win(rook) }, "{fifty_moves} {rook:?}");
            assert_eq!([line("e7e8b").value, line("e7e8n").value], [Value::DRAW; 2]);
            assert_eq!(lines[lines.len() - 2..].iter().filter(|line| line.value == Value::DRAW).count(), 2);
        }
        assert_eq!(tables.take_faults().len(), 0);
    }
}

/// Tables are not probed beyond the limit, above the depth, or in a search for a mate.
#[test]
fn limits_of_probing() {
    let hits = |limits: Limits, change: fn(&mut TablebaseProbing)| {
        let mut search = search("8/8/8/4r3/2k1P3/8/8/K3R3 w - - 0 1", limits);
        change(search.tables.as_mut().unwrap());
        run(search, 1).1[0].tablebase_hits
    };
    let all = hits(Limits::depth(8), |_| {});
    assert!(all > 0);
    assert_eq!(hits(Limits::depth(8), |probing| probing.limit = 0), 0);
    assert_eq!(hits(Limits::depth(8), |probing| probing.limit = 2), 0);
    assert_eq!(hits(Limits::mate(2), |_| {}), 0);
    let deep = hits(Limits::depth(8), |probing| (probing.limit, probing.depth) = (4, 100));
    assert!(deep < all, "{deep} {all}");
    // The root is in the tables, but the limit excludes it.
    let mut search = search("8/8/8/4k3/8/8/8/KR6 w - - 0 1", Limits::depth(1));
    search.tables.as_mut().unwrap().limit = 2;
    let (result, lines) = run(search, 1);
    assert_eq!(lines[0].tablebase_hits, 0);
    assert!(!result.value.is_decisive());
}

/// A search continues without a damaged table, and reports it once.
#[test]
fn damaged_tables() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["KRvK.rtbw", "KRvK.rtbz", "KRvKR.rtbw", "KRvKR.rtbz"] {
        let mut bytes = std::fs::read(testdata("syzygy").join(file)).unwrap();
        if file == "KRvK.rtbw" {
            bytes[0] ^= 1;
        }
        std::fs::write(folder.path().join(file), &bytes).unwrap();
    }
    let (tables, faults) = Tablebases::open_usable(&[folder.path()], TablebaseConfig::default());
    assert_eq!(faults.len(), 0);
    let tables = Arc::new(tables.unwrap());
    for fen in ["8/8/8/8/4p3/7k/8/K3R3 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1"] {
        let search = Search::new(Game::new(position(fen)), Limits::depth(8));
        let (result, _) = run(search.with_tables(probing(Some(tables.clone()), None)), 3);
        assert!(result.best.is_some());
    }
    let faults: Vec<String> = tables.take_faults().iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("KRvK.rtbw': invalid magic number"), "{faults:?}");
}

/// A file that is temporarily unreadable is used again by the next search.
#[test]
fn a_table_that_cannot_be_read_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["KRvK.rtbw", "KRvK.rtbz"] {
        std::fs::copy(testdata("syzygy").join(file), folder.path().join(file)).unwrap();
    }
    let tables = Arc::new(Tablebases::open_folders(&[folder.path()]).unwrap());
    let (path, hidden) = (folder.path().join("KRvK.rtbw"), folder.path().join("hidden"));
    let hits = || {
        let search = Search::new(Game::new(position("8/8/8/4k3/8/8/8/KR6 w - - 0 1")), Limits::depth(4));
        run(search.with_tables(probing(Some(tables.clone()), None)), 2).1[0].tablebase_hits
    };
    std::fs::rename(&path, &hidden).unwrap();
    assert_eq!((hits(), hits()), (0, 0));
    let faults: Vec<String> = tables.take_faults().iter().map(ToString::to_string).collect();
    assert!(faults.len() == 1 && faults[0].contains("KRvK.rtbw"), "{faults:?}");
    std::fs::rename(&hidden, &path).unwrap();
    assert!(hits() > 0);
    assert_eq!(tables.take_faults().len(), 0);
}

/// Random endings a few pieces above the tables, on several threads that share a small page cache: the moves are legal,
/// and the three kinds of values stay distinct.
#[test]
fn several_threads_share_the_tables() {
    let mut config = TablebaseConfig::default();
    (config.whole_file, config.page_cache, config.open_files) = (0, 16 << 10, 2);
    let tables = Arc::new(Tablebases::open_with(&[testdata("syzygy")], config).unwrap());
    let hash = Arc::new(TranspositionTable::new(4).unwrap());
    let mut pool = ThreadPool::new(4, HandCrafted::new).unwrap();
    for fen in [
        "8/2p5/8/KP5r/8/8/8/6k1 w - - 0 1",
        "4k3/8/3r4/8/4P3/3R4/8/4K3 b - - 3 40",
        "8/8/1p6/k7/8/1P6/K7/3R3r w - - 0 1",
        "8/5b2/8/2k5/4n3/8/1K4P1/8 w - - 12 60",
    ] {
        let root = position(fen);
        let search = Search::new(Game::new(root.clone()), Limits::depth(12));
        let result = pool.go(search.with_tables(probing(Some(tables.clone()), None)), hash.clone()).wait();
        assert!(root.is_legal(result.best.unwrap()), "{fen}");
    }
    assert_eq!(tables.take_faults().len(), 0);
}

/// Distance-to-mate tables of some endings, generated for the test.
fn mates(folder: &std::path::Path, endings: &[&str]) -> DtmTables {
    let mut generator = Generator::new(folder, 1);
    for name in endings {
        generator.generate(&name.parse().unwrap(), &StopFlag::new(), &|_| ()).unwrap();
    }
    DtmTables::open_folders(&[folder]).unwrap()
}

/// With distances to mate, each line of the search has the value of the table, and the best move is the fastest mate or
/// the longest defence, with and without Syzygy tables.
#[test]
fn distances_to_mate_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let mates = Arc::new(MateTables::new(mates(folder.path(), &["KQK", "KRK"])));
    for syzygy in [None, Some(tables())] {
        let mut checked = 0;
        for name in ["KQvK", "KRvK"] {
            for fen in &golden(name, 9) {
                let position = position(fen);
                let Some(value) = mates.tables().probe(&position).unwrap() else { continue };
                let Some(plies) = value.plies().filter(|&plies| plies > 0) else { continue };
                let mut probing = probing(syzygy.clone(), Some(mates.clone()));
                probing.fifty_moves = position.halfmove_clock() + plies <= 100;
                // The tables know the moves of the root, so one ply is enough.
                let depth = if checked % 2 == 0 { 1 } else { 6 };
                let search = Search::new(Game::new(position.clone()), Limits::default().with_depth(depth));
                let (result, lines) = run(search.with_tables(probing), 1);
                let best = result.best.unwrap();
                let after = mates.tables().probe(&position.play(best).unwrap()).unwrap().unwrap();
                assert_eq!(after.before_move(), value, "{fen}");
                let mate = Ply(i32::from(plies));
                let shown = if value.sign() > 0 { Value::mate_in(mate) } else { Value::mated_in(mate) };
                assert_eq!(lines[0].value, shown, "{fen}");
                let end = result.pv.iter().fold(position, |position, &mv| position.play(mv).unwrap());
                assert!(end.is_checkmate() && result.pv.len() == usize::from(plies), "{fen}: {result:?}");
                checked += 1;
            }
        }
        assert!(checked > 20, "{checked}");
    }
}

/// A line that promises a mate ends in it, even if the tables only cover its end.
#[test]
fn lines_end_with_the_mates_of_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let mates = Arc::new(MateTables::new(mates(folder.path(), &["KQK", "KRK", "KBK", "KNK", "KPK"])));
    for (fen, depth) in [
        ("8/8/8/3k4/8/8/3K4/3R4 w - - 0 60", 1),
        ("8/8/8/3k4/8/8/3K4/3R4 b - - 0 60", 5),
        // The pawn becomes a queen.
        ("8/8/8/1k6/8/8/3PK3/8 w - - 0 1", 8),
        // After a capture.
        ("8/8/8/3k4/8/8/2p5/2RK4 w - - 0 1", 8),
        ("2rk4/2P5/8/8/3K4/8/8/8 b - - 0 1", 8),
    ] {
        for (lines, threads) in [(1, 1), (1, 3), (4, 1)] {
            let probing = probing(None, Some(mates.clone()));
            let search = Search::new(Game::new(position(fen)), Limits::depth(depth)).with_multipv(lines);
            let (result, infos) = run(search.with_tables(probing), threads);
            assert!(result.value.is_mate(), "{fen}: {result:?}");
            assert_eq!((&infos[0].pv, infos[0].pv.get(1)), (&result.pv, result.ponder.as_ref()));
            for info in infos.iter().filter(|info| info.value.is_mate()) {
                let end = info.pv.iter().fold(position(fen), |position, &mv| position.play(mv).unwrap());
                assert!(end.is_checkmate(), "{fen}: {info:?}");
                assert_eq!(Some(info.pv.len() as i32), info.value.plies_to_mate(), "{fen}: {info:?}");
            }
        }
    }
}

/// A line is not completed once the time for the move is over.
#[test]
fn lines_take_no_time_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let mates = Arc::new(MateTables::new(mates(folder.path(), &["KRK"])));
    let long_ago = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
    let game = Game::new(position("8/8/8/3k4/8/8/3K4/3R4 w - - 0 60"));
    let search = Search::new(game, Limits::move_time(Duration::from_secs(1))).started_at(long_ago);
    let (result, _) = run(search.with_tables(probing(None, Some(mates))), 1);
    assert_eq!((result.value, result.pv.len()), (Value::mate_in(Ply(23)), 1));
}

/// A mate that the 50-move rule would prevent is not promised.
#[test]
fn a_mate_beyond_the_fifty_moves_is_no_mate() {
    let folder = tempfile::tempdir().unwrap();
    let mates = Arc::new(MateTables::new(mates(folder.path(), &["KRK"])));
    let value = |clock: u16, fifty_moves: bool| {
        let position = position(&format!("8/8/8/3k4/8/8/3K4/3R4 w - - {clock} 60"));
        assert_eq!(mates.tables().probe(&position).unwrap(), Some(Dtm::Win(23)));
        let mut probing = probing(None, Some(mates.clone()));
        probing.fifty_moves = fifty_moves;
        let search = Search::new(Game::new(position), Limits::default().with_depth(8));
        run(search.with_tables(probing), 1).1[0].value
    };
    assert_eq!(value(77, true), Value::mate_in(Ply(23)));
    assert!(!value(78, true).is_mate());
    assert_eq!(value(90, false), Value::mate_in(Ply(23)));
}

/// A damaged table is reported once, and the search continues without the tables.
#[test]
fn a_damaged_table_of_mates_ends_their_use() {
    let folder = tempfile::tempdir().unwrap();
    mates(folder.path(), &["KRK"]);
    let path = folder.path().join("KRK.dtm");
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end / 2..].fill(0x55);
    std::fs::write(&path, bytes).unwrap();
    let mates = Arc::new(MateTables::new(DtmTables::open_folders(&[folder.path()]).unwrap()));
    for _ in 0..2 {
        let probing = probing(None, Some(mates.clone()));
        let game = Game::new(position("8/8/8/3k4/8/8/3K4/3R4 w - - 0 60"));
        let search = Search::new(game, Limits::default().with_depth(6)).with_tables(probing);
        assert!(run(search, 2).0.best.is_some());
    }
    let fault = mates.take_fault().unwrap().to_string();
    assert!(fault.contains("KRK.dtm"), "{fault}");
    assert!(mates.take_fault().is_none());
}

/// A table that is temporarily unreadable is used again by the next search.
#[test]
fn a_table_of_mates_that_cannot_be_read_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let mates = Arc::new(MateTables::new(mates(folder.path(), &["KRK"])));
    let (path, hidden) = (folder.path().join("KRK.dtm"), folder.path().join("hidden"));
    let value = || {
        let game = Game::new(position("8/8/8/3k4/8/8/3K4/3R4 w - - 0 60"));
        let search = Search::new(game, Limits::default().with_depth(4));
        run(search.with_tables(probing(None, Some(mates.clone()))), 2).1[0].value
    };
    std::fs::rename(&path, &hidden).unwrap();
    assert!(!value().is_mate());
    let fault = mates.take_fault().unwrap().to_string();
    assert!(fault.contains("KRK.dtm") && mates.take_fault().is_none(), "{fault}");
    std::fs::rename(&hidden, &path).unwrap();
    assert_eq!(value(), Value::mate_in(Ply(23)));
    assert!(mates.take_fault().is_none());
}
