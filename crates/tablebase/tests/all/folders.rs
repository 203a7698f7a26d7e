//! Folders with and without tables, and probing by many threads.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::{TablebaseConfig, TablebaseError, Tablebases, Wdl, WinRanking, split_folders};
use bartizan_testkit::testdata;
use std::fs;
use std::path::Path;
use std::thread;

fn position(fen: &str) -> Position {
    Position::from_fen_with(fen, Tolerance::ALL).unwrap()
}

#[test]
fn lists_of_folders() {
    let empty = tempfile::tempdir().unwrap();
    let tables = testdata("syzygy");
    let list = format!("{} ; {};", empty.path().display(), tables.display());
    let found = Tablebases::open(&list).unwrap();
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

/// As the engines read `SyzygyPath`.
#[test]
fn lists_are_split_as_in_the_option() {
    assert_eq!(split_folders(" a b; c ;;"), [Path::new("a b"), Path::new("c")]);
    let [colon, drive] = [split_folders("a:b"), split_folders(r"C:\a;D:\b")].map(|folders| folders.len());
    assert_eq!((colon, drive), if cfg!(windows) { (1, 2) } else { (2, 4) });
    assert!(split_folders(" ").is_empty());
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
    let mut config = TablebaseConfig::default();
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

/// Usable tables are used; every error is reported.
#[test]
fn usable_tables_among_faults() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, good, none) = (folder.path().join("empty"), folder.path().join("good"), folder.path().join("none"));
    fs::create_dir(&empty).unwrap();
    fs::create_dir(&good).unwrap();
    for file in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"] {
        fs::copy(testdata("syzygy").join(file), good.join(file)).unwrap();
    }
    let whole = fs::read(good.join("KRvK.rtbw")).unwrap();
    fs::write(good.join("KRvK.rtbw"), &whole[..100]).unwrap();
    let (tables, faults) = Tablebases::open_usable(&[&empty, &good, &none], TablebaseConfig::default());
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].contains("KRvK.rtbw") && faults[0].contains("invalid file size"), "{faults:?}");
    assert!(faults[1].starts_with("cannot read tablebase folder") && faults[1].contains("none"), "{faults:?}");
    assert_eq!(faults[2], format!("no tablebase files (*.rtbw) in '{}'", empty.display()));
    let tables = tables.unwrap();
    assert_eq!((tables.len(), tables.dtz_len()), (1, 2));
    assert_eq!(tables.probe_wdl(&position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")).unwrap(), Some(Wdl::Win));
    assert_eq!(tables.probe_wdl(&position("8/8/8/4k3/8/8/8/KR6 w - - 0 1")).unwrap(), None);
    assert!(Tablebases::open_usable(&[&empty], TablebaseConfig::default()).0.is_none());
    let [three] = &tables.inventory()[..] else { panic!() };
    assert_eq!((three.men, three.complete), (3, 5));
    assert_eq!(
        (three.missing_wdl.join(" "), three.missing_dtz.join(" ")),
        ("KRvK KBvK KNvK KPvK".into(), "KBvK KNvK KPvK".into())
    );
}

/// A search continues without a table that fails, and the error is reported once, regardless of the number of probes
/// and threads.
#[test]
fn failing_tables_are_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"] {
        fs::copy(testdata("syzygy").join(file), folder.path().join(file)).unwrap();
    }
    for file in ["KRvK.rtbw", "KQvK.rtbz"] {
        let path = folder.path().join(file);
        let mut bytes = fs::read(&path).unwrap();
        bytes[0] ^= 1;
        fs::write(&path, &bytes).unwrap();
    }
    let (tables, faults) = Tablebases::open_usable(&[folder.path()], TablebaseConfig::default());
    assert_eq!(faults.len(), 0);
    let tables = tables.unwrap();
    let [queen, rook] = ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1"].map(position);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!((tables.search_wdl(&queen), tables.search_wdl(&rook)), (Some(Wdl::Win), None));
                    // Without the distances, the results remain.
                    let moves = tables.search_root(&queen, WinRanking::Equal).unwrap();
                    assert!(moves[0].wdl == Wdl::Win && moves[0].dtz.is_none());
                    assert!(tables.search_root(&rook, WinRanking::Equal).is_none());
                }
            });
        }
    });
    let mut faults: Vec<String> = tables.take_faults().iter().map(ToString::to_string).collect();
    faults.sort_unstable();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].contains("KQvK.rtbz': invalid magic number"), "{faults:?}");
    assert!(faults[1].contains("KRvK.rtbw': invalid magic number"), "{faults:?}");
    assert_eq!(tables.take_faults().len(), 0);
}

