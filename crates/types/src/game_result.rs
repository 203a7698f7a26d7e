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

/// Whether a character is a hyphen, a dash or a minus sign.
const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// The result in PGN.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Also accepts `½-½`, `0.5-0.5` and `0,5-0,5`, a draw that is written for one side (`1/2`, `½`), and other dashes.
impl FromStr for GameResult {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.split_once(is_dash) {
            Some(("1", "0")) => Ok(Self::WhiteWins),
            Some(("0", "1")) => Ok(Self::BlackWins),
            Some((white @ ("1/2" | "\u{bd}" | "0.5" | "0,5"), black)) if white == black => Ok(Self::Draw),
            None if matches!(text, "1/2" | "\u{bd}") => Ok(Self::Draw),
            None if text == "*" => Ok(Self::Unknown),
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
        for draw in ["½-½", "½\u{2014}½", "1/2\u{2212}1/2", "1/2", "0.5-0.5", "0,5-0,5"] {
            assert_eq!(draw.parse(), Ok(GameResult::Draw), "{draw}");
        }
        assert_eq!("1\u{2010}0".parse(), Ok(GameResult::WhiteWins));
        for text in ["½-", "½-0", "0.5", "-", "1-0-", "1-1", "0.5-0,5"] {
            assert_eq!(text.parse::<GameResult>(), Err(ParseError::GameResult), "{text}");
        }
        assert_eq!("0-0".parse::<GameResult>(), Err(ParseError::GameResult));
        assert_eq!(GameResult::won_by(Color::Black).winner(), Some(Color::Black));
    }
}
