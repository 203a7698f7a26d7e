use super::*;
use crate::{PositionEval, WhiteEval};
use bartizan_notation::pgn::{PgnScore, TreeReader};
use std::path::Path;

const PLAIN: TextStyle<'_> = TextStyle { colors: false, blocks: false, board: None };

/// Opinions with these evaluations in centipawns and lines.
fn opinions(evals: &[(i32, &str)]) -> Vec<Option<PositionEval>> {
    let opinion = |&(cp, line): &(i32, &str)| {
        let json = serde_json::json!({ "eval": { "cp": cp }, "line": line });
        Some(serde_json::from_value(json).unwrap())
    };
    evals.iter().map(opinion).collect()
}

/// White wins a pawn, and Black allows mate.
fn game() -> (GameTree, JudgedGame) {
    let tree: GameTree = "[Event \"Club championship\"]\n[Site \"?\"]\n[Date \"2026.11.29\"]\n[White \"Müller, A\"]\n\
        [Black \"\x1b[2JB\"]\n[WhiteElo \"1510\"]\n[Result \"1-0\"]\n\n\
        1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 4. Qh5+ g6 5. Qxe5+ Qe7 6. Qxh8 1-0"
        .parse()
        .unwrap();
    let opinions = opinions(&[
        (20, "e2e4 e7e5"),
        (25, "e7e5"),
        (20, "g1f3"),
        (25, "b8c6 f1b5 a7a6 b5a4 g8f6"),
        (130, "f3e5 d8e7"),
        (90, "d8e7 e5f3 d7d5 d2d3 d5e4 d3e4 e7e4 f1e2 b8c6"),
        (420, "d1h5 e8e7 h5e5 e7f7 f1c4"),
        (410, "e8e7 h5e5 e7f7 f1c4"),
        (640, "h5e5 d8e7 e5h8"),
        (630, "d8e7 e5h8 e7e4"),
        (640, "e5h8 g8f6"),
        (650, "g8f6"),
    ]);
    let judged = JudgedGame::new(&tree, &opinions, 0);
    (tree, judged)
}

#[test]
fn a_review_in_ascii() {
    let (tree, judged) = game();
    let mut reasons = vec![None; 12];
    reasons[5] =
        Some("Allows 4. Qh5+, which forks the king and the pawn on e5 and wins a rook after 4... g6.".to_owned());
    let found = text(&tree, &judged, &reasons, PLAIN);
    let expected = include_str!("expected.txt");
    assert_eq!(found, expected, "\n{found}");
}

#[test]
fn colours_blocks_and_boards_are_optional() {
    let (tree, judged) = game();
    let board = |position: &Position, last: Option<Move>| format!("[{} {}]", position.to_fen(), last.unwrap());
    let style = TextStyle { colors: true, blocks: true, board: Some(&board) };
    let found = text(&tree, &judged, &[], style);
    assert!(found.starts_with("\x1b[1mMüller, A (1510) - \\u001b[2JB  1-0\x1b[0m\n"), "{found}");
    assert!(found.contains("\x1b[1;31m3... fxe5??"), "{found}");
    assert!(found.contains("\n[rnbqkbnr/pppp2pp/5p2/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3 f3e5]\n"), "{found}");
    assert!(found.contains('█') && !found.contains('#'), "{found}");
}

#[test]
fn games_without_moves_evaluations_or_errors() {
    let review = |pgn: &str, evals: &[(i32, &str)]| {
        let tree: GameTree = pgn.parse().unwrap();
        let judged = JudgedGame::new(&tree, &opinions(evals), 0);
        text(&tree, &judged, &[], PLAIN)
    };
    for pgn in ["*", "1. e4 *"] {
        let found = review(pgn, &[]);
        assert!(
            found.starts_with("? - ?  *\n") && found.ends_with("\nNo inaccuracies, mistakes or blunders.\n"),
            "{found}"
        );
        assert!(found.contains("\nGame               -   -   -   -             -   -   -   -\n"), "{found}");
        assert!(!found.contains("100 |"), "{found}");
    }
    let found = review("1. e4 *", &[(20, "e2e4"), (20, "e7e5")]);
    assert!(found.contains("\nGame           100.0   0   0   0             -   -   -   -\n"), "{found}");
    assert!(found.contains("  50 |______\n"), "{found}");
}

/// The evaluations in the comments of a game.
fn commented(tree: &GameTree) -> Vec<Option<PositionEval>> {
    let after = tree.main_line().map(|node| {
        let (score, _) = tree.annotations(node).eval?;
        let eval = match score {
            PgnScore::Centipawns(centipawns) => WhiteEval::Cp(centipawns),
            PgnScore::Mate(moves) => WhiteEval::Mate(moves),
        };
        serde_json::from_value(serde_json::json!({ "eval": eval, "line": "" })).ok()
    });
    std::iter::once(opinions(&[(15, "")]).remove(0)).chain(after).collect()
}

#[test]
fn real_games_fit_a_terminal() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/judgement/games.pgn");
    let games = std::fs::read(path).unwrap();
    let mut longest = 0;
    for tree in TreeReader::new(games.as_slice()).map(Result::unwrap) {
        let judged = JudgedGame::new(&tree, &commented(&tree), 0);
        for blocks in [false, true] {
            let found = text(&tree, &judged, &[], TextStyle { blocks, ..PLAIN });
            assert!(found.lines().all(|line| line.chars().count() <= WIDTH && line.trim_end() == line), "{found}");
            assert!(found.is_ascii() != blocks, "{found}");
        }
        longest = longest.max(judged.moves.len());
    }
    // Longer than the graph is wide.
    assert!(longest > 72);
}

#[test]
fn long_lines_are_wrapped_between_moves() {
    let line = "    Better: 10. Nf3 Nc6 11. Bb5 a6 12. Ba4 Nf6 13. O-O Be7 14. Re1 b5 15. Bb3 d6 16. c3 O-O";
    let expected =
        "    Better: 10. Nf3 Nc6 11. Bb5 a6 12. Ba4 Nf6 13. O-O Be7 14. Re1 b5 15. Bb3 d6\n            16. c3 O-O";
    assert_eq!(wrap(line, 12), expected);
    let word = "x".repeat(100);
    assert_eq!(wrap(&format!("a {word} b"), 2), format!("a\n  {word}\n  b"));
    assert_eq!(wrap("", 4), "");
}
