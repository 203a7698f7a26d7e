//! Moves written by xboard engines: in coordinates or in algebraic notation.

use bartizan_notation::san::parse_san;
use bartizan_position::Position;
use bartizan_protocol::xboard::MoveText;
use bartizan_types::{Move, UciMove, Variant};

/// The legal move that a text denotes. Marks of captures, checks and promotions may be written in any way.
pub(crate) fn resolve(position: &Position, text: &MoveText) -> Option<Move> {
    match text {
        MoveText::Move(mv) => position.resolve_uci(*mv).ok(),
        // Castling and the null move are algebraic notation too.
        other => parse_san(position, &other.to_string()).ok(),
    }
}

/// The moves of a line, up to the first word that is not a move. Move numbers are skipped.
pub(crate) fn resolve_line(position: &Position, line: &str, variant: Variant) -> Vec<UciMove> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for word in line.split_whitespace() {
        let word = match word.rsplit_once('.') {
            Some((number, word)) if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => word,
            _ => word,
        };
        if word.is_empty() {
            continue;
        }
        let Some(mv) = resolve(&position, &MoveText::parse(word)) else { break };
        moves.push(mv.to_uci(variant));
        position = position.play_unchecked(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, text: &str) -> Option<String> {
        let position = Position::from_fen(fen).unwrap();
        resolve(&position, &MoveText::parse(text)).map(|mv| mv.to_uci(Variant::Standard).to_string())
    }

    #[test]
    fn algebraic_notation() {
        let fen = "r3k2r/1P6/8/3pP3/8/8/N3N3/R3K2R w KQkq d6 0 1";
        let cases = [
            ("Nac3", Some("a2c3")),
            ("N2c3", None),
            ("Nec3", Some("e2c3")),
            ("Na2c3", Some("a2c3")),
            ("Nc3", None),
            ("exd6", Some("e5d6")),
            ("exd6e.p.", Some("e5d6")),
            ("ed", Some("e5d6")),
            ("b8=Q+", Some("b7b8q")),
            ("bxa8N", Some("b7a8n")),
            ("b8", None),
            ("O-O", Some("e1g1")),
            ("O-O-O", Some("e1c1")),
            ("0-0+", Some("e1g1")),
            ("Kd2", Some("e1d2")),
            // The king cannot step there, so this is castling.
            ("Kg1", Some("e1g1")),
            ("e1-g1", Some("e1g1")),
            ("Rxa8", None),
            ("@@@@", None),
            ("é", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(san(fen, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn lines() {
        let start = Position::startpos();
        let line = |text| {
            resolve_line(&start, text, Variant::Standard).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("1. e4 e5 2.Nf3 Nc6"), "e2e4 e7e5 g1f3 b8c6");
        assert_eq!(line("e2e4 1... e7e5 {hm} g1f3"), "e2e4 e7e5");
        assert_eq!(line("..."), "");
    }
}
