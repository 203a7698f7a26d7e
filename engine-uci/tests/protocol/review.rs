//! `bartizan review`.

use crate::support::Engine;
use bartizan_testkit::{PROMPT, SEARCH};

/// Reviews with few nodes; returns the output, the errors and the exit code.
#[track_caller]
fn review(arguments: &[&str], input: &str) -> (String, Vec<String>, Option<i32>) {
    let mut program = Engine::start_with(&[&["review", "--nodes", "2000"], arguments].concat());
    if !input.is_empty() {
        program.send(input);
    }
    program.close_input();
    let (lines, status) = program.wait_exit(SEARCH);
    (lines.join("\n"), program.stderr_lines().to_vec(), status.code())
}

/// Reviews a file with this text.
#[track_caller]
fn review_text(text: &str, arguments: &[&str]) -> (String, Vec<String>, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, text).unwrap();
    review(&[&[path.to_str().unwrap()], arguments].concat(), "")
}

const SCHOLARS_MATE: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";

#[test]
fn a_game_is_reviewed() {
    let (text, errors, code) = review_text(SCHOLARS_MATE, &[]);
    assert_eq!((errors.as_slice(), code), (&[][..], Some(0)), "{text}");
    let heading = "A - B  1-0\nC20 King's Pawn Game: Patzer Opening; out of book with 3... Nf6\n";
    assert!(text.starts_with(heading), "{text}");
    assert!(text.contains("\n3... Nf6??") && text.contains("Better: 3... ") && text.contains("mate"), "{text}");
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 80), "{text}");
    // The same again, from standard input.
    assert_eq!(review(&["-"], SCHOLARS_MATE).0, text);
    let (boards, _, _) = review_text(SCHOLARS_MATE, &["--boards"]);
    assert!(boards.contains("\n 5  .  .  .  .  p  .  . [Q]\n"), "{boards}");
}

#[test]
fn other_games_of_a_file() {
    let games = format!("{SCHOLARS_MATE}[White \"C\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let (text, errors, code) = review_text(&games, &[]);
    assert!(text.starts_with("A - B  1-0\n") && code == Some(0), "{text}");
    assert!(errors.len() == 1 && errors[0].starts_with("note: '") && errors[0].contains("--game N"), "{errors:?}");
    let (text, errors, _) = review_text(&games, &["--game", "2"]);
    assert!(text.starts_with("C - ?  0-1\n") && errors.is_empty(), "{text}\n{errors:?}");
    assert!(text.contains("\n2. g4??"), "{text}");
    let (_, errors, code) = review_text(&games, &["--game", "3"]);
    assert!(errors[0].starts_with("error: no game 3 in '") && errors[0].ends_with("': it has 2"), "{errors:?}");
    assert_eq!(code, Some(1));
}

#[test]
fn positions_and_chess960() {
    let (text, errors, code) = review_text("[FEN \"6k1/5ppp/8/8/8/8/8/R6K w - - 0 31\"]\n\n31. Kg2 Kf8 *", &[]);
    assert_eq!((errors.as_slice(), code), (&[][..], Some(0)), "{text}");
    assert!(text.contains("\n31. Kg2??") && text.contains("    Better: 31. Ra8#\n"), "{text}");
    let game = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/RK5R w HA - 0 1\"]\n\n1. O-O Ke7 2. Rfe1+ Kd7 *";
    let (text, errors, code) = review_text(game, &[]);
    assert_eq!((errors.as_slice(), code), (&[][..], Some(0)), "{text}");
    assert!(text.contains("\nEndgame "), "{text}");
}

#[test]
fn broken_files_are_errors() {
    let (text, errors, code) = review_text("[White \"A\"]\n\n1. e4 e5 2. Ke3 Nf6 *", &[]);
    assert!(errors[0].starts_with("warning: '") && errors[0].contains("game 1, line 3, column 13: "), "{errors:?}");
    assert!(code == Some(0) && text.starts_with("A - ?  *\n"), "{text}");
    for (text, error) in [
        ("", "error: no games in '"),
        ("*\n", "error: game 1 in '"),
        ("[White \"A\"]\n\n*", "error: game 1 in '"),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", "error: '"),
    ] {
        let (printed, errors, code) = review_text(text, &[]);
        let last = errors.last().cloned().unwrap_or_default();
        assert!(printed.is_empty() && last.starts_with(error) && code == Some(1), "{text}: {printed} {errors:?}");
    }
    let (_, errors, code) = review(&["/no/such/game.pgn"], "");
    assert!(errors[0].starts_with("error: cannot read '/no/such/game.pgn': ") && code == Some(1), "{errors:?}");
    // Not a game at all.
    let (_, errors, code) = review_text("hello\n", &[]);
    assert!(errors.last().unwrap().ends_with(" has no moves") && code == Some(1), "{errors:?}");
    let (_, errors, code) = review_text(SCHOLARS_MATE, &["--game", "0"]);
    assert!(errors[0].starts_with("error: --game: '0' is not") && code == Some(2), "{errors:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    std::fs::write(&path, SCHOLARS_MATE).unwrap();
    let mut program = Engine::start_with(&["review", path.to_str().unwrap(), "--nodes", "1000000000000"]);
    program.expect_silence(std::time::Duration::from_millis(200), |_| true);
    program.signal("-INT");
    let (lines, status) = program.wait_exit(PROMPT);
    assert!(lines.is_empty() && status.code() == Some(130), "{lines:?}: {status}");
}