/// A file that cannot be read is tried once in each search, but not for ever. It is reported once.
#[test]
fn unreadable_files_are_tried_again_a_number_of_times() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["KQvK.rtbw", "KRvK.rtbw"] {
        fs::copy(testdata("syzygy").join(file), folder.path().join(file)).unwrap();
    }
    let [queen, rook] = ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 0 1"].map(position);
    let (path, hidden) = (folder.path().join("KRvK.rtbw"), folder.path().join("hidden"));
    for (searches, is_back) in [(1, true), (19, true), (20, false), (50, false)] {
        let tables = Tablebases::open_folders(&[folder.path()]).unwrap();
        assert!(!tables.has_failed());
        fs::rename(&path, &hidden).unwrap();
        for _ in 0..searches {
            tables.resume();
            for _ in 0..3 {
                assert_eq!((tables.search_wdl(&queen), tables.search_wdl(&rook)), (Some(Wdl::Win), None));
            }
        }
        fs::rename(&hidden, &path).unwrap();
        // In the search that has failed, it counts as missing.
        assert_eq!(tables.search_wdl(&rook), None);
        tables.resume();
        assert_eq!(tables.search_wdl(&rook), is_back.then_some(Wdl::Win), "{searches}");
        assert!(tables.has_failed());
        let faults = tables.take_faults();
        assert!(matches!(&faults[..], [TablebaseError::File { path: named, .. }] if *named == path), "{faults:?}");
    }
}

/// Damage counts as a failure, whoever finds it.
#[test]
fn damage_that_a_probe_finds_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("KRvK.rtbw"), [0; 80]).unwrap();
    let tables = Tablebases::open_folders(&[folder.path()]).unwrap();
    assert!(!tables.has_failed());
    assert!(tables.probe_wdl(&position("8/8/8/4k3/8/8/8/KR6 w - - 0 1")).is_err());
    assert!(tables.has_failed());
}

/// A capture or pawn move resets the clock, so its result does not depend on it.
#[test]
fn the_clock_at_the_root() {
    let tables = Tablebases::open_folders(&[testdata("syzygy")]).unwrap();
    let outcomes = |fen: &str| -> Vec<(String, Wdl, i32)> {
        let moves = tables.probe_root(&position(fen), WinRanking::Equal).unwrap().unwrap();
        moves.iter().map(|mv| (mv.mv.to_string(), mv.outcome, mv.rank)).collect()
    };
    // The pawn move wins however late it comes; by then, any other move draws.
    let late = outcomes("8/8/8/1P6/1K6/8/8/7k w - - 98 120");
    assert_eq!(late[0].1, Wdl::Win, "{late:?}");
    assert!(late[0].0 == "b5b6" && late[0].2 > 900 && late[1].2 < 900, "{late:?}");
    let early = outcomes("8/8/8/1P6/1K6/8/8/7k w - - 10 120");
    assert!(early.iter().filter(|mv| mv.1 == Wdl::Win && mv.2 > 900).count() > 1, "{early:?}");
    // Lost or saved by the clock.
    let lost = |clock| outcomes(&format!("8/8/8/3K4/8/8/8/R3k3 b - - {clock} 60"))[0].1;
    assert_eq!((lost(0), lost(79), lost(90)), (Wdl::Loss, Wdl::Loss, Wdl::BlessedLoss));
    // A move that draws at once by the clock is a draw, whatever the tables say; a capture is not.
    let last = outcomes("8/8/8/8/4k3/8/1P6/K7 w - - 99 100");
    assert!(last.iter().all(|mv| (mv.1, mv.2) == (Wdl::Draw, 0)), "{last:?}");
    assert_eq!(lost(99), Wdl::Draw);
}
