//! Chess and Chess960.

use core::fmt;

/// The variants of chess that differ in castling.
///
/// The variant decides how coordinate notation writes castling. UCI clients choose it by the option `UCI_Chess960`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Variant {
    /// Chess. Castling is written as the king's move: `e1g1`.
    #[default]
    Standard,
    /// Chess960 (Fischer random chess). Castling is written as the king capturing its own rook: `e1h1`.
    Chess960,
}

impl Variant {
    /// [`Self::Chess960`] if `chess960` is set, else [`Self::Standard`].
    #[inline]
    pub const fn from_chess960(chess960: bool) -> Self {
        if chess960 { Self::Chess960 } else { Self::Standard }
    }
}

/// As in PGN: `Standard` or `Chess960`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Standard => "Standard",
            Self::Chess960 => "Chess960",
        })
    }
}
