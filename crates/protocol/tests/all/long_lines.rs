//! Lines of a megabyte are parsed in linear time: in quadratic time, these tests would take an hour.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_protocol::{uci, xboard};

const LENGTH: usize = 1 << 20;

/// A line that begins with `start` and repeats `part`.
fn long(start: &str, part: &str) -> String {
    let mut line = start.to_owned();
    line.push_str(&part.repeat(LENGTH / part.len()));
    line
}

#[test]
fn xboard_messages() {
    for (start, part) in [
        ("1 2 3 4", "\t5"),
        ("1 2 3 4", "\t"),
        ("1 2 3 4", "\te2e4"),
        ("1 2 3 4 5", "\t \t6\t"),
        ("1 2 3 4 ", "5 6 "),
        ("1 2 3 4 ", "9"),
        ("1 2 3 4\te4", "!"),
        ("feature ", "a=1 "),
        ("feature ", "a "),
        ("feature a=\"", "\" b=\""),
        ("Illegal move ", "("),
        ("Error ", "(("),
        ("Error (", "):"),
        ("1. ", "... "),
        ("stat01: ", "1 "),
        ("tellusererror ", "\t"),
        ("# ", "# "),
        ("", "1 "),
    ] {
        let line = long(start, part);
        assert!(xboard::Message::parse(&line).is_some(), "{start}");
    }
    let [numbers, tabs] = [long("1 2 3 4", " 5"), long("", "\t")];
    for line in [format!("{numbers} e4 {tabs}e5"), format!("1 2 3 4 e4{tabs}e5"), format!("1 2 3 4{tabs}5{tabs}e5")] {
        assert!(matches!(xboard::Message::parse(&line), Some(xboard::Message::Thinking(_))));
    }
    assert!(xboard::OptionDecl::parse(&long("name -combo ", "a /// ")).is_some());
    assert!(xboard::OptionDecl::parse(&long("", "name ")).is_none());
}

#[test]
fn xboard_commands() {
    for (start, part) in [
        ("option ", "a=b "),
        ("level ", "1 "),
        ("setboard ", "8/ "),
        ("usermove ", "e2e4"),
        ("result 1-0 {", "}{"),
        ("", "e2e4 "),
        ("egtpath ", "a "),
    ] {
        let line = long(start, part);
        // Whether it is an error does not matter, but it is short.
        if let Err(error) = xboard::Command::parse(&line) {
            assert!(error.to_string().len() < 200);
        }
        xboard::EditLine::parse(&line);
    }
}

#[test]
fn uci_lines() {
    for (start, part) in [
        ("option name ", "type "),
        ("option name a type combo ", "default var "),
        ("option name a type combo ", "var default "),
        ("option name a type string ", "default "),
        ("info ", "pv "),
        ("info pv ", "e2e4 "),
        ("info string ", "string "),
        ("info ", "score cp 1 "),
        ("bestmove ", "e2e4 "),
        ("id ", "name "),
        ("", "uciok "),
        ("", "x "),
        ("setoption name ", "value "),
        ("setoption ", "name "),
        ("position fen ", "moves "),
        ("position startpos moves ", "e2e4 "),
        ("go ", "infinite "),
        ("go searchmoves ", "e2e4 "),
        ("go ", "depth "),
        ("go ", "x "),
        ("", "position "),
        ("", "9"),
    ] {
        let line = long(start, part);
        if let Err(error) = uci::Message::parse(&line) {
            assert!(error.to_string().len() < 200, "{start}");
        }
        if let Err(error) = uci::Command::parse(&line) {
            assert!(error.to_string().len() < 200, "{start}");
        }
    }
}
