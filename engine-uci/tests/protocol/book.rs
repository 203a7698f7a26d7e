//! The opening book.

use crate::support::Engine;
use bartizan_book::{BookEntry, PolyglotKey, PolyglotMove};
use bartizan_position::Position;
use bartizan_testkit::SEARCH;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a book with moves of the starting position and their weights.
fn write_book(folder: &Path, moves: &[(&str, u16)]) -> PathBuf {
    let start = Position::startpos();
    let key = PolyglotKey::of(&start);
    let entry = |&(mv, weight): &(&str, u16)| {
        // An illegal move is a move of black.
        let mv = start.parse_uci(mv).map_or(PolyglotMove(52 << 6 | 36), PolyglotMove::from);
        BookEntry { key, mv, weight, learn: 0 }.to_bytes()
    };
    let path = folder.join("book.bin");
    fs::write(&path, moves.iter().flat_map(entry).collect::<Vec<u8>>()).unwrap();
    path
}

/// The move that the engine plays, and whether it reports that the move is from the book.
fn plays(engine: &mut Engine, go: &str) -> (String, bool) {
    engine.send(go);
    let lines = engine.wait_until("a move", SEARCH, |line| line.starts_with("bestmove"));
    let best = engine.search(&lines).best;
    let said = format!("info string book: {best}, weight ");
    (best, lines.iter().any(|line| line.starts_with(&said)))
}

#[test]
fn moves_of_the_book_are_played_in_games_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_book(folder.path(), &[("e7e5", 500), ("h2h4", 7), ("a2a3", 0)]);
    let mut engine = Engine::with_options(&[("BookFile", path.to_str().unwrap())]);
    assert!(!plays(&mut engine, "go depth 3").1, "OwnBook is off");
    engine.send("setoption name OwnBook value true");
    for go in ["go depth 3", "go wtime 1000 btime 1000", "go movetime 500", "go nodes 100"] {
        assert_eq!(plays(&mut engine, go), ("h2h4".to_owned(), true), "{go}");
    }
    engine.send("position startpos moves e2e4");
    assert!(!plays(&mut engine, "go depth 2").1);
    engine.send("position startpos");
    assert!(!plays(&mut engine, "go depth 2 searchmoves e2e4 d2d4").1);
    engine.send("go infinite");
    assert_ne!(engine.stop().best, "h2h4");
    engine.send("setoption name UCI_AnalyseMode value true");
    assert!(!plays(&mut engine, "go depth 3").1);
    engine.send("setoption name UCI_AnalyseMode value false");
    engine.send("setoption name Book Depth value 0");
    assert!(!plays(&mut engine, "go depth 3").1);
    engine.send("setoption name Book Depth value 1");
    assert!(plays(&mut engine, "go depth 3").1);
}

/// Moves of weight 0 are left out of every search for a move: whatever its limits, with several lines, for a weak
/// player, and for an expected move. Only a client that names moves gets them.
#[test]
fn moves_of_weight_zero_are_never_played() {
    let folder = tempfile::tempdir().unwrap();
    let start = Position::startpos();
    let legal: Vec<String> = start.legal_moves().iter().map(ToString::to_string).collect();
    let path = write_book(folder.path(), &legal[2..].iter().map(|mv| (mv.as_str(), 0)).collect::<Vec<_>>());
    let mut engine = Engine::with_options(&[("BookFile", path.to_str().unwrap()), ("OwnBook", "true")]);
    for go in ["go depth 4", "go nodes 2000", "go movetime 50", "go wtime 1000 btime 1000"] {
        let (best, is_said) = plays(&mut engine, go);
        assert!(legal[..2].contains(&best) && !is_said, "{go}: {best}");
    }
    engine.send("go ponder wtime 1000 btime 1000");
    assert!(legal[..2].contains(&plays(&mut engine, "ponderhit").0));
    assert_eq!(plays(&mut engine, &format!("go depth 2 searchmoves {}", legal[3])).0, legal[3]);
    engine.send("setoption name MultiPV value 3");
    engine.send("go depth 3");
    let lines = engine.wait_until("a move", SEARCH, |line| line.starts_with("bestmove"));
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")));
    assert!(!lines.iter().any(|line| line.contains(" multipv 3 ")));
    engine.send("setoption name MultiPV value 1");
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 800");
    assert!((0..10).all(|_| legal[..2].contains(&plays(&mut engine, "go depth 2").0)));

    // Nothing else is legal.
    let path = write_book(folder.path(), &legal.iter().map(|mv| (mv.as_str(), 0)).collect::<Vec<_>>());
    engine.send(&format!("setoption name BookFile value {}", path.display()));
    assert!(legal.contains(&plays(&mut engine, "go depth 2").0));
}

