//! Checks of whole files.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_tablebase::{CheckLevel, Config, Tablebases};
use bartizan_testkit::testdata;
use bartizan_types::SplitMix64;
use std::fs;

#[test]
fn good_files_pass() {
    for whole_file in [0, 1 << 20] {
        let mut config = Config::default();
        config.whole_file = whole_file;
        let tables = Tablebases::open_with(&[testdata("syzygy")], config).unwrap();
        for level in [CheckLevel::Header, CheckLevel::Full] {
            let checked = tables.files().map(|file| file.check(level).unwrap()).count();
            assert_eq!(checked, 21);
        }
        assert_eq!(tables.files().filter(|file| file.men() == 3).count(), 10);
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
            let mut config = Config::default();
            config.whole_file = if round % 2 == 0 { 0 } else { 1 << 20 };
            let tables = Tablebases::open_with(&[folder.path()], config).unwrap();
            let faults: Vec<String> =
                tables.files().filter_map(|file| Some(file.check(CheckLevel::Full).err()?.to_string())).collect();
            assert_eq!(faults.len(), 1, "{file} {bit} {faults:?}");
            assert!(faults[0].contains(file), "{faults:?}");
        }
    }
}
