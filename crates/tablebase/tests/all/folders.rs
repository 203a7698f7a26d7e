//! Folders with and without tables, and probing by many threads.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::{Config, TablebaseError, Tablebases, Wdl, WinRanking};
use bartizan_testkit::testdata;
use std::fs;
use std::thread;

fn position(fen: &str) -> Position {
    Position::from_fen_with(fen, Tolerance::ALL).unwrap()
}

#[test]
fn lists_of_folders() {
    let empty = tempfile::tempdir().unwrap();
    let tables = testdata("syzygy");
    let list = std::env::join_paths([empty.path(), &tables]).unwrap();
    let found = Tablebases::open(list.to_str().unwrap()).unwrap();
    assert_eq!((found.len(), found.dtz_len(), found.max_pieces()), (11, 10, 4));
    assert_eq!(found.empty_folders(), [empty.path()]);
    assert!(!found.is_empty());

    let error = Tablebases::open(empty.path().to_str().unwrap()).unwrap_err();
    assert!(error.to_string().contains(empty.path().to_str().unwrap()), "{error}");
    assert!(matches!(Tablebases::open(""), Err(TablebaseError::NoTables { .. })));
    let error = Tablebases::open(empty.path().join("none").to_str().unwrap()).unwrap_err();
    assert!(matches!(error, TablebaseError::Folder { .. }), "{error}");
    // Truncated files are reported when the tables are opened. Files of other types are ignored.
    fs::write(empty.path().join("KQvK.rtbw"), [0; 100]).unwrap();
    let error = Tablebases::open_folders(&[empty.path(), &tables]).unwrap_err();
    assert!(error.to_string().contains("KQvK.rtbw"), "{error}");
    fs::rename(empty.path().join("KQvK.rtbw"), empty.path().join("KXvK.rtbw")).unwrap();
    assert!(Tablebases::open_folders(&[empty.path(), &tables]).is_ok());
}

#[test]
fn uncovered_positions() {
    let tables = Tablebases::open_folders(&[testdata("syzygy")]).unwrap();
    for (fen, expected) in [
        ("8/8/8/4k3/8/8/8/KR6 w - - 0 1", Some(Wdl::Win)),
        ("8/8/8/4k3/8/8/8/KR6 w - - 80 100", Some(Wdl::Win)),
        ("8/8/8/4k3/8/8/8/K7 w - - 0 1", Some(Wdl::Draw)),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", Some(Wdl::Win)),
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", None),
    ] {
        let position = position(fen);
        assert_eq!(tables.probe_wdl(&position).unwrap(), expected, "{fen}");
        assert_eq!(tables.probe_dtz(&position).unwrap().map(|dtz| dtz.wdl()), expected, "{fen}");
        assert_eq!(tables.probe_root(&position, WinRanking::Equal).unwrap().is_some(), expected.is_some(), "{fen}");
    }
    // The DTZ table and the tables of the promotions are missing, but the result is known.
    let pawns = position("8/6p1/8/4k3/4P3/8/8/4K3 w - - 0 1");
    assert!(tables.probe_wdl(&pawns).unwrap().is_some());
    let by_wdl = tables.probe_root(&position("8/6p1/8/4k3/4P3/8/8/4K3 b - - 0 1"), WinRanking::Equal).unwrap().unwrap();
    assert!(by_wdl.iter().all(|root_move| root_move.dtz.is_none()) && by_wdl.is_sorted_by_key(|mv| -mv.rank));
}

/// Many threads get correct results with a cache that is too small and too few open files.
#[test]
fn many_threads() {
    let golden: Vec<(Position, i8)> = bartizan_testkit::read("syzygy/golden.txt")
        .lines()
        .map(|line| {
            let (fen, rest) = line.split_once(';').unwrap();
            (position(fen), rest.split(';').next().unwrap().parse().unwrap())
        })
        .collect();
    let mut config = Config::default();
    (config.whole_file, config.page_cache, config.open_files) = (0, 16 << 10, 2);
    let tables = Tablebases::open_with(&[testdata("syzygy")], config).unwrap();
    thread::scope(|scope| {
        for start in 0..8 {
            let (golden, tables) = (&golden, &tables);
            scope.spawn(move || {
                for (position, wdl) in golden.iter().cycle().skip(250 * start).take(golden.len()) {
                    assert_eq!(tables.probe_wdl(position).unwrap().unwrap().to_int(), *wdl);
                }
            });
        }
    });
}
