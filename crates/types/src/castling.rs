//! Castling rights.

use crate::{Bitboard, Color, File, ParseError, Rank, Square};
use core::fmt::{self, Write as _};
use core::str::FromStr;

/// The side on which a king castles. In Chess960, the side of the king on which the rook stands decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum CastlingSide {
    /// O-O: the king lands on the g-file, the rook on the f-file.
    King,
    /// O-O-O: the king lands on the c-file, the rook on the d-file.
    Queen,
}

impl CastlingSide {
    /// Both sides, the king's side first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of the king on which the rook stands.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook.index() > king.index() { Self::King } else { Self::Queen }
    }

    /// The square on which the king of `color` lands.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::G1.relative_to(color),
            Self::Queen => Square::C1.relative_to(color),
        }
    }

    /// The square on which the rook of `color` lands.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        match self {
            Self::King => Square::F1.relative_to(color),
            Self::Queen => Square::D1.relative_to(color),
        }
    }
}

/// The castling rights of both sides: the set of rooks that may still castle.
///
/// The representation serves chess, Chess960 and double Chess960. A move removes rights by removing its origin and its
/// target from the set.
///
/// With the feature `serde`, they are serialised in JSON and other text as they are displayed, such as `KQkq`. The bits
/// of the set of rooks are accepted as a number as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// Neither side may castle.
    pub const NONE: Self = Self(Bitboard::EMPTY);
    /// All four rights of the standard starting position.
    pub const STANDARD: Self = Self(Bitboard(0x8100_0000_0000_0081));

    /// Creates the rights of the given rooks. Squares outside the first and eighth ranks are ignored.
    #[inline]
    pub const fn from_rooks(rooks: Bitboard) -> Self {
        Self(Bitboard(rooks.0 & (Rank::First.bitboard().0 | Rank::Eighth.bitboard().0)))
    }

    /// The rooks of both sides that may still castle.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The rooks of `color` that may still castle.
    #[inline]
    pub const fn rooks_of(self, color: Color) -> Bitboard {
        Bitboard(self.0.0 & color.relative_rank(Rank::First).bitboard().0)
    }

    /// Whether neither side may castle.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Adds the right of the rook on `square`. Ignored outside the first and eighth ranks.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        *self = Self::from_rooks(Bitboard(self.0.0 | square.bitboard().0));
    }

    /// Removes the rights of the rooks on `squares`.
    #[inline]
    #[must_use]
    pub const fn without(self, squares: Bitboard) -> Self {
        Self(Bitboard(self.0.0 & !squares.0))
    }

    /// Removes the rights of `color`.
    #[inline]
    #[must_use]
    pub const fn without_color(self, color: Color) -> Self {
        self.without(color.relative_rank(Rank::First).bitboard())
    }

    /// The rights that standard chess does not have: of a king that is not on e1 or e8, and of rooks that are not on
    /// the a- or h-file.
    #[inline]
    #[must_use]
    pub const fn nonstandard(self, white_king: Bitboard, black_king: Bitboard) -> Self {
        let at_home = white_king.0 & Square::E1.bitboard().0 | black_king.0 & Square::E8.bitboard().0;
        // From the e-file to the a- and the h-file.
        self.without(Bitboard(at_home >> 4 | at_home << 3))
    }

    /// The rook with which `color` may castle on `side`, for a king on `king`.
    #[inline]
    pub const fn rook(self, color: Color, side: CastlingSide, king: Square) -> Option<Square> {
        let rooks = self.rooks_of(color).0;
        let beyond = match side {
            CastlingSide::King => !0 << king.index(),
            CastlingSide::Queen => !(!0 << king.index()),
        };
        Bitboard(rooks & beyond).first()
    }

    /// Mirrors the rights top to bottom, which swaps the colours.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(self.0.flip_ranks())
    }
}

/// As in FEN: `KQkq`, or `-` without rights. `K` and `Q` stand for the rooks on the h- and a-file; another rook is
/// named by the letter of its file, as in Shredder-FEN.
///
/// ```
/// use bartizan_types::{CastlingRights, Square};
///
/// let mut rights = CastlingRights::STANDARD.without(Square::A8.bitboard());
/// assert_eq!(rights.to_string(), "KQk");
/// rights.insert(Square::F8);
/// assert_eq!(rights.to_string(), "KQkf");
/// assert_eq!("KQkf".parse(), Ok(rights));
/// ```
impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_char('-');
        }
        for color in Color::ALL {
            // The king's side first.
            for file in File::ALL.into_iter().rev() {
                if !self.rooks_of(color).intersects(file.bitboard()) {
                    continue;
                }
                let letter = match file {
                    File::H => 'k',
                    File::A => 'q',
                    _ => file.to_char(),
                };
                f.write_char(if color.is_white() { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        Ok(())
    }
}

/// As they are displayed, in any order, each at most once. The letters of the a- and h-file stand for their rooks as
/// well.
impl FromStr for CastlingRights {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, ParseError> {
        let mut rights = Self::NONE;
        if s == "-" {
            return Ok(rights);
        }
        if s.is_empty() {
            return Err(ParseError::CastlingRights);
        }
        for letter in s.bytes() {
            let file = match letter.to_ascii_lowercase() {
                b'k' => b'h',
                b'q' => b'a',
                file => file,
            };
            let rank = if letter.is_ascii_uppercase() { b'1' } else { b'8' };
            let rook = Square::from_ascii(file, rank).ok_or(ParseError::CastlingRights)?;
            if rights.rooks().contains(rook) {
                return Err(ParseError::CastlingRights);
            }
            rights.insert(rook);
        }
        Ok(rights)
    }
}
