//! Pieces and their types.

use crate::operators::indexed_by;
use crate::{Color, ParseError};
use core::fmt;
use core::str::FromStr;

/// A type of piece, without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum PieceType {
    /// P
    Pawn,
    /// N
    Knight,
    /// B
    Bishop,
    /// R
    Rook,
    /// Q
    Queen,
    /// K
    King,
}

impl PieceType {
    /// The number of piece types.
    pub const COUNT: usize = 6;
    /// All piece types, from pawn to king.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// The pieces to which a pawn may promote, most useful first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Knight, Self::Rook, Self::Bishop];

    /// 0 (pawn) to 5 (king).
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The inverse of [`Self::index`], `None` when out of range.
    #[inline]
    pub const fn try_from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Pawn),
            1 => Some(Self::Knight),
            2 => Some(Self::Bishop),
            3 => Some(Self::Rook),
            4 => Some(Self::Queen),
            5 => Some(Self::King),
            _ => None,
        }
    }

    /// The piece of this type and `color`.
    #[inline]
    pub const fn of(self, color: Color) -> Piece {
        Piece::new(self, color)
    }

    /// The English letter in lower case: `p n b r q k`.
    #[inline]
    pub const fn to_char(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The English name in lower case: `knight`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }

    /// Converts from the English letter in either case.
    #[inline]
    pub const fn from_char(c: char) -> Option<Self> {
        match c.to_ascii_lowercase() {
            'p' => Some(Self::Pawn),
            'n' => Some(Self::Knight),
            'b' => Some(Self::Bishop),
            'r' => Some(Self::Rook),
            'q' => Some(Self::Queen),
            'k' => Some(Self::King),
            _ => None,
        }
    }
}

impl fmt::Display for PieceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_char(), f)
    }
}

/// The English letter in either case.
///
/// ```
/// use bartizan_types::PieceType;
///
/// assert_eq!(["N", "n"].map(str::parse), [Ok(PieceType::Knight); 2]);
/// ```
impl FromStr for PieceType {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, ParseError> {
        s.parse().map(Piece::piece_type)
    }
}

macro_rules! pieces {
    ($($variant:ident = $i:literal, $ty:ident, $color:ident, $c:literal, $u:literal;)*) => {
        /// A piece: a type and a colour. White pieces have even indices, black ones odd, in the order of [`PieceType`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        #[allow(missing_docs)] // The names suffice.
        #[repr(u8)]
        pub enum Piece { $($variant = $i),* }

        impl Piece {
            /// The number of pieces: six types in two colours.
            pub const COUNT: usize = 12;
            /// All pieces in index order.
            pub const ALL: [Self; 12] = [$(Self::$variant),*];

            /// Combines a type and a colour.
            #[inline]
            pub const fn new(piece_type: PieceType, color: Color) -> Self {
                // A `match` may become a jump, which is hard to predict.
                Self::ALL[piece_type as usize * 2 + color as usize]
            }

            /// The type of the piece.
            #[inline]
            pub const fn piece_type(self) -> PieceType {
                const { $(assert!(PieceType::$ty as u8 == $i / 2 && Color::$color as u8 == $i % 2);)* }
                // Written so that it compiles to a shift: a match on the piece becomes a load from a table.
                match self as u8 >> 1 {
                    0 => PieceType::Pawn,
                    1 => PieceType::Knight,
                    2 => PieceType::Bishop,
                    3 => PieceType::Rook,
                    4 => PieceType::Queen,
                    5 => PieceType::King,
                    _ => unreachable!(),
                }
            }

            /// The colour of the piece.
            #[inline]
            pub const fn color(self) -> Color {
                if self as u8 & 1 == 0 { Color::White } else { Color::Black }
            }

            /// The FEN letter: upper case for white, lower case for black.
            #[inline]
            pub const fn to_char(self) -> char {
                match self { $(Self::$variant => $c),* }
            }

            /// Converts from the FEN letter.
            #[inline]
            pub const fn from_char(c: char) -> Option<Self> {
                match c { $($c => Some(Self::$variant),)* _ => None }
            }

            /// The Unicode chess symbol, such as `♞`.
            #[inline]
            pub const fn to_figurine(self) -> char {
                match self { $(Self::$variant => $u),* }
            }
        }
    };
}

pieces! {
    WhitePawn = 0, Pawn, White, 'P', '♙';
    BlackPawn = 1, Pawn, Black, 'p', '♟';
    WhiteKnight = 2, Knight, White, 'N', '♘';
    BlackKnight = 3, Knight, Black, 'n', '♞';
    WhiteBishop = 4, Bishop, White, 'B', '♗';
    BlackBishop = 5, Bishop, Black, 'b', '♝';
    WhiteRook = 6, Rook, White, 'R', '♖';
    BlackRook = 7, Rook, Black, 'r', '♜';
    WhiteQueen = 8, Queen, White, 'Q', '♕';
    BlackQueen = 9, Queen, Black, 'q', '♛';
    WhiteKing = 10, King, White, 'K', '♔';
    BlackKing = 11, King, Black, 'k', '♚';
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// 0 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The same type of piece in the other colour.
    #[inline]
    pub const fn flip_color(self) -> Self {
        Self::new(self.piece_type(), self.color().flip())
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_char(), f)
    }
}

impl FromStr for Piece {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, ParseError> {
        let mut chars = s.chars();
        match (chars.next().and_then(Self::from_char), chars.next()) {
            (Some(piece), None) => Ok(piece),
            _ => Err(ParseError::Piece),
        }
    }
}

/// One value for each type of piece, indexed by [`PieceType`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByPieceType<T>(pub [T; PieceType::COUNT]);

indexed_by!(ByPieceType, PieceType);
