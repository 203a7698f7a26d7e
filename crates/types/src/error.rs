//! What a word from outside can do wrong.

/// A word that is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum ParseError {
    /// Not a file `a` to `h`.
    #[error("not a file (a to h)")]
    File,
    /// Not a rank `1` to `8`.
    #[error("not a rank (1 to 8)")]
    Rank,
    /// Not a square `a1` to `h8`.
    #[error("not a square (a1 to h8)")]
    Square,
    /// Not a colour `w` or `b`.
    #[error("not a colour (w or b)")]
    Color,
    /// Not a piece letter of `PNBRQK`.
    #[error("not a piece letter (PNBRQK, small for black)")]
    Piece,
    /// Not a move in coordinate notation, such as `e2e4` or `e7e8q`.
    #[error("not a move in coordinate notation (such as e2e4 or e7e8q)")]
    Move,
}
