//! The keys of `testdata/zobrist/golden.txt` must not change, because files store keys.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_position::Position;
use bartizan_types::Color;

#[test]
fn keys_never_change() {
    let text = bartizan_testkit::read("zobrist/golden.txt");
    let mut compared = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').collect();
        let position = Position::from_fen(fields[0]).unwrap();
        let keys = [
            position.key(),
            position.pawn_key(),
            position.non_pawn_key(Color::White),
            position.non_pawn_key(Color::Black),
            position.material_key(),
        ];
        assert_eq!(keys.map(|key| key.to_string()).as_slice(), &fields[1..], "{line}");
        compared += 1;
    }
    assert!(compared > 40);
}

/// Positions that differ for the rule of repetition have different keys; others have the same key.
#[test]
fn keys_distinguish_positions() {
    let key = |fen: &str| Position::from_fen(fen).unwrap().key();
    let base = key("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for other in [
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1",
    ] {
        assert_ne!(key(other), base, "{other}");
    }
    assert_eq!(key("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 37 90"), base);
    // The en passant square counts only if a capture is possible.
    let possible = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    assert_ne!(key(possible), key("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"));
    let impossible = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
    assert_eq!(key(impossible), key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
    // A pinned pawn cannot capture en passant.
    let pinned = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
    assert_eq!(key(pinned), key("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"));
}
