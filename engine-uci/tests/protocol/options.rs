//! `setoption`: names are case-insensitive, values stay within range, and input is not blocked.

use crate::support::engine::SEARCH;
use crate::support::info::Score;
use crate::support::{Engine, Game};
use bartizan_engine::{Limits, MaterialCount, shown, win_draw_loss};

/// The numbers of the best lines that a short search reports.
#[track_caller]
fn lines_shown(engine: &mut Engine) -> Vec<u64> {
    let search = engine.go("go depth 2");
    let mut shown: Vec<u64> = search.infos.iter().filter(|info| info.is_exact_pv()).map(|info| info.line()).collect();
    shown.sort_unstable();
    shown.dedup();
    shown
}

#[test]
fn names_are_found_whatever_their_case() {
    let mut engine = Engine::ready();
    for line in
        ["setoption name hAsH value 32", "setoption name HASH value 16", "setoption name move OVERHEAD value 20"]
    {
        engine.send(line);
        let said = engine.until_ready();
        assert!(said.is_empty(), "`{line}` drew {said:?}");
    }
    engine.send("setoption name mUlTiPv value 3");
    assert_eq!(lines_shown(&mut engine), [1, 2, 3]);
    engine.send("setoption name MULTIPV value 1");
    assert_eq!(lines_shown(&mut engine), [1]);
}

#[test]
fn invalid_values_are_refused_and_the_old_one_stays() {
    let mut engine = Engine::with_options(&[("MultiPV", "2")]);
    for value in ["0", "-3", "100000000", "99999999999999999999999", "two", "3.5", "3x", "0x3", "٣"] {
        refused(&mut engine, &format!("setoption name MultiPV value {value}"));
        assert_eq!(lines_shown(&mut engine), [1, 2], "after {value}");
    }
    for line in [
        "setoption name MultiPV",
        "setoption name MultiPV value",
        "setoption name Hash value 0",
        "setoption name Hash value 18446744073709551616",
        "setoption name Threads value 0",
        "setoption name UCI_Chess960 value perhaps",
        "setoption name No Such Option value 3",
        "setoption name No Such Button",
        "setoption name Hash MultiPV value 3",
    ] {
        refused(&mut engine, line);
    }
    assert_eq!(lines_shown(&mut engine), [1, 2]);
}

/// Sends a `setoption` that must be answered only with `info string`.
#[track_caller]
fn refused(engine: &mut Engine, line: &str) {
    engine.send(line);
    let said = engine.until_ready();
    if said.is_empty() || said.iter().any(|line| !line.starts_with("info string ")) {
        engine.fail(&format!("`{line}` drew {said:?}"));
    }
}

#[test]
fn incomplete_setoptions_are_refused() {
    let mut engine = Engine::ready();
    for line in [
        "setoption",
        "setoption name",
        "setoption name value",
        "setoption name value 3",
        "setoption value 3",
        "setoption Hash 3",
        "setoption name name Hash value value 3",
        "setoption value 3 name Hash",
    ] {
        engine.send(line);
        let said = engine.until_ready();
        assert!(said.iter().all(|line| line.starts_with("info string ")), "`{line}` drew {said:?}");
    }
}

#[test]
fn white_space_and_buttons_are_understood() {
    let mut engine = Engine::ready();
    for line in ["setoption name Clear Hash", "setoption  name  clear   hash ", "setoption\tname\tMultiPV\tvalue\t2 "] {
        engine.send(line);
        let said = engine.until_ready();
        assert!(said.is_empty(), "`{line}` drew {said:?}");
    }
    assert_eq!(lines_shown(&mut engine), [1, 2]);
}

#[test]
fn every_option_takes_its_own_default() {
    let mut engine = Engine::start();
    engine.send("uci");
    let declared = engine.wait_for("uciok", SEARCH);
    for line in declared.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, rest) = line.split_once(" type ").unwrap();
        let Some((_, value)) = rest.split_once("default ") else { continue };
        let value =
            [" min ", " max ", " var "].iter().fold(value, |value, end| value.split(end).next().unwrap_or(value));
        engine.send(&format!("setoption name {name} value {value}"));
        let said = engine.until_ready();
        assert!(said.is_empty(), "`{name}` set to its default `{value}` drew {said:?}");
    }
    let best = engine.go("go depth 3").best;
    assert!(Game::startpos("").is_legal(&best));
}

#[test]
fn options_sent_during_a_search_neither_block_nor_end_it() {
    let mut engine = Engine::ready();
    engine.send("go infinite");
    engine.wait_until("info … pv", SEARCH, |line| line.contains(" pv "));
    for line in [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "setoption name MultiPV value 2",
    ] {
        engine.send(line);
        let said = engine.until_ready();
        assert!(!said.iter().any(|line| line.starts_with("bestmove")), "`{line}` ended the search");
    }
    engine.stop();
    assert_eq!(lines_shown(&mut engine), [1, 2], "the option set during the search holds in the next");
}

#[test]
fn the_options_that_guis_send_are_accepted() {
    let mut engine = Engine::start();
    engine.send("uci");
    let declared = engine.wait_for("uciok", SEARCH);
    for line in [
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_Opponent type string default <empty>",
        "option name UCI_RatingAdv type spin default 0 min -5000 max 5000",
        "option name Own Rating type spin default 0 min 0 max 5000",
        "option name UCI_EngineAbout type string default Bartizan ",
    ] {
        assert!(declared.iter().any(|declaration| declaration.starts_with(line)), "{line}: {declared:#?}");
    }
    for line in [
        "setoption name UCI_AnalyseMode value true",
        "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
        "setoption name UCI_Opponent value none none computer Shredder",
        "setoption name UCI_Opponent value <empty>",
        "setoption name UCI_Opponent",
        "setoption name UCI_EngineAbout value something else",
    ] {
        engine.send(line);
        let said = engine.until_ready();
        assert!(said.is_empty(), "`{line}` drew {said:?}");
    }
    refused(&mut engine, "setoption name UCI_Opponent value nonsense");
}

