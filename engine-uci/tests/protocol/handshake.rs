//! `uci` and `isready`, and no output without a command.

use std::collections::{HashMap, HashSet};

use crate::support::engine::LISTEN;
use crate::support::{Engine, PROMPT};

/// Options that other tests, python-chess, lichess-bot and OpenBench set.
const EXPECTED_OPTIONS: &[&str] =
    &["Threads", "Hash", "Clear Hash", "Ponder", "MultiPV", "Move Overhead", "UCI_Chess960", "UCI_ShowWDL"];

#[test]
fn says_nothing_before_it_is_asked() {
    let mut engine = Engine::start();
    engine.expect_silence(LISTEN, |_| true);
    engine.send("uci");
    let lines = engine.wait_for("uciok", PROMPT);
    assert!(lines[0].starts_with("id name "), "the first line is `{}`", lines[0]);
}

#[test]
fn uci_names_itself_then_its_options_then_uciok() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.wait_for("uciok", PROMPT);
    let starting = |word: &str| lines.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!((starting("id name "), starting("id author ")), (1, 1));
    assert_eq!(lines.last().map(String::as_str), Some("uciok"));
    let strange: Vec<_> = lines
        .iter()
        .filter(|line| !["id name ", "id author ", "option name ", "uciok"].iter().any(|word| line.starts_with(word)))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
}

#[test]
fn every_option_is_declared_once_with_a_default_in_range() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.wait_for("uciok", PROMPT);
    let mut seen = HashSet::new();
    for line in lines.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, rest) = line.split_once(" type ").unwrap_or_else(|| panic!("`{line}` has no type"));
        assert!(seen.insert(name.to_lowercase()), "`{name}` is declared twice");
        check_declaration(name, rest);
    }
    for name in EXPECTED_OPTIONS {
        assert!(seen.contains(&name.to_lowercase()), "`{name}` is not declared");
    }
}

/// Checks the part after `type` as strictly as python-chess does.
fn check_declaration(name: &str, rest: &str) {
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut fields: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut field = "";
    for word in rest.split(' ').filter(|word| !word.is_empty()) {
        if ["default", "min", "max", "var"].contains(&word) {
            field = word;
            fields.entry(field).or_default();
        } else {
            fields.entry(field).or_default().push(word);
        }
    }
    let only = |field: &str| fields.get(field).map(|words| words.join(" ")).unwrap_or_default();
    let whole = |field: &str| -> i64 {
        only(field).parse().unwrap_or_else(|_| panic!("`{name}`: {field} is `{}`", only(field)))
    };
    match kind {
        "spin" => assert!((whole("min")..=whole("max")).contains(&whole("default")), "`{name}` is out of range"),
        "check" => assert!(["true", "false"].contains(&only("default").as_str()), "`{name}` has no default"),
        "combo" => assert!(fields["var"].contains(&only("default").as_str()), "`{name}`: default is no var"),
        // An empty default is written `<empty>`.
        "string" => assert!(!only("default").is_empty(), "`{name}` has no default"),
        "button" => assert!(rest.is_empty(), "the button `{name}` has `{rest}`"),
        _ => panic!("`{name}` is of the unknown type `{kind}`"),
    }
}

#[test]
fn isready_is_answered_before_and_after_uci() {
    let mut engine = Engine::start();
    assert!(engine.until_ready().is_empty());
    engine.send("uci");
    engine.wait_for("uciok", PROMPT);
    assert!(engine.until_ready().is_empty());
    engine.send("uci");
    engine.wait_for("uciok", PROMPT);
}

#[test]
fn housekeeping_commands_draw_no_answer() {
    let mut engine = Engine::ready();
    for line in ["ucinewgame", "debug off", "register later", "position startpos", "stop", "ponderhit", "ucinewgame"] {
        engine.send(line);
        let said = engine.until_ready();
        assert!(said.is_empty(), "`{line}` drew {said:?}");
    }
    engine.expect_silence(LISTEN, |_| true);
}
