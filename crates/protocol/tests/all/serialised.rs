//! The messages as JSON, with the feature `serde`.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_protocol::uci::{Command, Info, Message, MessageError};

#[test]
fn json_both_ways() {
    for line in ["uci", "debug on", "position fen 8/8/8/8/8/8/k7/7K w - - moves h1g1", "go depth 3 searchmoves e2e4"] {
        let command = Command::parse(line).unwrap().unwrap();
        let json = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&json).unwrap(), command, "{json}");
    }
    for line in ["id name X", "option name A type combo default a var a", "info depth 3 score mate 2 wdl 1 2 3 pv e2e4"]
    {
        let message = Message::parse(line).unwrap().unwrap();
        let json = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message, "{json}");
    }
}

#[test]
fn what_json_leaves_out_is_the_default() {
    let info: Info = serde_json::from_str(r#"{"depth": 3}"#).unwrap();
    let mut expected = Info::default();
    expected.depth = Some(3);
    assert_eq!(info, expected);
}

#[test]
fn errors_can_be_logged() {
    let error = MessageError::Unknown { word: "joho".to_owned() };
    assert_eq!(serde_json::to_string(&error).unwrap(), r#"{"unknown":{"word":"joho"}}"#);
}

#[test]
fn xboard_both_ways() {
    use bartizan_protocol::xboard;
    for line in ["level 40 5 0.5", "usermove O-O", "result 1/2-1/2 {agreed}", "option Hash=3", "exclude all"] {
        let command = xboard::Command::parse(line).unwrap().unwrap();
        let json = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<xboard::Command>(&json).unwrap(), command, "{json}");
    }
    for line in ["feature ping=1 myname=\"x\"", "9 -100003 1 2 3 4 5\te2e4!", "1-0 {mate}", "Error (x): y", "# hm"] {
        let message = xboard::Message::parse(line).unwrap();
        let json = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<xboard::Message>(&json).unwrap(), message, "{json}");
    }
}
