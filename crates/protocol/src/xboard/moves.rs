//! Moves as engines and clients write them.

use crate::tokens::OneLine;
use bartizan_types::{CastlingSide, UciMove};
use std::fmt;

/// A move: in coordinates as the protocol requires, or as older engines and those with `feature san=1` write it.
///
/// ```
/// use bartizan_protocol::xboard::MoveText;
/// assert!(matches!(MoveText::parse("e7e8q"), MoveText::Move(_)));
/// assert!(matches!(MoveText::parse("O-O-O"), MoveText::Castle(_)));
/// assert_eq!(MoveText::parse("Nbd7").to_string(), "Nbd7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum MoveText {
    /// Coordinates, such as `e2e4` and `e7e8q`. Castling is `e1g1`.
    Move(UciMove),
    /// `O-O` or `O-O-O`: castling in fischerandom.
    Castle(CastlingSide),
    /// `@@@@`: the null move.
    Null,
    /// Any other text, usually standard algebraic notation.
    San(String),
}

impl MoveText {
    /// Parses a move. Every text has a value.
    pub fn parse(text: &str) -> Self {
        let text = text.trim_matches(crate::tokens::is_blank);
        if let Ok(mv) = text.parse() {
            return Self::Move(mv);
        }
        match text {
            "O-O" | "0-0" | "o-o" => Self::Castle(CastlingSide::King),
            "O-O-O" | "0-0-0" | "o-o-o" => Self::Castle(CastlingSide::Queen),
            "@@@@" | "null" | "pass" => Self::Null,
            _ => Self::San(text.to_owned()),
        }
    }

    /// Parses a move without a command before it; `None` for a word that does not look like a move.
    pub(super) fn parse_bare(word: &str) -> Option<Self> {
        match Self::parse(word) {
            Self::San(text) if !looks_like_san(&text) => None,
            Self::Null if word != "@@@@" => None,
            mv => Some(mv),
        }
    }
}

/// Whether a word has the form of a move in algebraic notation: `Nbd7`, `exd8=Q+`, `O-O+`, `P@e4`.
fn looks_like_san(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    if matches!(word, "O-O" | "O-O-O" | "0-0" | "0-0-0") {
        return true;
    }
    let word = word.strip_suffix(['Q', 'R', 'B', 'N']).map_or(word, |rest| rest.strip_suffix('=').unwrap_or(rest));
    let mut reversed = word.bytes().rev();
    let target = matches!((reversed.next(), reversed.next()), (Some(b'1'..=b'8'), Some(b'a'..=b'h')));
    target
        && word.len() <= 6
        && reversed.all(|byte| matches!(byte, b'K'|b'Q'|b'R'|b'B'|b'N'|b'P'|b'a'..=b'h'|b'1'..=b'8'|b'x'|b'@'|b'-'))
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(mv) => write!(f, "{mv}"),
            Self::Castle(CastlingSide::King) => f.write_str("O-O"),
            Self::Castle(CastlingSide::Queen) => f.write_str("O-O-O"),
            Self::Null => f.write_str("@@@@"),
            Self::San(text) => write!(f, "{}", OneLine(text)),
        }
    }
}

impl From<UciMove> for MoveText {
    fn from(mv: UciMove) -> Self {
        Self::Move(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        for text in ["e2e4", "a7a8n", "O-O", "O-O-O", "@@@@", "Nf3", "exd5", "nonsense"] {
            assert_eq!(MoveText::parse(text).to_string(), text);
        }
        assert_eq!(MoveText::parse(" 0-0 \n"), MoveText::Castle(CastlingSide::King));
        assert_eq!(MoveText::parse("e7e8Q").to_string(), "e7e8q");
    }

    #[test]
    fn bare_moves_look_like_moves() {
        for word in ["e2e4", "e4", "Nbd7", "R1xa3", "exd8=Q+", "bxc3", "O-O+", "P@e4", "@@@@", "Qh4xe1"] {
            assert!(MoveText::parse_bare(word).is_some(), "{word}");
        }
        for word in ["", "go", "e9", "hello", "Ü8", "b", "null", "bk", "hintd5", "e2e9"] {
            assert!(MoveText::parse_bare(word).is_none(), "{word}");
        }
    }
}
