//! White and black.

use crate::operators::indexed_by;
use crate::{ParseError, Rank};
use core::fmt;
use core::ops::Not;
use core::str::FromStr;

/// A side: white or black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Color {
    /// The side that moves first, up the board.
    White,
    /// The side that moves second, down the board.
    Black,
}

impl Color {
    /// Both sides, white first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for white, 1 for black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether this is white.
    #[inline]
    pub const fn is_white(self) -> bool {
        matches!(self, Self::White)
    }

    /// The rank as this side counts ranks: `Color::Black.relative_rank(Rank::Second)` is the seventh rank.
    #[inline]
    pub const fn relative_rank(self, rank: Rank) -> Rank {
        Rank::from_index(rank.index() ^ (self.index() * 7))
    }

    /// The other side. In constant functions, use this in place of `!color`.
    #[inline]
    pub const fn flip(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `White` or `Black`, as in an English sentence.
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// `w` or `b`.
    #[inline]
    pub const fn to_char(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        self.flip()
    }
}

/// `w` or `b`, as in FEN.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_char(), f)
    }
}

impl FromStr for Color {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, ParseError> {
        match s {
            "w" => Ok(Self::White),
            "b" => Ok(Self::Black),
            _ => Err(ParseError::Color),
        }
    }
}

/// One value for each side, white's first, indexed by [`Color`].
///
/// ```
/// use bartizan_types::{ByColor, Color};
///
/// let mut captures = ByColor([0, 0]);
/// captures[Color::Black] += 1;
/// assert_eq!(captures, ByColor::from_fn(|color| u32::from(color == Color::Black)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByColor<T>(pub [T; 2]);

impl<T> ByColor<T> {
    /// Computes the value of each side, white first.
    #[inline]
    pub fn from_fn(f: impl FnMut(Color) -> T) -> Self {
        Self(Color::ALL.map(f))
    }

    /// Applies a function to both values.
    #[inline]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor(self.0.map(f))
    }
}

indexed_by!(ByColor, Color);
