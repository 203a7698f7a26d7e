//! Chess and Chess960.

use crate::ParseError;
use core::fmt;
use core::str::FromStr;

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

    /// The name, as in PGN: `Standard` or `Chess960`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "Standard",
            Self::Chess960 => "Chess960",
        }
    }
}

/// As in PGN: `Standard` or `Chess960`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// `Standard` or `Chess960`, in any case.
///
/// ```
/// use bartizan_types::Variant;
///
/// assert_eq!("chess960".parse(), Ok(Variant::Chess960));
/// ```
impl FromStr for Variant {
    type Err = ParseError;
    fn from_str(s: &str) -> Result<Self, ParseError> {
        let is_meant = |variant: &Self| s.eq_ignore_ascii_case(variant.as_str());
        [Self::Standard, Self::Chess960].into_iter().find(is_meant).ok_or(ParseError::Variant)
    }
}