/// Whoever is stronger avoids draws, and whoever is weaker seeks them.
#[test]
fn the_ratings_move_the_draw_score() {
    let draw = |options: &[(&str, &str)]| {
        let mut engine = Engine::with_options(options);
        // White takes the pawn, which leaves the kings.
        engine.send("position fen 8/8/8/8/4k3/8/4p3/4K3 w - - 0 1");
        let score = engine.go("go depth 4").infos.iter().rev().find_map(|info| info.score).unwrap();
        score.worth()
    };
    let opponent = ("UCI_Opponent", "GM 2400 human Gary");
    let level = draw(&[opponent]);
    assert!(draw(&[opponent, ("Own Rating", "2700")]) < level);
    assert!(draw(&[("Own Rating", "2000"), opponent]) > level);
    assert!(draw(&[("UCI_RatingAdv", "300")]) < level);
    assert!(draw(&[opponent, ("Own Rating", "2700"), ("UCI_RatingAdv", "-300")]) > level);
    // Not against programs, nor without the opponent's rating.
    assert_eq!(draw(&[("UCI_Opponent", "none 2400 computer X"), ("Own Rating", "2700")]), level);
    assert_eq!(draw(&[("UCI_Opponent", "none 2400 computer X"), ("UCI_RatingAdv", "300")]), level);
    assert_eq!(draw(&[("UCI_Opponent", "none none human X"), ("Own Rating", "2700")]), level);
}

#[test]
fn a_path_that_cannot_be_written_is_an_error_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    let mut engine = Engine::ready();
    for option in ["Debug Log File", "Game Log", "Learning File"] {
        engine.send(&format!("setoption name {option} value {path}/"));
        let said = engine.until_ready();
        let expected = format!("info string error: option '{option}': cannot write '{path}/': ");
        assert!(said.len() == 1 && said[0].starts_with(&expected), "{option}: {said:?}");
    }
    assert!(Game::startpos("").is_legal(&engine.go("go depth 2").best));
}

#[test]
fn an_unknown_option_gets_a_suggestion() {
    let mut engine = Engine::ready();
    engine.send("setoption name Trheads value 2");
    assert_eq!(engine.until_ready(), ["info string error: unknown option 'Trheads'; did you mean 'Threads'?"]);
}

#[test]
fn show_wdl_adds_a_whole_that_sums_to_a_thousand() {
    let mut engine = Engine::with_options(&[("UCI_ShowWDL", "true")]);
    let search = engine.go("go depth 4");
    assert!(search.infos.iter().any(|info| info.wdl.is_some()), "no wdl shown");
    for wdl in search.infos.iter().filter_map(|info| info.wdl) {
        assert_eq!(wdl.iter().sum::<u64>(), 1000, "{wdl:?}");
    }
    engine.send("setoption name UCI_ShowWDL value false");
    assert!(engine.go("go depth 4").infos.iter().all(|info| info.wdl.is_none()), "wdl shown though switched off");
}

#[test]
fn a_drawn_game_has_no_other_chances() {
    let mut engine = Engine::with_options(&[("UCI_ShowWDL", "true")]);
    for position in [
        "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "fen 8/8/8/3k4/8/8/8/2BK4 w - - 0 1",
        "fen 8/8/8/3k4/8/8/7R/3K4 w - - 150 200",
    ] {
        engine.send(&format!("position {position}"));
        let search = engine.go("go depth 3");
        let chances: Vec<_> = search.infos.iter().filter_map(|info| info.wdl).collect();
        assert!(!chances.is_empty() && chances.iter().all(|&wdl| wdl == [0, 1000, 0]), "{position}: {chances:?}");
    }
}

/// Scores and chances are normalised by the material at the root. A library search gives the internal value.
#[test]
fn scores_are_shown_normalised() {
    for fen in
        ["rnbqkbnr/ppp2ppp/8/3pp3/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1", "8/5pk1/6p1/8/8/1R4P1/4PPK1/3r4 b - - 0 1"]
    {
        let mut engine = Engine::with_options(&[("UCI_ShowWDL", "true")]);
        engine.send(&format!("position fen {fen}"));
        let search = engine.go("go depth 5");
        let mut library = bartizan_engine::Engine::new();
        library.set_position(fen, &[]).unwrap();
        let material = MaterialCount::of(library.position());
        let value = library.go(Limits::depth(5)).unwrap().wait().value;
        let last = search.infos.iter().rfind(|info| info.is_exact_pv()).unwrap();
        assert_eq!(last.score, Some(Score::Cp(i64::from(shown(value, material)))), "{value:?}");
        assert_eq!(last.wdl, Some(win_draw_loss(value, material).map(u64::from)));
        // By definition, half the games are won at a score of 100.
        for info in &search.infos {
            if let (Some(Score::Cp(cp)), Some([win, _, _])) = (info.score, info.wdl) {
                assert!(cp.abs_diff(100) <= 1 || (cp > 100) == (win > 500), "{info:?}");
            }
        }
    }
}
