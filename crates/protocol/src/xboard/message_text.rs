//! Writes messages.

use super::Message;
use super::result::write_reason;
use crate::tokens::{OneLine, write_text, write_with};
use std::fmt;

/// One line without a line break.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Features(features) => {
                f.write_str("feature")?;
                features.iter().try_for_each(|feature| write!(f, " {feature}"))
            }
            Self::Pong(number) => write!(f, "pong {number}"),
            Self::Move(mv) => write!(f, "move {mv}"),
            Self::Hint(mv) => write!(f, "Hint: {mv}"),
            Self::IllegalMove { reason, mv } if reason.is_empty() => write!(f, "Illegal move: {}", OneLine(mv)),
            Self::IllegalMove { reason, mv } => write!(f, "Illegal move ({}): {}", OneLine(reason), OneLine(mv)),
            Self::Error { reason, command } => write!(f, "Error ({}): {}", OneLine(reason), OneLine(command)),
            Self::Resign => f.write_str("resign"),
            Self::OfferDraw => f.write_str("offer draw"),
            Self::Result { result, reason } => {
                write!(f, "{result}")?;
                write_reason(f, reason)
            }
            Self::TellUser(text) => write_with(f, "telluser", text),
            Self::TellUserError(text) => write_with(f, "tellusererror", text),
            Self::TellOpponent(text) => write_with(f, "tellopponent", text),
            Self::TellOthers(text) => write_with(f, "tellothers", text),
            Self::TellAll(text) => write_with(f, "tellall", text),
            Self::TellIcs(text) => write_with(f, "tellics", text),
            Self::TellIcsNoAlias(text) => write_with(f, "tellicsnoalias", text),
            Self::AskUser { tag, question } => {
                write!(f, "askuser {}", OneLine(tag))?;
                write_text(f, question)
            }
            Self::Thinking(thinking) => write!(f, "{thinking}"),
            Self::Status(status) => {
                let super::Status { time, nodes, ply, moves_left, moves, current } = status;
                write!(f, "stat01: {time} {nodes} {ply} {moves_left} {moves}")?;
                write_text(f, current)
            }
            Self::Debug(text) => write_with(f, "#", text),
            Self::Other(text) => write!(f, "{}", OneLine(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GameResult, MoveText};
    use super::*;

    fn parse(line: &str) -> Message {
        Message::parse(line).unwrap()
    }

    #[test]
    fn both_ways() {
        let lines = [
            "feature ping=1 done=1",
            "pong 12",
            "move e2e4",
            "move O-O",
            "move Nf3",
            "Hint: e7e5",
            "Illegal move: e2e5",
            "Illegal move (in check): e2e4",
            "Error (unknown command): joho 3",
            "resign",
            "offer draw",
            "1-0 {White mates}",
            "0-1",
            "1/2-1/2 {Draw by repetition}",
            "telluser a b",
            "tellusererror Illegal position",
            "tellopponent x",
            "tellothers x",
            "tellall x",
            "tellics say x",
            "tellicsnoalias x",
            "askuser tag How many?",
            "9 156 1084 48000\tNf3 Nc6",
            "stat01: 1234 30000 7 5 30 Nf3",
            "stat01: 1234 30000 7 5 30",
            "# a comment",
            "#",
            "My name is Nobody",
            "offer chocolate",
        ];
        for line in lines {
            assert_eq!(parse(line).to_string(), line);
            assert_eq!(parse(&format!(" {line} \r\n")), parse(line));
        }
        assert_eq!(Message::parse(" \r\n"), None);
    }

    #[test]
    fn older_engines() {
        let mv = Message::Move(MoveText::parse("e7e5"));
        for line in
            ["move e7e5", "1. ... e7e5", "12 ... e7e5 !", "My move is: e7e5", "My move is : e7e5", "my move is e7e5"]
        {
            assert_eq!(parse(line), mv, "{line}");
        }
        for line in ["1. e2e4 ...", "1 e2e4", "1 ...", "x ... e7e5"] {
            assert!(matches!(parse(line), Message::Other(_)), "{line}");
        }
        for (line, result) in [
            ("White resigns", GameResult::BlackWins),
            ("Black resigns!", GameResult::WhiteWins),
            ("White mates", GameResult::WhiteWins),
            ("Black mates", GameResult::BlackWins),
            ("game is a draw by the 50 move rule", GameResult::Draw),
        ] {
            assert_eq!(parse(line), Message::Result { result, reason: line.to_owned() });
        }
        for line in ["tellics resign", "computer resigns", "computer resigns in a lost position"] {
            assert_eq!(parse(line), Message::Resign, "{line}");
        }
        for line in ["offer draw", "offer a draw", "I offer you a draw", "draw ? I offer it"] {
            assert_eq!(parse(line), Message::OfferDraw, "{line}");
        }
        for mv in ["illegal move: e2e5", "illegal move e2e5", "Illegal move (no matching move)e2e5"] {
            assert!(matches!(parse(mv), Message::IllegalMove { mv, .. } if mv == "e2e5"), "{mv}");
        }
        assert!(matches!(parse("1/2"), Message::Other(_)));
        assert!(matches!(parse("pong x"), Message::Other(_)));
        assert!(matches!(parse("#comment without a blank"), Message::Debug(_)));
    }

    #[test]
    fn other_lines_that_speak_of_offers_and_results() {
        assert!(matches!(parse("# I offer a draw"), Message::Debug(_)));
        assert!(matches!(parse("telluser I offer a draw"), Message::TellUser(_)));
        assert!(matches!(parse("feature option=\"offer draw -check 0\""), Message::Features(_)));
        assert!(matches!(parse("1 0 0 1 White resigns, I offer a draw"), Message::Thinking(_)));
        assert!(matches!(parse("0 0 0 0 ... e2e4"), Message::Thinking(_)));
        for line in
            ["White to move", "Black is ahead", "Draws: 3", "drawing offers", "Illegal moves: 3", "I: White mates"]
        {
            assert_eq!(parse(line), Message::Other(line.to_owned()));
        }
    }

    #[test]
    fn reasons() {
        let reason = "White resigns".to_owned();
        assert_eq!(parse("0-1 {White resigns} x"), Message::Result { result: GameResult::BlackWins, reason });
        let message = Message::Error { reason: "bad (very)".to_owned(), command: "x".to_owned() };
        assert_eq!(parse("Error (bad (very)): x"), message);
        assert!(matches!(parse("Illegal move"), Message::IllegalMove { .. }));
        assert!(matches!(parse("Illegal position"), Message::Other(_)));
    }
}
