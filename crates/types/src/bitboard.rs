//! Sets of squares.

use crate::operators::operators;
use crate::{Direction, File, ParseError, Rank, Square};
use core::fmt;
use core::iter::FusedIterator;
use core::ops::Not;
use core::str::FromStr;

/// A set of squares: bit `n` stands for the square of index `n`.
///
/// `&`, `|`, `^` and `!` are the set operations; `a - b` is the difference: the squares of `a` that are not in `b`.
///
/// With the feature `serde`, a set is serialised in JSON and other text as `0x` and 16 hexadecimal digits, which
/// JavaScript's `BigInt` can parse. A number is accepted as well.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bitboard(
    /// The bits, a1 the lowest.
    pub u64,
);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// The light squares, such as h1.
    pub const LIGHT: Self = Self(0x55aa_55aa_55aa_55aa);
    /// The dark squares, such as a1.
    pub const DARK: Self = Self(0xaa55_aa55_aa55_aa55);
    /// The edge of the board: files a and h, ranks 1 and 8.
    pub const EDGE: Self = Self(0xff81_8181_8181_81ff);

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set is not empty.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has two or more squares; cheaper than [`Self::count`].
    #[inline]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Adds a square.
    ///
    /// ```
    /// use bartizan_types::{Bitboard, Square};
    ///
    /// let mut set = Bitboard::EMPTY;
    /// set.insert(Square::E4);
    /// set.toggle(Square::D5);
    /// set.remove(Square::E4);
    /// assert_eq!(set, Square::D5.bitboard());
    /// ```
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= square.bitboard().0;
    }

    /// Removes a square.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !square.bitboard().0;
    }

    /// Adds a square that is not in the set, and removes one that is.
    #[inline]
    pub const fn toggle(&mut self, square: Square) {
        self.0 ^= square.bitboard().0;
    }

    /// Whether the two sets have a square in common.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in `other`.
    #[inline]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether all squares are light or all are dark, as in the empty set.
    #[inline]
    pub const fn is_one_shade(self) -> bool {
        self.is_subset_of(Self::LIGHT) || self.is_subset_of(Self::DARK)
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The square with the highest index.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(63 - self.0.leading_zeros() as usize)) }
    }

    /// Removes and returns the square with the lowest index.
    #[inline]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// Moves every square one step; squares that would leave the board are dropped.
    #[inline]
    pub const fn shift(self, direction: Direction) -> Self {
        const NOT_A: u64 = !File::A.bitboard().0;
        const NOT_H: u64 = !File::H.bitboard().0;
        Self(match direction {
            Direction::North => self.0 << 8,
            Direction::NorthEast => self.0 << 9 & NOT_A,
            Direction::East => self.0 << 1 & NOT_A,
            Direction::SouthEast => self.0 >> 7 & NOT_A,
            Direction::South => self.0 >> 8,
            Direction::SouthWest => self.0 >> 9 & NOT_H,
            Direction::West => self.0 >> 1 & NOT_H,
            Direction::NorthWest => self.0 << 7 & NOT_H,
        })
    }

    /// Mirrors the set top to bottom: a1 ↔ a8.
    #[inline]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// Mirrors the set left to right: a1 ↔ h1.
    #[inline]
    pub const fn flip_files(self) -> Self {
        Self(self.0.reverse_bits().swap_bytes())
    }

    /// Iterates over all subsets, the empty one first (Marcel van Kervinck's "carry-rippler").
    #[inline]
    pub const fn subsets(self) -> Subsets {
        Subsets { set: self.0, next: Some(0) }
    }
}

operators! { Bitboard, |a, b|
    BitAnd::bitand + BitAndAssign::bitand_assign (Self) a.0 & b.0;
    BitOr::bitor + BitOrAssign::bitor_assign (Self) a.0 | b.0;
    BitXor::bitxor + BitXorAssign::bitxor_assign (Self) a.0 ^ b.0;
    Sub::sub + SubAssign::sub_assign (Self) a.0 & !b.0;
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.bitboard())
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= squares.into_iter().collect::<Self>();
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterator over the squares of a set, lowest index first; from the back, highest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count() as usize;
        (n, Some(n))
    }
}

impl DoubleEndedIterator for Squares {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let last = self.0.last()?;
        self.0.remove(last);
        Some(last)
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

/// Iterator over the subsets of a set; see [`Bitboard::subsets`].
#[derive(Clone, Debug)]
pub struct Subsets {
    set: u64,
    next: Option<u64>,
}

impl Iterator for Subsets {
    type Item = Bitboard;
    fn next(&mut self) -> Option<Bitboard> {
        let now = self.next?;
        let after = now.wrapping_sub(self.set) & self.set;
        self.next = (after != 0).then_some(after);
        Some(Bitboard(now))
    }
}

/// Draws the board in eight lines, rank 8 first: `X` marks a square of the set, `.` any other.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) { 'X' } else { '.' };
                write!(f, "{}{mark}", if file == File::A { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Reads the bits, as 16 hexadecimal digits or as up to 16 after `0x`, or a drawing as [`Display`](fmt::Display) writes
/// it: 64 marks, between which blanks do not matter.
///
/// ```
/// use bartizan_types::{Bitboard, ParseError, Rank};
///
/// assert_eq!("0xff00".parse(), Ok(Rank::Second.bitboard()));
/// assert_eq!(Rank::Second.bitboard().to_string().parse(), Ok(Rank::Second.bitboard()));
/// assert_eq!("e4".parse::<Bitboard>(), Err(ParseError::Bitboard));
/// ```
impl FromStr for Bitboard {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        bits(text).map(Self).or_else(|| drawn(text)).ok_or(ParseError::Bitboard)
    }
}

/// The bits of a text of hexadecimal digits.
fn bits(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let is_long_enough = digits.len() == 16 || digits.len() < text.len();
    // `from_str_radix` also accepts a sign.
    let is_valid = is_long_enough && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_valid { u64::from_str_radix(digits, 16).ok() } else { None }
}

/// The set that a text draws.
fn drawn(text: &str) -> Option<Bitboard> {
    let mut marks = text.chars().filter(|mark| !mark.is_whitespace());
    let mut set = Bitboard::EMPTY;
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            match marks.next()? {
                'X' => set.insert(Square::new(file, rank)),
                '.' => {}
                _ => return None,
            }
        }
    }
    marks.next().is_none().then_some(set)
}

/// The bits: `{:#018x}` gives `0x` and sixteen digits.
impl fmt::LowerHex for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

/// The bits: `{:016X}` gives sixteen digits.
impl fmt::UpperHex for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::UpperHex::fmt(&self.0, f)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({self:#018x})")
    }
}