/// A book move waits for the opponent's expected move, and follows at once.
#[test]
fn the_book_answers_an_expected_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_book(folder.path(), &[("h2h4", 7)]);
    let mut engine = Engine::with_options(&[("BookFile", path.to_str().unwrap()), ("OwnBook", "true")]);
    engine.send("go ponder wtime 600000 btime 600000");
    let said = engine.until_ready();
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:?}");
    let (best, _) = plays(&mut engine, "ponderhit");
    assert_eq!(best, "h2h4");
}

#[test]
fn variety_decides_between_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_book(folder.path(), &[("e2e4", 40), ("d2d4", 39), ("c2c4", 38)]);
    let mut engine = Engine::with_options(&[("BookFile", path.to_str().unwrap()), ("OwnBook", "true")]);
    let mut played: Vec<String> = (0..60).map(|_| plays(&mut engine, "go depth 9").0).collect();
    played.sort_unstable();
    played.dedup();
    assert_eq!(played, ["c2c4", "d2d4", "e2e4"]);
    engine.send("setoption name Book Variety value 0");
    assert!((0..20).all(|_| plays(&mut engine, "go depth 9").0 == "e2e4"));
}

#[test]
fn a_faulty_book_is_refused_and_the_engine_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let good = write_book(folder.path(), &[("h2h4", 7)]);
    let mut engine = Engine::with_options(&[("BookFile", good.to_str().unwrap()), ("OwnBook", "true")]);
    let faulty = folder.path().join("faulty.bin");
    let bytes = fs::read(&good).unwrap();
    for (content, reason) in [
        (&bytes[..0], "the book is empty"),
        (&bytes[..9], "the book is truncated or no Polyglot book: its length of 9 bytes is not a multiple of 16"),
    ] {
        fs::write(&faulty, content).unwrap();
        let faulty = faulty.to_str().unwrap();
        engine.send(&format!("setoption name BookFile value {faulty}"));
        let expected = format!("info string error: option 'BookFile': cannot use book '{faulty}': {reason}");
        assert_eq!(engine.until_ready(), [expected]);
    }
    // The current book is kept.
    assert!(plays(&mut engine, "go depth 2").1);
    // A small book is kept in memory: the engine continues with it whatever happens to the file.
    fs::OpenOptions::new().write(true).open(&good).unwrap().set_len(3).unwrap();
    assert!(plays(&mut engine, "go depth 2").1);
}

#[test]
fn a_large_book_that_is_cut_off_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_book(folder.path(), &[("h2h4", 7)]);
    let mut bytes = fs::read(&path).unwrap();
    // Entries of impossible positions make it too large to be kept in memory.
    for key in (0..1 << 16).map(|number| u64::MAX - (1 << 16) + number) {
        bytes.extend(key.to_be_bytes());
        bytes.extend([0; 8]);
    }
    fs::write(&path, &bytes).unwrap();
    let mut engine = Engine::with_options(&[("BookFile", path.to_str().unwrap()), ("OwnBook", "true")]);
    assert!(plays(&mut engine, "go depth 2").1);
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(3).unwrap();
    engine.send("go depth 2");
    let lines = engine.wait_until("a move", SEARCH, |line| line.starts_with("bestmove"));
    let warning = format!("info string warning: cannot read book '{}': ", path.display());
    assert!(lines.iter().any(|line| line.starts_with(&warning)), "{lines:#?}");
    assert_eq!(engine.go("go depth 2").infos.last().unwrap().depth, Some(2));
    // Setting the same file opens it again.
    let set = format!("setoption name BookFile value {}", path.display());
    engine.send(&set);
    assert!(engine.until_ready()[0].starts_with("info string error: option 'BookFile': cannot use book"));
    fs::write(&path, &bytes).unwrap();
    engine.send(&set);
    assert_eq!(engine.until_ready(), [""; 0]);
    assert!(plays(&mut engine, "go depth 2").1);
    engine.send("setoption name BookFile value <empty>");
    assert_eq!(engine.until_ready(), [""; 0]);
}

#[test]
fn the_built_in_book_is_used_without_a_file() {
    let mut engine = Engine::with_options(&[("OwnBook", "true")]);
    assert!(plays(&mut engine, "go depth 1").1);
    engine.send("position startpos moves e2e4 e7e5 g1f3 b8c6");
    assert!(plays(&mut engine, "go depth 1").1);
    // A file replaces it until the option is set to empty.
    let folder = tempfile::tempdir().unwrap();
    let path = write_book(folder.path(), &[("h2h4", 7)]);
    engine.send(&format!("setoption name BookFile value {}", path.display()));
    assert!(!plays(&mut engine, "go depth 1").1);
    engine.send("setoption name BookFile value <empty>");
    assert!(plays(&mut engine, "go depth 1").1);
}
