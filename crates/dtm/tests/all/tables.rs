//! Distance-to-mate tables: all of 3 men, generated and verified.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_dtm::{
    Coverage, Dtm, DtmConfig, DtmError, DtmTables, Endgame, GenerateError, Generator, Step, StopFlag, VerifyError,
};
use bartizan_eval::kpk;
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_tablebase::Tablebases;
use bartizan_testkit::{KingAndPawnMates, testdata};
use bartizan_types::{Color, PieceType, Rank, Square};
use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder with all tables of 3 men, generated once.
static TABLES: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut generator = Generator::new(folder.path(), 2);
    for endgame in Endgame::with_successors(&Endgame::with_men(3)) {
        let made = generator.generate(&endgame, &StopFlag::new(), &|_| ()).unwrap();
        assert_eq!((made.bytes, made.existed), (fs::metadata(&made.path).unwrap().len(), false));
    }
    folder
});

fn tables() -> DtmTables {
    DtmTables::open_folders(&[TABLES.path()]).unwrap()
}

fn endgame(name: &str) -> Endgame {
    name.parse().unwrap()
}

fn position(fen: &str) -> Position {
    Position::from_fen_with(fen, Tolerance::ALL).unwrap()
}

/// The published lengths of the longest wins, in moves.
#[test]
fn the_longest_wins_are_the_published_ones() {
    let tables = tables();
    for (name, moves) in [("KQK", Some(10)), ("KRK", Some(16)), ("KPK", Some(28)), ("KBK", None), ("KNK", None)] {
        let summary = tables.summary(&endgame(name)).unwrap().unwrap();
        let [white, black] = summary.sides.as_slice() else { panic!("{name} has two sides") };
        assert_eq!(white.longest_win.and_then(Dtm::moves), moves, "{name}");
        assert_eq!(black.longest_loss.and_then(Dtm::moves), moves, "{name}");
        assert_eq!((white.losses, black.wins, white.longest_loss, black.longest_win), (0, 0, None, None));
        if let Some(value) = white.longest_win {
            let found = tables.find(&endgame(name), Color::White, value, 3).unwrap();
            assert!((1..=3).contains(&found.len()));
            for position in found {
                assert_eq!(tables.probe(&position).unwrap(), Some(value), "{}", position.to_fen());
                assert_eq!(tables.probe(&position.flipped()).unwrap(), Some(value), "{}", position.to_fen());
            }
        }
    }
}

/// Verified by look-ahead with the full rules, with mirror images, and against Syzygy.
#[test]
fn every_position_of_three_men_is_verified() {
    let tables = tables();
    let syzygy = Tablebases::open_folders(&[testdata("syzygy")]).unwrap();
    let mut positions = 0;
    for endgame in tables.endgames() {
        let verified = tables.verify(endgame, Coverage::All, Some(&syzygy), 2, &StopFlag::new(), &|_, _| ()).unwrap();
        assert_eq!(verified.positions, verified.syzygy);
        assert!(verified.images >= verified.positions);
        positions += verified.positions;
    }
    // Each position and its mirror images count as one.
    assert_eq!(positions, 165_676 + 53_806 + 52_234 + 50_015 + 46_137);
    let sample = Coverage::Sample { seed: 7, draws: 1_000 };
    let verified = tables.verify(&endgame("KPK"), sample, None, 1, &StopFlag::new(), &|_, _| ()).unwrap();
    assert!((500..1_000).contains(&verified.positions), "{verified:?}");
}

