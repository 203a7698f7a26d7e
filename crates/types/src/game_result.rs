//! The result of a game.

use crate::{Color, ParseError};
use core::fmt;
use core::str::FromStr;

/// The result of a game, as PGN and the xboard protocol write it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum GameResult {
    /// `1-0`
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    WhiteWins,
    /// `0-1`
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    BlackWins,
    /// `1/2-1/2`
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
    /// `*`: the game is unfinished or its result is unknown.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "*"))]
    Unknown,
}

impl GameResult {
    /// The result of a game that `color` wins.
    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The winner; `None` for a draw and for an unknown result.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// The result in PGN: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

/// The result in PGN.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Also accepts `1/2`, `½-½`, and an en dash in place of the hyphen.
impl FromStr for GameResult {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "1-0" | "1\u{2013}0" => Ok(Self::WhiteWins),
            "0-1" | "0\u{2013}1" => Ok(Self::BlackWins),
            "1/2-1/2" | "1/2" | "1/2\u{2013}1/2" | "\u{bd}-\u{bd}" | "\u{bd}\u{2013}\u{bd}" => Ok(Self::Draw),
            "*" => Ok(Self::Unknown),
            _ => Err(ParseError::GameResult),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn results_round_trip_through_text() {
        for result in [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown] {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        assert_eq!("½-½".parse(), Ok(GameResult::Draw));
        assert_eq!("0-0".parse::<GameResult>(), Err(ParseError::GameResult));
        assert_eq!(GameResult::won_by(Color::Black).winner(), Some(Color::Black));
    }
}
