//! Moves in coordinate notation.

use crate::{ParseError, PieceType, Square};
use core::fmt;
use core::str::FromStr;

/// A move in coordinate notation, such as `e2e4` or `e7e8q`, as UCI and xboard clients write it. Converting it to a
/// [`Move`](crate::Move) takes the position: see `Position::resolve_uci` of `bartizan-position`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UciMove {
    /// The origin square.
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// The piece to which a pawn promotes: knight, bishop, rook or queen.
    pub promotion: Option<PieceType>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(piece_type) => write!(f, "{piece_type}"),
            None => Ok(()),
        }
    }
}

/// Accepts the promotion letter in either case.
impl FromStr for UciMove {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, ParseError> {
        let (squares, promotion) = match s.as_bytes() {
            [squares @ .., letter] if squares.len() == 4 => {
                let promotion = match letter {
                    b'n' | b'N' => PieceType::Knight,
                    b'b' | b'B' => PieceType::Bishop,
                    b'r' | b'R' => PieceType::Rook,
                    b'q' | b'Q' => PieceType::Queen,
                    _ => return Err(ParseError::Move),
                };
                (squares, Some(promotion))
            }
            squares => (squares, None),
        };
        match squares {
            &[f1, r1, f2, r2] => match (Square::from_ascii(f1, r1), Square::from_ascii(f2, r2)) {
                (Some(from), Some(to)) => Ok(Self { from, to, promotion }),
                _ => Err(ParseError::Move),
            },
            _ => Err(ParseError::Move),
        }
    }
}
