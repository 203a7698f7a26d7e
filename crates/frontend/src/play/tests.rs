use super::*;
use crate::front_end::run_to_end;
use std::io::Write;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Plays the lines of `input` and returns the output.
fn play(arguments: &str, input: &str) -> String {
    play_with(&FileSettings::default(), arguments, input)
}

fn play_with(settings: &FileSettings, arguments: &str, input: &str) -> String {
    let written = Shared::default();
    let arguments: Vec<String> = format!("depth 2 {arguments}").split_whitespace().map(str::to_owned).collect();
    let output = Output::new(written.clone(), std::io::sink());
    let mut play = InteractiveGame::new(output, settings, &arguments).unwrap();
    play.start();
    run_to_end(&mut play, std::io::Cursor::new(input.replace(", ", "\n").into_bytes()));
    let bytes = written.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_engine_answers_each_move() {
    let text = play("", "e4, nf3, moves");
    assert!(text.contains("Bartizan plays 1... ") && text.contains("Bartizan plays 2... "), "{text}");
    assert!(text.contains("\n1. e4 ") && text.contains(" 2. Nf3 "), "{text}");
}

#[test]
fn a_level_is_a_rating_or_full() {
    for arguments in ["1200", "elo 1200", "--elo 1200", "800 black 1200"] {
        assert!(play(arguments, "").contains("against Bartizan at Elo 1200."), "{arguments}");
    }
    for arguments in ["", "full", "1200 full", "elo full"] {
        assert!(play(arguments, "").contains("against Bartizan at full strength."), "{arguments}");
    }
    let text = play("700", "elo, elo full, elo, elo 1500, new");
    assert!(text.contains("\nBartizan plays at Elo 700.\nBartizan plays at full strength.\n"), "{text}");
    assert!(text.contains("against Bartizan at Elo 1500."), "{text}");
}

#[test]
fn the_engine_takes_its_time_unless_the_settings_say_otherwise() {
    let takes_time = |settings: &str| {
        let output = Output::new(std::io::sink(), std::io::sink());
        let play = InteractiveGame::new(output, &FileSettings::parse(settings, "f"), &[]).unwrap();
        play.session.config().engine.human_time
    };
    assert!(takes_time("") && !takes_time("human_time = false"));
}

#[test]
fn a_level_resigns_and_agrees_to_draws() {
    // Black is a queen and a rook down.
    let lost = "fen 4k3/pppp4/8/8/8/8/PPPPPPPP/R2QK3 w - - 0 1";
    let moves = "a3, b3, c3, d3, e3, f3";
    assert!(play(&format!("2800 {lost}"), moves).contains("\nBlack resigns: White wins (1-0)"));
    // A takeback forgets the scores.
    assert!(!play(&format!("2800 {lost}"), "a3, b3, undo, undo, a3, b3").contains("resigns"));
    for level in ["full", "1000"] {
        assert!(!play(&format!("{level} {lost}"), moves).contains("resigns"), "{level}");
    }
    // A pawn down; at full strength, no draw is accepted before move 12.
    let worse = "fen 4k3/p7/8/8/8/8/PP6/4K3 w - - 0 10";
    assert!(play(&format!("2950 {worse}"), "Kf2, draw").contains("Draw by agreement"));
    assert!(play(&format!("full {worse}"), "Kf2, draw").contains("Bartizan declines the draw."));
    assert!(play(&format!("2950 {}", worse.replace("10", "9")), "Kf2, draw").contains("Bartizan declines the draw."));
}

#[test]
fn the_engine_opens_for_a_player_with_black() {
    let text = play("black", "");
    assert!(text.contains("You play Black") && text.contains("Bartizan plays 1. "), "{text}");
    assert!(text.contains(" 1  R  N  B  K  Q  B  N  R "), "{text}");
}

#[test]
fn the_rules_end_the_game() {
    for (fen, input, end) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "Ra8", "Checkmate: White wins (1-0)"),
        ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "Stalemate: the game is drawn (1/2-1/2)"),
        ("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", "", ""),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "Kxb2", "Draw by insufficient material (1/2-1/2)"),
        ("7k/8/8/8/8/8/8/KR6 w - - 99 80", "Rb2", "Draw by 50-move rule (1/2-1/2)"),
    ] {
        let text = play(&format!("fen {fen}"), input);
        assert!(text.contains(end), "{fen}: {text}");
    }
}

