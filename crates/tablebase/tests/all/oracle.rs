//! Compares the results with those of another program: for `golden.txt`, and for any file of `FEN;wdl;dtz` lines
//! (`SYZYGY_ORACLE`) and any tables (`SYZYGY_PATH`). `testdata/syzygy/make.py` creates such files.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // A test reports by panicking; it prints statistics.

use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::{TablebaseConfig, Tablebases};
use std::ffi::OsString;
use std::path::PathBuf;

/// Compares line by line. A dash is a distance that the other program did not find. Returns the number of positions.
fn compare(tables: &Tablebases, text: &str) -> usize {
    let mut compared = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [fen, wdl, dtz] = line.split(';').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = Position::from_fen_with(fen, Tolerance::ALL).unwrap();
        assert_eq!(position.en_passant().is_some(), fen.split(' ').nth(3) != Some("-"), "{fen}");
        let ours = tables.probe_wdl(&position).unwrap().unwrap();
        assert_eq!(ours.to_int().to_string(), wdl, "{fen}");
        if dtz != "-" {
            let ours = tables.probe_dtz(&position).unwrap().unwrap();
            assert_eq!(ours.to_string(), dtz, "{fen}");
        }
        compared += 1;
    }
    compared
}

fn golden(config: TablebaseConfig) {
    let tables = Tablebases::open_with(&[bartizan_testkit::testdata("syzygy")], config).unwrap();
    assert_eq!(compare(&tables, &bartizan_testkit::read("syzygy/golden.txt")), 2_000);
}

#[test]
fn golden_positions() {
    golden(TablebaseConfig::default());
}

/// With one page in the cache and one open file, all data is read repeatedly.
#[test]
fn golden_positions_page_by_page() {
    let mut config = TablebaseConfig::default();
    (config.whole_file, config.page_cache, config.open_files) = (0, 0, 1);
    golden(config);
}

/// The tables of `SYZYGY_PATH` and the oracle of `SYZYGY_ORACLE`; those of the repository if neither is set.
pub(crate) fn any_tables() -> (OsString, OsString) {
    match ["SYZYGY_PATH", "SYZYGY_ORACLE"].map(std::env::var_os) {
        [Some(paths), Some(oracle)] => (paths, oracle),
        [None, None] => ["syzygy", "syzygy/golden.txt"].map(|name| bartizan_testkit::testdata(name).into()).into(),
        _ => panic!("of SYZYGY_PATH and SYZYGY_ORACLE only one is set"),
    }
}

#[test]
fn any_positions_of_any_tables() {
    let (paths, oracle) = any_tables();
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    let text = std::fs::read_to_string(oracle).unwrap();
    let mut paged = TablebaseConfig::default();
    (paged.whole_file, paged.page_cache, paged.open_files) = (0, 64 << 10, 8);
    for config in [TablebaseConfig::default(), paged] {
        let tables = Tablebases::open_with(&folders, config).unwrap();
        eprintln!("{} positions over {} tables agree", compare(&tables, &text), tables.len());
    }
}
