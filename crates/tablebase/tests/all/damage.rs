//! Truncated files and files with wrong bits cause errors or wrong answers, but never a panic or a hang.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // A test reports by panicking; it prints statistics.

use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::{TablebaseConfig, TablebaseError, Tablebases, WinRanking};
use bartizan_types::SplitMix64;
use std::fs;
use std::path::Path;

/// The golden positions of each table.
fn positions(name: &str) -> Vec<Position> {
    let text = bartizan_testkit::read("syzygy/golden.txt");
    let mut wanted: Vec<char> = name.chars().filter(|&c| c != 'v').collect();
    wanted.sort_unstable();
    let fens = text.lines().filter_map(|line| line.split(';').next());
    fens.filter(|fen| {
        let board = fen.split(' ').next().unwrap().to_uppercase();
        let mut men: Vec<char> = board.chars().filter(|c| c.is_alphabetic()).collect();
        men.sort_unstable();
        men == wanted
    })
    .map(|fen| Position::from_fen_with(fen, Tolerance::ALL).unwrap())
    .collect()
}

/// Opens the tables and probes all positions. Returns the number of probes with an error.
fn probe_all(folder: &Path, positions: &[Position], config: TablebaseConfig) -> Result<usize, TablebaseError> {
    let tables = Tablebases::open_with(&[folder], config)?;
    let failed = positions.iter().filter(|position| {
        let errors = [
            tables.probe_wdl(position).is_err(),
            tables.probe_dtz(position).is_err(),
            tables.probe_root(position, WinRanking::ByDistance).is_err(),
        ];
        errors.contains(&true)
    });
    Ok(failed.count())
}

fn paged() -> TablebaseConfig {
    let mut config = TablebaseConfig::default();
    (config.whole_file, config.page_cache) = (0, 8 << 10);
    config
}

/// A folder with all tables of the test data.
fn copy_of_tables() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(bartizan_testkit::testdata("syzygy")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz") {
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    folder
}

const FILES: [&str; 8] =
    ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz", "KRvKR.rtbw", "KRvKR.rtbz", "KPvKP.rtbw"];

#[test]
fn wrong_bits() {
    let folder = copy_of_tables();
    let mut random = SplitMix64::new(1);
    for file in FILES {
        let path = folder.path().join(file);
        let whole = fs::read(&path).unwrap();
        let positions = positions(file.split('.').next().unwrap());
        assert!(positions.len() > 100, "{file}");
        let (mut unreadable, mut failed) = (0, 0);
        for round in 0..120 {
            let mut bytes = whole.clone();
            // Mostly in the header, where a bit matters most; the codes and the index follow it.
            let reach = if round % 3 == 2 { bytes.len() } else { bytes.len().min(200) };
            for _ in 0..=random.below(3) {
                let bit = random.below(8 * reach);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            fs::write(&path, &bytes).unwrap();
            let some: Vec<Position> = (0..12).map(|_| positions[random.below(positions.len())].clone()).collect();
            let config = if round % 2 == 0 { TablebaseConfig::default() } else { paged() };
            match probe_all(folder.path(), &some, config) {
                Ok(errors) => failed += errors,
                Err(_) => unreadable += 1,
            }
        }
        fs::write(&path, &whole).unwrap();
        eprintln!("{file}: {failed} of {} probes found the damage, {unreadable} openings", 120 * 12);
        assert!(failed > 0, "{file}");
    }
    let all: Vec<Position> = positions("KPvK");
    assert_eq!(probe_all(folder.path(), &all, TablebaseConfig::default()).unwrap(), 0);
}

#[test]
fn truncated_files() {
    let folder = copy_of_tables();
    let mut random = SplitMix64::new(2);
    for file in FILES {
        let path = folder.path().join(file);
        let whole = fs::read(&path).unwrap();
        let positions = positions(file.split('.').next().unwrap());
        let mut failed = 0;
        for round in 0..40 {
            let mut len = random.below(whole.len());
            if round % 4 > 0 {
                // A size that is valid for a table.
                len = len / 64 * 64 + 16;
            }
            fs::write(&path, &whole[..len]).unwrap();
            let some = &positions[random.below(positions.len() - 10)..][..10];
            let config = if round % 2 == 0 { TablebaseConfig::default() } else { paged() };
            match probe_all(folder.path(), some, config) {
                // Positions that are drawn or won by a capture need no distance.
                Ok(errors) => failed += errors,
                Err(error) => assert!(error.to_string().contains(file), "{error}"),
            }
        }
        fs::write(&path, &whole).unwrap();
        assert!(failed > 0, "{file}");
    }
}

/// Flips every bit of the smallest tables and of the beginning of the others, one at a time.
#[test]
fn each_bit_of_a_header() {
    let folder = copy_of_tables();
    for (file, bytes) in [("KRvK.rtbw", 208), ("KPvK.rtbz", 120), ("KRvKR.rtbz", 100)] {
        let path = folder.path().join(file);
        let whole = fs::read(&path).unwrap();
        let some: Vec<Position> = positions(file.split('.').next().unwrap()).into_iter().step_by(40).collect();
        for bit in 0..8 * bytes {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            let _ = probe_all(folder.path(), &some, paged());
        }
        fs::write(&path, &whole).unwrap();
    }
}

/// Like `wrong_bits` and `truncated_files`, for every file of a folder (`SYZYGY_PATH`) and the positions of
/// `SYZYGY_ORACLE`.
#[test]
fn any_damage_of_any_tables() {
    let (source, oracle) = crate::oracle::any_tables();
    let text = fs::read_to_string(oracle).unwrap();
    let positions: Vec<Position> = text
        .lines()
        .map(|line| Position::from_fen_with(line.split(';').next().unwrap(), Tolerance::ALL).unwrap())
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let mut random = SplitMix64::new(3);
    let (mut files, mut probes, mut failed) = (Vec::new(), 0, 0);
    for file in fs::read_dir(source).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rtbw" || extension == "rtbz") {
            let copy = folder.path().join(path.file_name().unwrap());
            fs::copy(&path, &copy).unwrap();
            files.push((copy, fs::read(&path).unwrap()));
        }
    }
    // All files are damaged at once, so that each probe meets a damaged one.
    for round in 0..200 {
        for (path, whole) in &files {
            let mut bytes = whole.clone();
            let reach = if round % 2 == 0 { bytes.len() } else { bytes.len().min(300) };
            for _ in 0..=random.below(4) {
                let bit = random.below(8 * reach);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            if random.below(10) == 0 {
                bytes.truncate(random.below(bytes.len()) / 64 * 64 + 16);
            }
            fs::write(path, &bytes).unwrap();
        }
        let some: Vec<Position> = (0..1_000).map(|_| positions[random.below(positions.len())].clone()).collect();
        let config = if round % 3 == 0 { paged() } else { TablebaseConfig::default() };
        failed += probe_all(folder.path(), &some, config).unwrap();
        probes += some.len();
    }
    eprintln!("{} files, {probes} positions probed in three ways, {failed} met an error", files.len());
}
