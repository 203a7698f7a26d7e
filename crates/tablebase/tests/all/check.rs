//! Checks of whole files.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_tablebase::{CheckLevel, TableFile, TablebaseConfig, TablebaseError, Tablebases};
use bartizan_testkit::testdata;
use bartizan_types::SplitMix64;
use std::cell::{Cell, RefCell};
use std::fs;

#[test]
fn good_files_pass() {
    for whole_file in [0, 1 << 20] {
        let mut config = TablebaseConfig::default();
        config.whole_file = whole_file;
        let tables = Tablebases::open_with(&[testdata("syzygy")], config).unwrap();
        for level in [CheckLevel::Header, CheckLevel::Full] {
            let checked = tables.files().map(|file| file.check(level, &|| false, &|_, _| ()).unwrap()).count();
            assert_eq!(checked, 21);
        }
        assert_eq!(tables.files().filter(|file| file.men() == 3).count(), 10);
    }
}

fn check(file: TableFile<'_>) -> Result<(), TablebaseError> {
    file.check(CheckLevel::Full, &|| false, &|_, _| ())
}

/// The work within a file is reported up to its end, and can be stopped at every report.
#[test]
fn the_check_of_a_file_can_be_stopped() {
    let tables = Tablebases::open_folders(&[testdata("syzygy")]).unwrap();
    for file in tables.files() {
        let reports = RefCell::new(Vec::new());
        file.check(CheckLevel::Full, &|| false, &|done, all| reports.borrow_mut().push((done, all))).unwrap();
        let reports = reports.into_inner();
        let size = fs::metadata(file.path()).unwrap().len();
        assert!(reports.is_sorted() && reports.len() >= 2, "{reports:?}");
        assert!(reports.iter().all(|&(done, all)| done <= all && (size..2 * size).contains(&all)), "{reports:?}");
        assert_eq!(reports.last().map(|&(done, all)| all - done), Some(0), "{}", file.path().display());
        for last in 1..=reports.len() {
            let count = Cell::new(0);
            let error = file.check(CheckLevel::Full, &|| count.get() == last, &|_, _| count.set(count.get() + 1));
            assert!(matches!(error, Err(TablebaseError::Interrupted)), "{error:?}");
            assert_eq!(count.get(), last);
        }
    }
}

/// Every wrong bit of a file is found, whether it is kept in memory or read page by page.
#[test]
fn every_wrong_bit_is_found() {
    let mut random = SplitMix64::new(9);
    for file in ["KQvK.rtbw", "KPvK.rtbz", "KRvKR.rtbz", "KPvKP.rtbw"] {
        let folder = tempfile::tempdir().unwrap();
        let whole = fs::read(testdata("syzygy").join(file)).unwrap();
        // Tables need a WDL file.
        fs::copy(testdata("syzygy/KRvK.rtbw"), folder.path().join("KRvK.rtbw")).unwrap();
        for round in 0..40 {
            let mut bytes = whole.clone();
            let bit = random.below(8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(folder.path().join(file), &bytes).unwrap();
            let mut config = TablebaseConfig::default();
            config.whole_file = if round % 2 == 0 { 0 } else { 1 << 20 };
            let tables = Tablebases::open_with(&[folder.path()], config).unwrap();
            let faults: Vec<String> = tables.files().filter_map(|file| Some(check(file).err()?.to_string())).collect();
            assert_eq!(faults.len(), 1, "{file} {bit} {faults:?}");
            assert!(faults[0].contains(file), "{faults:?}");
        }
    }
}
