//! The lines of edit mode, by which a client sets up a position on an engine without `setboard`.

use bartizan_types::{PieceType, Square};
use std::fmt;

/// A line between `edit` and `.`. At first, pieces are placed for White.
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
    /// `#`: clear the board.
    Clear,
    /// `c`: change the colour of the pieces that follow.
    ChangeColor,
    /// `Ke1`: put a piece of the current colour on a square.
    Place(PieceType, Square),
    /// `xe1`: empty a square.
    Remove(Square),
    /// `.`: the position is complete.
    Done,
}

impl EditLine {
    /// Parses a line; `None` if it does not belong to edit mode.
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
