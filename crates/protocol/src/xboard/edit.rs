//! The lines between `edit` and the `.` that ends it: how clients without `setboard` set up a position.

use bartizan_types::{PieceType, Square};
use std::fmt;

/// A line of edit mode, which begins with White to be placed.
///
/// ```
/// use bartizan_protocol::xboard::EditLine;
/// assert_eq!(EditLine::parse("c"), Some(EditLine::ChangeColor));
/// assert_eq!(EditLine::parse("Pa4").unwrap().to_string(), "Pa4");
/// assert_eq!(EditLine::parse("what"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum EditLine {
    /// `#`: take every piece off the board.
    Clear,
    /// `c`: place the other colour from now on.
    ChangeColor,
    /// `Ke1`: put a piece of the present colour on a square.
    Place(PieceType, Square),
    /// `xe1`: empty a square.
    Remove(Square),
    /// `.`: the position is complete.
    Done,
}

impl EditLine {
    /// Reads a line; `None` if it is none of edit mode.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        match line {
            "#" => return Some(Self::Clear),
            "c" => return Some(Self::ChangeColor),
            "." => return Some(Self::Done),
            _ => {}
        }
        let mut rest = line.chars();
        let letter = rest.next()?;
        let square = rest.as_str().parse().ok()?;
        let piece_type = match letter.to_ascii_uppercase() {
            'P' => PieceType::Pawn,
            'N' => PieceType::Knight,
            'B' => PieceType::Bishop,
            'R' => PieceType::Rook,
            'Q' => PieceType::Queen,
            'K' => PieceType::King,
            'X' => return Some(Self::Remove(square)),
            _ => return None,
        };
        Some(Self::Place(piece_type, square))
    }
}

impl fmt::Display for EditLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clear => f.write_str("#"),
            Self::ChangeColor => f.write_str("c"),
            Self::Place(piece_type, square) => {
                write!(f, "{}{square}", piece_type.to_string().to_ascii_uppercase())
            }
            Self::Remove(square) => write!(f, "x{square}"),
            Self::Done => f.write_str("."),
        }
    }
}
