//! Tests with real files: an opening book and test suites. They are not part of the repository. Without them, the tests
//! print a note and pass.
#![allow(clippy::unwrap_used)] // A test reports by panicking.
#![allow(clippy::print_stderr)] // Skipped tests print a note.

use bartizan_notation::epd::read_epd;
use bartizan_notation::pgn::PgnReader;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// The folder of a collection next to the repository; prints a note and returns `None` if it is missing.
fn collection(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: no {name} beside the checkout");
    None
}

#[test]
fn every_opening_is_read_and_written() {
    let Some(path) = collection("openings/8moves_4k.pgn") else { return };
    let mut games = 0;
    for game in PgnReader::new(BufReader::new(File::open(path).unwrap())) {
        let game = game.unwrap();
        assert!(!game.moves.is_empty() && game.tag("Eco").is_some(), "{game}");
        let again = PgnReader::new(game.to_string().as_bytes()).next().unwrap().unwrap();
        assert_eq!(again, game);
        games += 1;
    }
    assert_eq!(games, 4_000);
}

#[test]
fn every_move_of_the_test_suites_is_legal() {
    let Some(folder) = collection("epd") else { return };
    let mut solutions = 0;
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "epd") {
            continue;
        }
        let mut reader = read_epd(BufReader::new(File::open(&path).unwrap()));
        while let Some(epd) = reader.next() {
            let place = format!("{}:{}", path.display(), reader.line());
            let epd = epd.unwrap_or_else(|error| panic!("{place}: {error}"));
            for moves in [epd.best_moves(), epd.avoid_moves()] {
                solutions += moves.unwrap_or_else(|error| panic!("{place}: {error}")).len();
            }
            assert_eq!(epd.to_string().parse(), Ok(epd), "{place}");
        }
    }
    assert!(solutions > 300, "{solutions}");
}

#[test]
fn every_start_of_the_books_is_legal() {
    for name in ["openings/uho_4060_15k.epd", "openings/dfrc_1500.epd"] {
        let Some(path) = collection(name) else { continue };
        let count = read_epd(BufReader::new(File::open(path).unwrap())).map(Result::unwrap).count();
        assert!(count > 1_000, "{name}: {count}");
    }
}