#[test]
fn draws_are_not_given_away() {
    // The player's advantage in pawns is about 0, 2 and 9.
    for (board, accepted) in [
        ("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq", [false, false, false]),
        ("r1bqk2r/p1pp2pp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq", [false, true, true]),
        ("r1b1k2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq", [false, true, true]),
    ] {
        let said = [2, 12, 40].map(|number| play(&format!("fen {board} - 0 {number}"), "d3, draw"));
        let has_accepted = said.each_ref().map(|text| text.contains("Draw by agreement"));
        assert_eq!(has_accepted[..2], accepted[..2], "{board}: {said:?}");
        assert!(has_accepted[2] || !accepted[2], "{board}: {said:?}");
    }
    assert!(play("", "e4, e5, draw").contains("Bartizan declines the draw."));
}

#[test]
fn resigning_ends_the_game_and_a_takeback_continues_it() {
    let text = play("", "e4, resign, d4, takeback, d4");
    assert!(text.contains("White resigns: Black wins (0-1)"), "{text}");
    assert!(text.contains("error: the game is over; enter takeback or new"), "{text}");
    assert_eq!(text.matches("Bartizan plays 1... ").count(), 2, "{text}");
    assert!(play("", "takeback").contains("no move to take back"));
}

#[test]
fn a_bad_line_gets_a_suggestion() {
    assert!(play("", "takebak").contains("unknown command or illegal move 'takebak'; did you mean 'takeback'?"));
    assert!(play("", "zz").contains("unknown command or illegal move 'zz'"));
    assert!(play("", "e5").contains("error: illegal move 'e5': no pawn can go to e5"));
    let pinned = "fen 4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1";
    assert!(play(pinned, "nc3").contains("error: illegal move 'nc3': the king would be in check"));
    assert!(play("", "elo 99999").contains("error: elo: '99999' is not a rating from 600 to 3000 or 'full'"));
    assert!(play("", "elo strong").contains("error: elo: 'strong' is not a rating from 600 to 3000 or 'full'"));
    assert!(play("", "time soon").contains("time: 'soon' is not a number of seconds above 0"));
}

#[test]
fn a_weak_engine_says_its_rating() {
    assert!(play("1500", "e4").contains("against Bartizan at Elo 1500."));
    assert!(play("", "elo 1500, new").contains("against Bartizan at Elo 1500."));
}

#[test]
fn a_hint_is_a_legal_move() {
    let text = play("", "hint");
    let hint = text.lines().find_map(|line| line.strip_prefix("Hint: ")).unwrap();
    assert!(resolve_move(&Position::startpos(), hint).is_some(), "{text}");
}

