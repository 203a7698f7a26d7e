//! How a game ended, and why.

use crate::words::{OneLine, Words};
use std::fmt;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameResult {
    /// `1-0`.
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    WhiteWins,
    /// `0-1`.
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    BlackWins,
    /// `1/2-1/2`.
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
    /// `*`: broken off.
    #[cfg_attr(feature = "serde", serde(rename = "*"))]
    Unfinished,
}

impl GameResult {
    pub(super) fn of_word(word: &str) -> Option<Self> {
        match word {
            "1-0" => Some(Self::WhiteWins),
            "0-1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" => Some(Self::Draw),
            "*" => Some(Self::Unfinished),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        })
    }
}

/// The text between the braces; without braces, the whole rest.
pub(super) fn parse_reason(words: &Words<'_>) -> String {
    let rest = words.rest();
    match rest.strip_prefix('{') {
        Some(rest) => rest.split('}').next().unwrap_or_default().trim().to_owned(),
        None => rest.to_owned(),
    }
}

/// The reason in braces, with a blank before it; nothing when there is none.
pub(super) fn write_reason(f: &mut fmt::Formatter<'_>, reason: &str) -> fmt::Result {
    if reason.is_empty() { Ok(()) } else { write!(f, " {{{}}}", OneLine(&reason.replace(['{', '}'], " "))) }
}
