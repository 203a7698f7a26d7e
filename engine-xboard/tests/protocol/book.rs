//! The opening book.

use crate::support::{Engine, SEARCH, text};
use bartizan_book::{BookEntry, PolyglotKey};
use bartizan_position::Position;

#[test]
fn the_book_is_shown_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.bin");
    let start = Position::startpos();
    let entries = [("g1f3", 30), ("h2h4", 90), ("a2a3", 0)].map(|(mv, weight)| {
        let mv = start.parse_uci(mv).unwrap().into();
        BookEntry { key: PolyglotKey::of(&start), mv, weight, learn: 0 }.to_bytes()
    });
    std::fs::write(&path, entries.as_flattened()).unwrap();
    let mut engine = Engine::ready_with(&["-t"]);
    engine.ask(&format!("option BookFile={}\noption Book Variety=0", text(&path)));
    // Always shown.
    engine.send("bk");
    let lines = engine.wait_until("an empty line", SEARCH, str::is_empty);
    let shown: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with(' ')).collect();
    assert_eq!(shown, [" h4       75.0 %  weight 90", " Nf3      25.0 %  weight 30", " a3        0.0 %  weight 0"]);
    engine.send("option OwnBook=1\nnew\nst 100\ngo");
    let lines = engine.wait_for("move ");
    assert_eq!(lines.last().unwrap(), "move h2h4");
    assert!(lines.iter().any(|line| line.ends_with("move: h2h4, from: book")), "{lines:#?}");
    engine.send("bk");
    let lines = engine.wait_until("an empty line", SEARCH, str::is_empty);
    assert!(lines.contains(&" no moves in the book".to_owned()), "{lines:#?}");
    engine.send("quit");
    engine.wait_exit();
}
