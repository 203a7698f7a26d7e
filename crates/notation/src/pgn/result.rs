//! How a game ended.

use bartizan_position::Outcome;
use bartizan_types::Color;
use std::fmt;
use std::str::FromStr;

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game goes on, or nobody knows.
    #[default]
    Unknown,
}

impl GameResult {
    /// The game that `color` wins.
    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// Who won, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWins => Some(Color::White),
            Self::BlackWins => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }

    /// As PGN writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Checkmate(winner) => Self::won_by(winner),
            Outcome::Draw(_) => Self::Draw,
        }
    }
}

/// A text that is no result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a result is 1-0, 0-1, 1/2-1/2 or *")]
pub struct ParseGameResultError;

impl FromStr for GameResult {
    type Err = ParseGameResultError;
    fn from_str(text: &str) -> Result<Self, ParseGameResultError> {
        match text {
            "1-0" | "1\u{2013}0" => Ok(Self::WhiteWins),
            "0-1" | "0\u{2013}1" => Ok(Self::BlackWins),
            "1/2-1/2" | "1/2" | "1/2\u{2013}1/2" | "\u{bd}-\u{bd}" | "\u{bd}\u{2013}\u{bd}" => Ok(Self::Draw),
            "*" => Ok(Self::Unknown),
            _ => Err(ParseGameResultError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_survive_text() {
        for result in [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown] {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
        assert_eq!("½-½".parse(), Ok(GameResult::Draw));
        assert!("0-0".parse::<GameResult>().is_err());
        assert_eq!(GameResult::from(Outcome::Checkmate(Color::Black)).winner(), Some(Color::Black));
    }
}
