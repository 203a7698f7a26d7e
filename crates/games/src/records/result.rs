//! Parses common notations of results.

use bartizan_types::Color;

/// White's points in a game, 0, ½ or 1, or their mean over several games from one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(
    /// In units of 1 / [`Points::WHOLE`], so that the values of single games are exact.
    u16,
);

impl Points {
    const WHOLE: u16 = 1 << 15;

    /// Black won.
    pub const LOSS: Self = Self(0);
    /// A draw.
    pub const DRAW: Self = Self(Self::WHOLE / 2);
    /// White won.
    pub const WIN: Self = Self(Self::WHOLE);

    /// The points of one game; no winner is a draw.
    pub fn of_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WIN,
            None => Self::DRAW,
            Some(Color::Black) => Self::LOSS,
        }
    }

    /// A mean of points, to the nearest 1/32,768; `None` unless it is from 0 to 1.
    pub fn of_mean(mean: f64) -> Option<Self> {
        (0.0..=1.0).contains(&mean).then(|| Self((mean * f64::from(Self::WHOLE)).round() as u16))
    }

    /// From 0 to 1.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }

    /// The result of one game: 0 Black won, 1 draw, 2 White won; `None` for a mean of different results.
    pub fn result(self) -> Option<u8> {
        match self {
            Self::LOSS => Some(0),
            Self::DRAW => Some(1),
            Self::WIN => Some(2),
            _ => None,
        }
    }
}

/// A text is not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid result '{}', expected 1-0, 1/2-1/2 or 0-1, or White's points from 0 to 1, such as 0.5 or 0.375",
    .0.escape_debug()
)]
pub struct ParseResultError(
    /// The first 20 characters of the text.
    pub String,
);

/// Parses `1-0`, `1/2-1/2` and `0-1`, or White's points: `1`, `1/2`, `0`, or a decimal fraction from 0 to 1, which may
/// be the mean over several games: `0.5`, `0.375`.
///
/// # Errors
/// [`ParseResultError`] for anything else.
pub fn parse_result(text: &str) -> Result<Points, ParseResultError> {
    let points = match text.trim() {
        "1-0" => Some(Points::WIN),
        "1/2-1/2" | "1/2" => Some(Points::DRAW),
        "0-1" => Some(Points::LOSS),
        // Numbers with a sign or an exponent, and names such as `nan`, are more likely mistakes than points.
        number if number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => {
            number.parse().ok().and_then(Points::of_mean)
        }
        _ => None,
    };
    points.ok_or_else(|| ParseResultError(text.trim().chars().take(20).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_are_read() {
        let results = ["1-0", " 0.5 ", "1/2-1/2", "0.0", "0-1", "1", ".5", "1.00", "0.50"].map(parse_result);
        let (win, draw, loss) = (Points::WIN, Points::DRAW, Points::LOSS);
        let expected = [win, draw, draw, loss, loss, win, draw, win, draw].map(Ok);
        assert_eq!(results, expected);
        for bad in ["", "*", "1-1", ".", "2", "1.1", "-0.5", "+0.5", "1e-1", "NaN", "inf", "0.5.1", "0,5"] {
            assert!(parse_result(bad).is_err(), "{bad}");
        }
        assert_eq!(
            parse_result("1.5").unwrap_err().to_string(),
            "invalid result '1.5', expected 1-0, 1/2-1/2 or 0-1, or White's points from 0 to 1, such as 0.5 or 0.375"
        );
    }

    #[test]
    fn means_are_read() {
        for games in 1..=64 {
            for half_points in 0..=2 * games {
                let mean = f64::from(half_points) / f64::from(2 * games);
                let points = parse_result(&mean.to_string()).unwrap();
                assert!((points.to_f64() - mean).abs() < 2e-5, "{mean}");
                let whole = (half_points % games == 0).then(|| (half_points / games) as u8);
                assert_eq!(points.result(), whole, "{mean}");
            }
        }
    }
}