#[test]
fn a_score_is_for_the_player() {
    // White is a queen ahead.
    let position = "fen 4k3/8/8/8/8/8/3QP3/4K3";
    let score = |text: &str| text.lines().find(|line| line.contains(" for you: ")).unwrap_or_default().to_owned();
    let text = play(&format!("{position} w - - 0 1"), "eval");
    assert!(score(&text).starts_with('+') && score(&text).ends_with("%, with a draw as half a win"), "{text}");
    let text = play(&format!("black {position} b - - 0 1"), "eval");
    assert!(score(&text).starts_with('-'), "{text}");
    let mate = "fen 7k/8/5KQ1/8/8/8/8/8";
    assert!(play(&format!("{mate} w - - 0 1"), "eval").contains("\nYou mate in 1\n"));
    let text = play("black fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "eval");
    assert!(text.contains("\nBartizan mates in 1\n"), "{text}");
    assert!(play(&format!("{mate} w - - 0 1"), "Qg7, eval").contains("error: the game is over"));
}

/// Black's queen hangs after the blunder.
const QUEENS: &str = "black fen 3q2k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1";

#[test]
fn bad_moves_are_explained() {
    let text = play(QUEENS, "h6, explain");
    assert!(text.contains("\n1... h6?? is a blunder: your chance falls from "), "{text}");
    assert!(text.contains("\nBetter: 1... Qxd1#"), "{text}");
    let text = play(QUEENS, "qxd1, explain");
    assert!(text.contains("1... Qxd1# was the best move."), "{text}");
    // There is no move yet.
    let text = play("fen 4k3/pppp4/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "explain");
    assert!(text.contains("What counts most in the position, in pawns for you:\n  +"), "{text}");
    assert!(text.contains("  White is ahead by "), "{text}");
    let text = play("black fen 4k3/pppp4/8/8/8/8/PPPPPPPP/4K3 b - - 0 1", "explain");
    assert!(text.contains("for you:\n  -"), "{text}");
    assert!(play("fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "explain").contains("in check has no static evaluation"));
}

#[test]
fn a_warning_waits_for_the_players_decision() {
    let warned = "Warning: 1... h6?? is a blunder: your chance falls from ";
    let answer = "Bartizan plays 2. Rxd8+";
    let text = play(QUEENS, "warn on, h6");
    assert!(text.contains(warned) && !text.contains("Bartizan plays") && !text.contains("Qxd1"), "{text}");
    assert!(play(QUEENS, "warn on, h6, go").contains(answer));
    assert!(play(&format!("warn on {QUEENS}"), "h6, go").contains(answer));
    let text = play(QUEENS, "warn on, h6, undo, qxd1");
    assert!(text.contains("Checkmate: Black wins (0-1)"), "{text}");
    let text = play(QUEENS, "warn on, h6, g6, hint, explain, takeback, takeback");
    assert_eq!(text.matches("error: it is Bartizan's turn; enter takeback").count(), 2, "{text}");
    assert!(text.contains("Better: 1... Qxd1#"), "{text}");
    assert_eq!(text.matches("error: no move to take back").count(), 1, "{text}");
    // Other moves are answered at once, and all of them without warnings.
    assert!(play("", "warn on, e4, go").contains("error: it is your turn; enter a move"));
    assert!(play(QUEENS, "h6").contains(answer) && play(QUEENS, "warn on, warn off, h6").contains(answer));
    assert!(play("", "warn, warn maybe").contains("error: warn: on or off is missing"));
}

#[test]
fn a_game_is_reviewed_at_any_time() {
    let text = play(QUEENS, "report, h6, report, resign, report");
    assert!(text.contains("error: report: no moves to review yet"), "{text}");
    assert_eq!(text.matches("Player").count(), 2, "{text}");
    assert_eq!(text.matches("\n1... h6??").count(), 2, "{text}");
    assert!(text.contains("  1-0\nCasual game, "), "{text}");
    assert!(text.contains("Enter report for a review, new for another game."), "{text}");
    // A stop ends it.
    let text = play(QUEENS, "h6, report, stop");
    assert!(text.contains("\nStopped.\n") || text.contains("\n1... h6??"), "{text}");
}

#[test]
fn a_review_is_written_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let [page, other] = ["a page.html", "other.html"].map(|name| folder.path().join(name));
    std::fs::write(&other, "1. e4").unwrap();
    let text = play(QUEENS, &format!("h6, report {}, report \"{}\"", other.display(), page.display()));
    assert!(text.contains("other.html': the file exists and is not an HTML page"), "{text}");
    assert!(text.contains("Written to '") && std::fs::read_to_string(&other).unwrap() == "1. e4", "{text}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Player") && html.contains("h6"), "{html}");
    // It is replaced.
    assert!(play(QUEENS, &format!("h6, report {}", page.display())).contains("Written to '"));
}

#[test]
fn saving_appends_a_pgn_game_and_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let save = format!("e4, save {}, resign, save {}", path.display(), path.display());
    assert!(play("", &save).contains("Saved to '"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("[White \"Player\"]").count(), 1, "{text}");
    assert!(text.contains("1. e4 ") && text.trim_end().ends_with("0-1"), "{text}");
    // Another game is another one.
    play("", &format!("e4, resign, new, e4, save {}", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap().matches("1. e4 ").count(), 2);
    assert!(play("", &format!("save {}", path.display())).contains("error: save: no moves to save yet"));
}

#[test]
fn the_game_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let settings = FileSettings::parse(&format!("game_log = '{}'", path.display()), "f");
    play_with(&settings, "", "e4, hint, resign, new black, takeback");
    let text = std::fs::read_to_string(&path).unwrap();
    let games: Vec<_> = text.split("[Event ").skip(1).collect();
    assert!(games.len() == 2 && games[0].contains("[White \"Player\"]"), "{text}");
    assert!(games[0].contains("1. e4 ") && games[0].trim_end().ends_with(" 0-1"), "{text}");
    assert!(games[0].contains("[Termination \"White resigns: Black wins\"]"), "{text}");
    assert!(games[1].contains("[Black \"Player\"]") && games[1].trim_end().ends_with(" *"), "{text}");
}

#[test]
fn games_are_learnt_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learning.epd");
    let text = format!(
        "[syzygy]\npath = '/no/such/folder'\n[learning]\non = true\nfile = '{}'\ndepth = 4\nthreshold = 1",
        path.display()
    );
    let position = "fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1P2PN2/PB2BPPP/RN1Q1RK1 w - - 0 8";
    let text = play_with(&FileSettings::parse(&text, "f"), &format!("black depth 9 {position}"), "");
    assert!(text.contains("warning: cannot read tablebase folder '/no/such/folder'"), "{text}");
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept.starts_with("# bartizan-learning 1\nr1bq1rk1/"), "{kept}");
}

