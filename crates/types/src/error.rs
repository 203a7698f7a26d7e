//! Errors of `FromStr` in this crate.

/// The error of parsing one of this crate's types. It names what was expected; the caller knows the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ParseError {
    /// Not a file `a` to `h`.
    #[error("invalid file: expected a to h")]
    File,
    /// Not a rank `1` to `8`.
    #[error("invalid rank: expected 1 to 8")]
    Rank,
    /// Not a square `a1` to `h8`.
    #[error("invalid square: expected a1 to h8")]
    Square,
    /// Not a colour `w` or `b`.
    #[error("invalid colour: expected w or b")]
    Color,
    /// Not a piece letter of `PNBRQK`.
    #[error("invalid piece: expected a letter of PNBRQKpnbrqk")]
    Piece,
    /// Not a variant that [`Variant`](crate::Variant) knows.
    #[error("invalid variant: expected Standard or Chess960")]
    Variant,
    /// Not castling rights such as `KQkq`, `Kq` or `-`.
    #[error("invalid castling rights: expected letters of KQkq, letters of files, or -")]
    CastlingRights,
    /// Not a key.
    #[error("invalid key: expected 16 hexadecimal digits")]
    Key,
    /// Not a move in coordinate notation, such as `e2e4` or `e7e8q`.
    #[error("invalid move: expected coordinate notation such as e2e4 or e7e8q")]
    Move,
    /// Not the result of a game: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[error("invalid result: expected 1-0, 0-1, 1/2-1/2 or *")]
    GameResult,
}
