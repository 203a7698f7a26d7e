//! UCI and xboard, both directions.

use bartizan_frontend::{Config, options};
use bartizan_protocol::uci;
use bartizan_protocol::xboard;

/// A line of a protocol: no control character, and no Unicode line end.
fn assert_one_line(text: &str) {
    assert!(!text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')), "{text:?}");
}

fn assert_short(error: &str) {
    assert!(error.chars().count() < 400, "{error}");
    assert_one_line(error);
}

/// A parsed value is written as a line that is read back as the same value. Characters that a line of the protocol
/// cannot contain are replaced once: control characters by spaces, which the next reader may strip, and in xboard also
/// quotation marks and braces.
fn check_round_trip<T: ToString>(line: &str, value: &T, read: impl Fn(&str) -> Option<T>) -> T {
    let written = value.to_string();
    // xboard separates the line of play with a tab.
    assert_one_line(&written.replacen('\t', " ", 1));
    let again = read(&written).expect("a written line is read");
    if is_plain(line) {
        assert_eq!(again.to_string(), written, "{line:?}");
    }
    again
}

/// Whether a line has no character that is replaced.
fn is_plain(line: &str) -> bool {
    !line.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '"' | '{' | '}'))
}

/// Lines that an engine receives in UCI, including options.
pub fn uci_command(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines() {
        match uci::Command::parse(line) {
            Ok(Some(mut command)) => {
                if let uci::Command::Go(go) = &mut command {
                    go.faults.iter().for_each(|fault| assert_short(&fault.to_string()));
                    // Skipped text is not written again.
                    go.faults.clear();
                    go.unknown = None;
                }
                if let uci::Command::SetOption { name, value } = &command {
                    set_option(name, value.as_deref());
                }
                let again = check_round_trip(line, &command, |line| uci::Command::parse(line).ok().flatten());
                assert!(again == command || !is_plain(line), "{line:?}");
            }
            Ok(None) => {}
            Err(error) => assert_short(&error.to_string()),
        }
    }
}

/// Sets an option as the front ends do. An accepted value is valid for the engine.
fn set_option(name: &str, value: Option<&str>) {
    let mut config = Config::default();
    let row = match options::find(name) {
        Ok(row) => row,
        Err(error) => return assert_short(&error.to_string()),
    };
    match row.parse(value).and_then(|value| row.set(&mut config, value)) {
        Ok(()) => assert_eq!(config.engine.validate().map_err(|error| error.to_string()), Ok(())),
        Err(error) => assert_short(&error.to_string()),
    }
}

/// Lines that a client receives in UCI.
pub fn uci_message(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines() {
        match uci::Message::parse(line) {
            Ok(Some(message)) => {
                let again = check_round_trip(line, &message, |line| uci::Message::parse(line).ok().flatten());
                assert!(again == message || !is_plain(line), "{line:?}");
            }
            Ok(None) => {}
            Err(error) => assert_short(&error.to_string()),
        }
    }
}

/// Lines that an engine receives from xboard, including those of edit mode.
pub fn xboard_command(data: &[u8]) {
    let mut edit = xboard::Edit::new(&bartizan_position::Position::startpos(), bartizan_types::Variant::Standard);
    for line in String::from_utf8_lossy(data).lines() {
        match xboard::Command::parse(line) {
            Ok(Some(command)) => {
                if let xboard::Command::Option { name, value } = &command {
                    set_option(name, value.as_deref());
                }
                check_round_trip(line, &command, |line| xboard::Command::parse(line).ok().flatten());
            }
            Ok(None) => {}
            Err(error) => assert_short(&error.to_string()),
        }
        if let Some(edit_line) = xboard::EditLine::parse(line) {
            check_round_trip(line, &edit_line, xboard::EditLine::parse);
            match edit.take(edit_line) {
                Some(Ok(position)) => crate::invariants::check_all(&position),
                Some(Err(error)) => assert_one_line(&error.to_string()),
                None => {}
            }
        }
    }
}

/// Lines that a client receives in the xboard protocol.
pub fn xboard_message(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines() {
        if let Some(option) = xboard::OptionDecl::parse(line) {
            check_round_trip(line, &option, xboard::OptionDecl::parse);
        }
        let Some(message) = xboard::Message::parse(line) else { continue };
        check_round_trip(line, &message, xboard::Message::parse);
    }
}