/// The distances of the testkit come from forward passes over all positions, without symmetry or counters. The bits of
/// `bartizan_eval::kpk` tell who wins.
#[test]
fn king_and_pawn_equal_an_independent_solution() {
    let tables = tables();
    let mates = KingAndPawnMates::get();
    let mut compared = 0;
    for turn in Color::ALL {
        for pawn in Square::ALL.into_iter().filter(|pawn| !matches!(pawn.rank(), Rank::First | Rank::Eighth)) {
            for strong in Square::ALL {
                for weak in Square::ALL.into_iter().filter(|&weak| weak != strong && weak != pawn && strong != pawn) {
                    let mut setup = Setup { turn, ..Setup::EMPTY };
                    setup.board[pawn.index()] = Some(PieceType::Pawn.of(Color::White));
                    setup.board[strong.index()] = Some(PieceType::King.of(Color::White));
                    setup.board[weak.index()] = Some(PieceType::King.of(Color::Black));
                    let Ok(position) = setup.validate(Tolerance::ALL) else { continue };
                    let value = tables.probe(&position).unwrap().unwrap();
                    let plies = mates.plies_at(turn, pawn, strong, weak);
                    assert_eq!(value.plies().map(u32::from), plies, "{}", position.to_fen());
                    assert_eq!(value.sign() != 0, value.plies().is_some());
                    assert!(plies.is_none() || (value.sign() > 0) == turn.is_white());
                    assert_eq!(kpk::is_win(Color::White, strong, pawn, weak, turn), plies.is_some());
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 331_352);
}

/// Files generated by an earlier version of the program.
#[test]
fn files_of_version_1_stay_readable() {
    let old = DtmTables::open_folders(&[testdata("dtm")]).unwrap();
    let tables = tables();
    for name in ["KNK", "KQK"] {
        assert_eq!(
            old.summary(&endgame(name)).unwrap().unwrap().sides,
            tables.summary(&endgame(name)).unwrap().unwrap().sides
        );
        let verified = old.verify(&endgame(name), Coverage::All, None, 2, &StopFlag::new(), &|_, _| ()).unwrap();
        assert!(verified.positions > 46_000, "{name} {verified:?}");
    }
}

#[test]
fn probes_of_single_positions() {
    let tables = tables();
    assert_eq!((tables.len(), tables.max_pieces(), tables.is_empty()), (5, 3, false));
    for (fen, value) in [
        ("4k3/8/4K3/8/8/8/8/7R w - - 0 1", Some(Dtm::Win(1))),
        ("4k2R/8/4K3/8/8/8/8/8 b - - 0 1", Some(Dtm::Loss(0))),
        ("8/8/8/8/8/4k3/8/4K2r w - - 0 1", Some(Dtm::Loss(0))),
        ("k7/8/1Q6/8/8/8/8/7K b - - 0 1", Some(Dtm::Draw)),
        ("8/8/8/8/8/2k5/8/K7 w - - 0 1", Some(Dtm::Draw)),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        ("4k3/8/8/8/8/8/8/3QK2R w - - 0 1", None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
    ] {
        assert_eq!(tables.probe(&position(fen)).unwrap(), value, "{fen}");
    }
    let moves = tables.probe_moves(&position("k7/2P5/1K6/8/8/8/8/8 w - - 0 1")).unwrap().unwrap();
    let values: Vec<String> =
        moves.iter().map(|mv| format!("{} {}", mv.mv.to_uci(Default::default()), mv.dtm)).collect();
    assert_eq!(values[..2], ["c7c8q win in 1", "c7c8r win in 1"], "{values:?}");
    assert!(moves.is_sorted_by_key(|mv| -mv.dtm.preference()));
    assert!(values.iter().any(|value| value == "c7c8n draw"), "{values:?}");
    assert!(tables.probe_moves(&position("4k3/8/8/8/8/8/8/3QK2R w - - 0 1")).unwrap().is_none());
}

#[test]
fn finished_tables_are_kept_and_missing_ones_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut generator = Generator::new(folder.path(), 1);
    let error = generator.generate(&endgame("KPK"), &StopFlag::new(), &|_| ()).unwrap_err();
    assert!(matches!(&error, GenerateError::Missing { missing } if *missing == endgame("KNK")), "{error}");
    for name in ["KNK", "KBK", "KRK", "KQK"] {
        fs::copy(TABLES.path().join(format!("{name}.dtm")), folder.path().join(format!("{name}.dtm"))).unwrap();
        assert!(generator.generate(&endgame(name), &StopFlag::new(), &|_| ()).unwrap().existed);
    }
    // Interrupted at any step, no file appears.
    for steps in 0..5 {
        let (reports, stop) = (Cell::new(0), StopFlag::new());
        let report = |step: Step| {
            assert!(!format!("{step:?}").is_empty());
            reports.set(reports.get() + 1);
            if reports.get() >= steps * 12 {
                stop.stop();
            }
        };
        if steps == 0 {
            stop.stop();
        }
        let error = generator.generate(&endgame("KPK"), &stop, &report).unwrap_err();
        assert!(matches!(error, GenerateError::Interrupted), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }
    let made = Generator::new(folder.path(), 3).generate(&endgame("KPK"), &StopFlag::new(), &|_| ()).unwrap();
    assert!(!made.existed);
    // Threads change nothing.
    assert_eq!(fs::read(made.path).unwrap(), fs::read(TABLES.path().join("KPK.dtm")).unwrap());
}

/// An existing table is read completely, because later ones would be built from its values.
#[test]
fn damaged_tables_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KQK.dtm");
    let whole = fs::read(TABLES.path().join("KQK.dtm")).unwrap();
    let generate = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = Generator::new(folder.path(), 1).generate(&endgame("KQK"), &StopFlag::new(), &|_| ()).unwrap_err();
        assert!(matches!(error, GenerateError::Damaged(_)), "{error}");
        let text = error.to_string();
        assert!(text.contains("KQK.dtm") && text.ends_with("; delete it to make it again"), "{text}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
        text
    };
    let mut wrong = whole.clone();
    wrong[9_000] ^= 1;
    assert!(generate(&wrong).contains("the checksum of block 6 is wrong"));
    assert!(generate(&whole[..5_000]).contains("it ends early"));
    // As a successor, too.
    fs::write(&path, &wrong).unwrap();
    for name in ["KNK", "KBK", "KRK"] {
        fs::copy(TABLES.path().join(format!("{name}.dtm")), folder.path().join(format!("{name}.dtm"))).unwrap();
    }
    let error = Generator::new(folder.path(), 1).generate(&endgame("KPK"), &StopFlag::new(), &|_| ()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("KQK.dtm': the checksum of block 6 is wrong, at byte 8783; delete it to make it again"),
        "{error}"
    );
    // Checking can be interrupted, and reports its progress.
    fs::write(&path, &whole).unwrap();
    let stop = StopFlag::new();
    stop.stop();
    let error = Generator::new(folder.path(), 1).generate(&endgame("KQK"), &stop, &|_| ()).unwrap_err();
    assert!(matches!(error, GenerateError::Interrupted), "{error}");
    let reports = Cell::new(0);
    let report = |step: Step| {
        assert!(matches!(step, Step::Checking { done: 1..=8, of: 8 }), "{step:?}");
        reports.set(reports.get() + 1);
    };
    assert!(Generator::new(folder.path(), 1).generate(&endgame("KQK"), &StopFlag::new(), &report).unwrap().existed);
    assert_eq!(reports.into_inner(), 8);
}

/// Usable tables are used, and every fault is reported.
#[test]
fn usable_tables_among_faults() {
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none");
    let (tables, faults) = DtmTables::open_usable(&[folder.path(), TABLES.path(), &none], DtmConfig::default());
    let tables = tables.unwrap();
    assert_eq!((tables.len(), tables.empty_folders()), (5, &[folder.path().to_owned()][..]));
    assert_eq!(tables.probe(&position("4k3/8/4K3/8/8/8/8/7R w - - 0 1")).unwrap(), Some(Dtm::Win(1)));
    let [DtmError::NoTables { folders }, DtmError::Folder { path, .. }] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!((&folders[..], path), (&[folder.path().to_owned()][..], &none));
    let (tables, faults) = DtmTables::open_usable(&[&none], DtmConfig::default());
    assert!(tables.is_none() && faults.len() == 1);
    let (tables, faults) = DtmTables::open_usable::<&Path>(&[], DtmConfig::default());
    assert!(tables.is_none() && matches!(&faults[..], [DtmError::NoTables { .. }]));
}

/// A missing table is not a wrong value, and verifying nothing proves nothing.
#[test]
fn verifying_nothing_is_an_error() {
    let (tables, folder) = (tables(), tempfile::tempdir().unwrap());
    fs::copy(testdata("syzygy/KQvK.rtbw"), folder.path().join("KQvK.rtbw")).unwrap();
    let verify = |name: &str, coverage, syzygy: Option<&Tablebases>| {
        tables.verify(&endgame(name), coverage, syzygy, 1, &StopFlag::new(), &|_, _| ())
    };
    let syzygy = Tablebases::open_folders(&[folder.path()]).unwrap();
    for (name, missing) in [("KRK", "KRK"), ("KPK", "KPK")] {
        let error = verify(name, Coverage::All, Some(&syzygy)).unwrap_err();
        assert!(matches!(&error, VerifyError::NoSyzygy(found) if *found == endgame(missing)), "{error}");
        assert_eq!(error.to_string(), format!("no Syzygy table (*.rtbw) of {missing}"));
    }
    verify("KQK", Coverage::All, Some(&syzygy)).unwrap();
    let error = verify("KQK", Coverage::Sample { seed: 1, draws: 0 }, None).unwrap_err();
    assert_eq!(error.to_string(), "none of 0 random positions of KQK is legal: nothing was verified");
    let verified = (0..40).filter(|&seed| verify("KQK", Coverage::Sample { seed, draws: 1 }, None).is_ok()).count();
    assert!((10..40).contains(&verified), "{verified}");
}

/// Reads the whole table.
fn read_all(folder: &Path, name: &str, config: DtmConfig) -> Result<(), DtmError> {
    let tables = DtmTables::open_with(&[folder], config)?;
    for turn in Color::ALL {
        assert!(tables.find(&endgame(name), turn, Dtm::Win(9_999), 1)?.is_empty());
    }
    Ok(())
}

#[test]
fn every_changed_byte_and_every_truncation_is_found() {
    let mut paged = DtmConfig::default();
    (paged.whole_file, paged.block_cache) = (0, 0);
    for (name, step) in [("KNK", 1), ("KRK", 47), ("KPK", 199)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("{name}.dtm"));
        let whole = fs::read(TABLES.path().join(format!("{name}.dtm"))).unwrap();
        let check = |bytes: &[u8], what: &str| {
            fs::write(&path, bytes).unwrap();
            for config in [DtmConfig::default(), paged] {
                let error = read_all(folder.path(), name, config).unwrap_err().to_string();
                assert!(error.contains(&format!("{name}.dtm")) && error.contains("at byte "), "{what}: {error}");
            }
        };
        for at in (0..whole.len()).filter(|at| *at < 160 || at % step == 0) {
            for flip in [1, 0x40, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                check(&bytes, &format!("{name}, byte {at}"));
            }
            check(&whole[..at], &format!("{name}, {at} bytes"));
        }
        check(&[&whole[..], &[0]].concat(), "a byte too many");
        fs::write(&path, &whole).unwrap();
        read_all(folder.path(), name, paged).unwrap();
    }
}

/// Damage in the header and in a block, and an unreadable file.
#[test]
fn failures_are_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KRK.dtm");
    let whole = fs::read(TABLES.path().join("KRK.dtm")).unwrap();
    let rook = position("8/8/8/8/8/2k5/7R/K7 w - - 0 1");
    for at in [None, Some(0), Some(50), Some(whole.len() / 2)] {
        let mut bytes = whole.clone();
        if let Some(at) = at {
            bytes[at..].fill(0x55);
        }
        fs::write(&path, bytes).unwrap();
        let tables = DtmTables::open_folders(&[folder.path()]).unwrap();
        assert!(!tables.has_failed());
        let is_wrong = tables.probe_moves(&rook).is_err();
        assert_eq!((is_wrong, tables.has_failed()), (at.is_some(), at.is_some()), "{at:?}");
    }
    let tables = DtmTables::open_folders(&[folder.path()]).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(tables.probe(&rook).is_err() && tables.has_failed());
}

/// A mapped table is truncated, and replaced, while it is in use.
#[test]
fn a_file_that_changes_is_an_error_or_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KPK.dtm");
    let whole = fs::read(TABLES.path().join("KPK.dtm")).unwrap();
    let mut mapped = DtmConfig::default();
    (mapped.whole_file, mapped.block_cache) = (0, 0);
    fs::write(&path, &whole).unwrap();
    let tables = DtmTables::open_with(&[folder.path()], mapped).unwrap();
    let find = |tables: &DtmTables| tables.find(&endgame("KPK"), Color::White, Dtm::Win(55), 9);
    let found = find(&tables).unwrap();
    assert!(!found.is_empty());
    bartizan_files::replace(&path, &whole[..200]).unwrap();
    assert_eq!(find(&tables).unwrap(), found);

    fs::write(&path, &whole).unwrap();
    let tables = DtmTables::open_with(&[folder.path()], mapped).unwrap();
    assert_eq!(find(&tables).unwrap(), found);
    fs::File::options().write(true).open(&path).unwrap().set_len(200).unwrap();
    let error = find(&tables).unwrap_err();
    assert!(matches!(&error, DtmError::File { path: named, .. } if *named == path), "{error}");
    let reason = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(reason, format!("it has been cut off from {} to 200 bytes since it was opened", whole.len()));
}

