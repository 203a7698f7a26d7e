//! Leaf counts of `testdata/perft`: some positions of each file on every run, deep counts on demand. The example
//! `perft_suite` counts all of them.

use bartizan_position::{Position, Tolerance, perft};
use bartizan_testkit::perft_suite;

/// For the tricky positions. Some are intentionally impossible: no move can lead to their checks or en passant square.
const IMPOSSIBLE_TOO: Tolerance = Tolerance { en_passant: true, checks: true, ..Tolerance::NONE };

/// Counts every `step`th position of a suite at all depths with at most `max_leaves` leaves. Reports all differences.
#[track_caller]
fn check(suite: &str, step: usize, max_leaves: u64, tolerance: Tolerance) {
    let mut wrong = Vec::new();
    for case in perft_suite(suite).iter().step_by(step) {
        let place = format!("{}:{}: {}", case.file, case.line, case.fen);
        match Position::from_fen_with(&case.fen, tolerance) {
            Err(error) => wrong.push(format!("{place}: rejected: {error}")),
            Ok(position) => wrong.extend(case.up_to(max_leaves).filter_map(|(depth, expected)| {
                let got = perft(&position, depth);
                (got != expected).then(|| format!("{place}: depth {depth}, expected {expected}, got {got}"))
            })),
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// 0.5 million leaves.
#[test]
fn classic_positions() {
    check("classic", 1, 200_000, Tolerance::NONE);
}

/// 0.1 million leaves.
#[test]
fn tricky_positions() {
    check("tricky", 1, 20_000, IMPOSSIBLE_TOO);
}

/// Every 25th of 6,752 positions: 1.6 million leaves.
#[test]
fn random_positions() {
    check("random", 25, 20_000, Tolerance::NONE);
}

/// Every 5th of 960 positions: 1.6 million leaves.
#[test]
fn chess960_positions() {
    check("chess960", 5, 20_000, Tolerance::NONE);
}

/// 789 million leaves: all depths of up to 200 million leaves.
#[test]
fn classic_positions_deep() {
    check("classic", 1, 200_000_000, Tolerance::NONE);
}

/// 68 million leaves: the tricky positions at all depths, and every 40th Chess960 position to about depth 5, which
/// finds faults that take several moves.
#[test]
fn tricky_and_chess960_positions_deep() {
    check("tricky", 1, u64::MAX, IMPOSSIBLE_TOO);
    check("chess960", 40, 10_000_000, Tolerance::NONE);
}

#[test]
fn divide_sums_to_perft() {
    let start = Position::startpos();
    let parts = bartizan_position::divide(&start, 4);
    assert_eq!(parts.len(), 20);
    assert_eq!(parts.iter().map(|&(_, leaves)| leaves).sum::<u64>(), 197_281);
    assert_eq!(parts.iter().find(|(mv, _)| mv.to_string() == "e2e4").map(|&(_, leaves)| leaves), Some(13_160));
}
