//! Errors of `FromStr` in this crate.

use core::fmt;

/// The error of parsing one of this crate's types. It names what was expected; the caller knows the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ParseError {
    /// Not a file `a` to `h`.
    File,
    /// Not a rank `1` to `8`.
    Rank,
    /// Not a square `a1` to `h8`.
    Square,
    /// Not a colour `w` or `b`.
    Color,
    /// Not a piece letter of `PNBRQK`.
    Piece,
    /// Not a variant that [`Variant`](crate::Variant) knows.
    Variant,
    /// Not castling rights such as `KQkq`, `Kq` or `-`.
    CastlingRights,
    /// Not a set of squares: neither hexadecimal digits nor a drawing.
    Bitboard,
    /// Not a key.
    Key,
    /// Not a move in coordinate notation, such as `e2e4` or `e7e8q`.
    Move,
    /// Not the result of a game: `1-0`, `0-1`, `1/2-1/2` or `*`.
    GameResult,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "invalid file: expected a to h",
            Self::Rank => "invalid rank: expected 1 to 8",
            Self::Square => "invalid square: expected a1 to h8",
            Self::Color => "invalid colour: expected w or b",
            Self::Piece => "invalid piece: expected a letter of PNBRQKpnbrqk",
            Self::Variant => "invalid variant: expected Standard or Chess960",
            Self::CastlingRights => "invalid castling rights: expected letters of KQkq, letters of files, or -",
            Self::Bitboard => "invalid set of squares: expected 16 hexadecimal digits, or 64 marks X or .",
            Self::Key => "invalid key: expected 16 hexadecimal digits",
            Self::Move => "invalid move: expected coordinate notation such as e2e4 or e7e8q",
            Self::GameResult => "invalid result: expected 1-0, 0-1, 1/2-1/2 or *",
        })
    }
}

impl core::error::Error for ParseError {}