#[test]
fn files_of_other_names_folders_and_missing_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let error = DtmTables::open_folders(&[folder.path()]).unwrap_err();
    assert!(error.to_string().contains("no distance-to-mate tables"), "{error}");
    assert!(DtmTables::open(folder.path().join("none").to_str().unwrap()).is_err());
    fs::copy(TABLES.path().join("KRK.dtm"), folder.path().join("KQK.dtm")).unwrap();
    fs::create_dir(folder.path().join("KPK.dtm")).unwrap();
    fs::write(folder.path().join("other.dtm"), "").unwrap();
    let tables = DtmTables::open_folders(&[folder.path(), TABLES.path()]).unwrap();
    assert_eq!(tables.len(), 5);
    let error = tables.probe(&position("8/8/8/8/8/2k5/8/K6Q w - - 0 1")).unwrap_err().to_string();
    assert!(error.contains("KQK.dtm") && error.contains("table of KRK"), "{error}");
    let error = tables.probe(&position("8/8/8/8/8/2k5/7P/K7 w - - 0 1")).unwrap_err();
    assert!(matches!(error, DtmError::File { .. }), "{error}");
    // The other folder's table is used for what this one lacks.
    assert_eq!(tables.probe(&position("8/8/8/8/8/2k5/7B/K7 w - - 0 1")).unwrap(), Some(Dtm::Draw));
}
