//! Files and ranks.

use crate::{Bitboard, ParseError};
use core::fmt;
use core::str::FromStr;

macro_rules! eight {
    ($(#[$meta:meta])* $name:ident from $first:literal {
        $($(#[$vmeta:meta])* $variant:ident = $i:literal),*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* $variant = $i),* }

        impl $name {
            /// All eight, in order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// 0 to 7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The inverse of [`Self::index`]; only the lowest three bits of `index` count.
            #[inline]
            pub const fn from_index(index: usize) -> Self {
                // The compiler reduces this match to a no-op.
                match index & 7 { $($i => Self::$variant,)* _ => Self::ALL[0] }
            }

            /// The inverse of [`Self::index`], `None` when out of range.
            #[inline]
            pub const fn try_from_index(index: usize) -> Option<Self> {
                if index < 8 { Some(Self::from_index(index)) } else { None }
            }

            /// The distance between two of them: 0 to 7.
            #[inline]
            pub const fn distance(self, other: Self) -> u8 {
                (self as u8).abs_diff(other as u8)
            }

            /// The one on the other side of the board: 0 ↔ 7, a ↔ h.
            #[inline]
            pub const fn mirror(self) -> Self {
                Self::from_index(self.index() ^ 7)
            }

            /// The character of coordinates: `a` to `h`, `1` to `8`.
            #[inline]
            pub const fn to_char(self) -> char {
                ($first + self as u8) as char
            }

            /// Converts from the character of coordinates, in lower case only.
            #[inline]
            pub const fn from_char(c: char) -> Option<Self> {
                match (c as u32).checked_sub($first as u32) {
                    Some(index) => Self::try_from_index(index as usize),
                    None => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_char(), f)
            }
        }

        impl FromStr for $name {
            type Err = ParseError;
            fn from_str(s: &str) -> Result<Self, ParseError> {
                let mut chars = s.chars();
                let first = chars.next().filter(|_| chars.next().is_none());
                first.and_then(Self::from_char).ok_or(ParseError::$name)
            }
        }
    };
}

eight! {
    /// A file: a column of the board.
    File from b'a' {
        /// The a-file.
        A = 0, /// The b-file.
        B = 1, /// The c-file.
        C = 2, /// The d-file.
        D = 3, /// The e-file.
        E = 4, /// The f-file.
        F = 5, /// The g-file.
        G = 6, /// The h-file.
        H = 7
    }
}

eight! {
    /// A rank: a row of the board. The first rank is white's back rank.
    Rank from b'1' {
        /// White's back rank.
        First = 0, /// The rank of white's pawns at the start.
        Second = 1, /// The third rank.
        Third = 2, /// The fourth rank.
        Fourth = 3, /// The fifth rank.
        Fifth = 4, /// The sixth rank.
        Sixth = 5, /// The rank of black's pawns at the start.
        Seventh = 6, /// Black's back rank.
        Eighth = 7
    }
}

impl File {
    /// The eight squares of the file.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self.index())
    }

    /// The squares of the neighbouring files.
    #[inline]
    pub const fn adjacent(self) -> Bitboard {
        let file = self.bitboard();
        Bitboard((file.0 << 1) & !Self::A.bitboard().0 | (file.0 >> 1) & !Self::H.bitboard().0)
    }
}

impl Rank {
    /// The eight squares of the rank.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self.index()))
    }
}
