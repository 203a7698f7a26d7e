//! Arrows and marks.

use crate::pgn::MarkColor;
use bartizan_types::Square;
use std::str::FromStr;

/// The name of a colour, for a class.
pub(super) fn name(color: MarkColor) -> &'static str {
    match color {
        MarkColor::Green => "green",
        MarkColor::Red => "red",
        MarkColor::Yellow => "yellow",
        MarkColor::Blue => "blue",
        MarkColor::Orange => "orange",
        MarkColor::Cyan => "cyan",
    }
}

/// The colour given by the first letter of a text, and the rest; green without a letter.
fn split(text: &str) -> (MarkColor, &str) {
    let mut chars = text.chars();
    match chars.next().and_then(MarkColor::from_char) {
        Some(color) => (color, chars.as_str()),
        None => (MarkColor::Green, text),
    }
}

/// An arrow from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The square where the arrow begins.
    pub from: Square,
    /// The square of its head.
    pub to: Square,
    /// Its colour.
    pub color: MarkColor,
}

/// A circle around a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareMark {
    /// The square.
    pub square: Square,
    /// The colour of the circle.
    pub color: MarkColor,
}

/// A short text at the foot of a square, such as a number: there is room for about seven characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SquareLabel {
    /// The square.
    pub square: Square,
    /// The text.
    pub text: String,
    /// Its colour; `None` for that of black pieces.
    pub color: Option<MarkColor>,
}

/// The error of parsing an arrow or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationError {
    /// Not an arrow.
    #[error("invalid arrow: expected two squares, after a colour if it is not green, such as e2e4 or Re2e4")]
    Arrow,
    /// Not a mark.
    #[error("invalid mark: expected a square, after a colour if it is not green, such as e4 or Re4")]
    Mark,
}

/// `e2e4`, or `Re2e4` with a colour: an entry of `[%cal …]`.
impl FromStr for Arrow {
    type Err = AnnotationError;

    fn from_str(text: &str) -> Result<Self, AnnotationError> {
        let (color, squares) = split(text);
        let square = |from: usize| squares.get(from..from + 2).and_then(|text| text.parse().ok());
        match (square(0), square(2), squares.len()) {
            (Some(from), Some(to), 4) if from != to => Ok(Self { from, to, color }),
            _ => Err(AnnotationError::Arrow),
        }
    }
}

/// `e4`, or `Re4` with a colour: an entry of `[%csl …]`.
impl FromStr for SquareMark {
    type Err = AnnotationError;

    fn from_str(text: &str) -> Result<Self, AnnotationError> {
        let (color, square) = split(text);
        square.parse().map(|square| Self { square, color }).map_err(|_| AnnotationError::Mark)
    }
}
