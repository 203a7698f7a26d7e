//! Moves in coordinate notation.

use crate::{ParseError, PieceType, Square};
use core::fmt;
use core::str::FromStr;

/// A move in coordinate notation, such as `e2e4` or `e7e8q`, as UCI and xboard clients write it. Converting it to a
/// [`Move`](crate::Move) requires the position: see `Position::resolve_uci` of `bartizan-position`.
///
/// With the feature `serde`, it is serialised as this text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

#[cfg(feature = "serde")]
impl serde::Serialize for UciMove {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for UciMove {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = UciMove;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move in coordinate notation such as e2e4 or e7e8q")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<UciMove, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}
