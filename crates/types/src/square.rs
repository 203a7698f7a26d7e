//! Squares and the directions between them.

use crate::{Bitboard, Color, File, ParseError, Rank};
use core::fmt;
use core::str::FromStr;

macro_rules! squares {
    ($($variant:ident = $i:literal,)*) => {
        /// A square, a1 = 0 to h8 = 63.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
        #[allow(missing_docs)] // The names suffice.
        #[repr(u8)]
        pub enum Square { $($variant = $i,)* }

        impl Square {
            /// All squares in index order: a1, b1 … h8.
            pub const ALL: [Self; 64] = [$(Self::$variant,)*];

            /// The inverse of [`Self::index`]; only the lowest six bits of `index` count.
            #[inline]
            #[allow(unsafe_code)]
            pub const fn from_index(index: usize) -> Self {
                let index = (index & 63) as u8;
                if cfg!(debug_assertions) {
                    return match index { $($i => Self::$variant,)* _ => Self::A1 };
                }
                // The compiler reduces this match to nothing, but not in builds instrumented for a profile, which count
                // how often each arm is taken. The hottest functions then contain 64-way branches and are no longer
                // inlined: programs optimised with such a profile searched 0.95 times as many nodes per second as those
                // without, and with the line below 1.04 times (`bench`, medians of 7, AMD EPYC, programs of `cargo
                // xtask dist`). SAFETY: `Square` is a `u8` in memory, and each of the numbers 0 to 63 is one of its
                // values.
                unsafe { core::mem::transmute::<u8, Self>(index) }
            }
        }
    };
}

squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

// Evaluated at compile time, where the interpreter detects undefined behaviour, in every build.
const _: () = {
    let mut index = 0;
    while index < 256 {
        assert!(Square::from_index(index) as usize == index & 63);
        index += 1;
    }
};

impl Square {
    /// The number of squares of the board.
    pub const COUNT: usize = 64;

    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The inverse of [`Self::index`], `None` when out of range.
    #[inline]
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < 64 { Some(Self::from_index(index)) } else { None }
    }

    /// The square on `file` and `rank`.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_index(rank.index() * 8 + file.index())
    }

    /// The file of the square.
    #[inline]
    pub const fn file(self) -> File {
        File::from_index(self.index() & 7)
    }

    /// The rank of the square.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.index() >> 3)
    }

    /// The set that contains only this square.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// Mirrors the square top to bottom: a1 ↔ a8.
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self::from_index(self.index() ^ 56)
    }

    /// Mirrors the square left to right: a1 ↔ h1.
    #[inline]
    pub const fn flip_file(self) -> Self {
        Self::from_index(self.index() ^ 7)
    }

    /// The square as `color` sees it: unchanged for white, mirrored top to bottom for black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        Self::from_index(self.index() ^ (color.index() * 56))
    }

    /// The neighbouring square in a direction; `None` if it is off the board.
    #[inline]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        let (files, ranks) = direction.offset();
        self.offset(files, ranks)
    }

    /// The square `files` to the right and `ranks` up; `None` if it is off the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = self.file() as i16 + files as i16;
        let rank = self.rank() as i16 + ranks as i16;
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Self::from_index((rank * 8 + file) as usize))
        } else {
            None
        }
    }

    /// The number of king moves between two squares: the Chebyshev distance, 0 to 7.
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let files = self.file().distance(other.file());
        let ranks = self.rank().distance(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// Whether the square is light, as h1 is.
    #[inline]
    pub const fn is_light(self) -> bool {
        (self.index() + (self.index() >> 3)) & 1 == 1
    }

    /// The squares of the same shade: all light squares or all dark ones.
    #[inline]
    pub const fn shade(self) -> Bitboard {
        if self.is_light() { Bitboard::LIGHT } else { Bitboard::DARK }
    }

    /// Converts from the ASCII letters of a file and a rank, such as `b'e'` and `b'4'`.
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Self> {
        match (file, rank) {
            (b'a'..=b'h', b'1'..=b'8') => Some(Self::from_index((rank - b'1') as usize * 8 + (file - b'a') as usize)),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl FromStr for Square {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, ParseError> {
        match s.as_bytes() {
            &[file, rank] => Self::from_ascii(file, rank).ok_or(ParseError::Square),
            _ => Err(ParseError::Square),
        }
    }
}

/// A direction on the board: north is towards the eighth rank, east towards the h-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Direction {
    /// Up the board.
    North,
    /// Up and right.
    NorthEast,
    /// Right.
    East,
    /// Down and right.
    SouthEast,
    /// Down the board.
    South,
    /// Down and left.
    SouthWest,
    /// Left.
    West,
    /// Up and left.
    NorthWest,
}

impl Direction {
    /// All directions, clockwise from north.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];
    /// The four directions of the rook.
    pub const ROOK: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
    /// The four directions of the bishop.
    pub const BISHOP: [Self; 4] = [Self::NorthEast, Self::SouthEast, Self::SouthWest, Self::NorthWest];

    /// The step as (files to the right, ranks up), each −1, 0 or 1.
    #[inline]
    pub const fn offset(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::NorthEast => (1, 1),
            Self::East => (1, 0),
            Self::SouthEast => (1, -1),
            Self::South => (0, -1),
            Self::SouthWest => (-1, -1),
            Self::West => (-1, 0),
            Self::NorthWest => (-1, 1),
        }
    }

    /// The direction in which the pawns of `color` advance.
    #[inline]
    pub const fn forward(color: Color) -> Self {
        match color {
            Color::White => Self::North,
            Color::Black => Self::South,
        }
    }
}