#[test]
fn quitting_does_what_waits_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    // Each search lasts until it is stopped.
    let text = play("time 3600", &format!("e4, d4, resign, save {}, quit, board", path.display()));
    assert_eq!(text.matches("Bartizan plays 1... ").count(), 1, "{text}");
    assert!(text.contains("Saved to '"), "{text}");
    let pgn = std::fs::read_to_string(&path).unwrap();
    assert!(pgn.contains("1. e4 ") && pgn.trim_end().ends_with("0-1"), "{pgn}");
    // At the start and after two answers; the line after quit draws none.
    assert_eq!(text.lines().filter(|line| line.starts_with(" 8 ")).count(), 3, "{text}");
    assert_eq!(play("time 3600", "e4, quit").matches("Bartizan plays").count(), 0);
}

#[test]
fn wrong_arguments_are_reported() {
    let new = |words: &str| {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let output = Output::new(std::io::sink(), std::io::sink());
        InteractiveGame::new(output, &FileSettings::default(), &words).err().unwrap_or_default()
    };
    assert_eq!(new("--black --depth 3"), "");
    assert!(new("blakc").contains("did you mean 'black'?"));
    for rating in ["99999", "599", "-5", "12x", "1e3"] {
        assert_eq!(new(rating), format!("elo: '{rating}' is not a rating from 600 to 3000 or 'full'"));
    }
    assert!(new("elo").contains("elo: a rating from 600 to 3000 or 'full' is missing"));
    assert!(new("strong").contains("\nusage: bartizan play [RATING|full]"));
    assert!(new("depth zero").contains("'zero' is not a number of plies above 0"));
    assert!(new("fen 8/8").starts_with("fen: "));
}
