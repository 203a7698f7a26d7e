//! Serialisation with serde of moves in SAN, as text.

use super::San;
use super::shape::read_plain;
use super::stack_text::StackText;
use bartizan_types::UciMove;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Write;

impl Serialize for San {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Accepts what [`San::new`] writes for some position.
impl<'de> Deserialize<'de> for San {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut san = StackText::EMPTY;
        if is_move(&text) && san.write_str(&text).is_ok() {
            return Ok(Self(san));
        }
        Err(D::Error::invalid_value(Unexpected::Str(&text), &"a move in SAN, such as Nf3"))
    }
}

fn is_move(text: &str) -> bool {
    let is_castling = matches!(text.trim_end_matches(['+', '#']), "O-O" | "O-O-O");
    is_castling || read_plain(text.as_bytes()).is_some() || text.parse::<UciMove>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_position::Position;
    use bartizan_types::{Move, Square};

    #[test]
    fn san_is_text() {
        let mut texts = vec!["\"e1g1\"".to_owned()];
        for fen in ["r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1", "k7/8/8/8/8/8/1Q1Q4/4K2R w K - 0 1"] {
            let position = Position::from_fen(fen).unwrap();
            texts.extend(position.legal_moves().iter().map(|&mv| format!("\"{}\"", San::new(&position, mv))));
        }
        for text in texts {
            let san: San = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&san).unwrap(), text);
        }
        let illegal = San::new(&Position::startpos(), Move::normal(Square::E1, Square::G1));
        assert_eq!(serde_json::to_string(&illegal).unwrap(), "\"e1g1\"");
        for text in ["", "e9", "Nf3!", "Qa1xb2++", "--", "null", "Ségé", "O-O-O-O", "x"] {
            assert!(serde_json::from_str::<San>(&format!("\"{text}\"")).is_err(), "{text}");
        }
    }
}
