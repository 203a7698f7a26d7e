//! Hash keys of positions.

use crate::ParseError;
use crate::operators::operators;
use core::fmt;
use core::str::FromStr;

/// A 64-bit Zobrist key (Zobrist 1970).
///
/// With the feature `serde`, it is serialised as a [`Bitboard`](crate::Bitboard) is.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Key(
    /// The bits.
    pub u64,
);

operators! { Key, |a, b|
    BitXor::bitxor + BitXorAssign::bitxor_assign (Self) a.0 ^ b.0;
}

/// Sixteen upper-case hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// Sixteen hexadecimal digits in either case, with or without `0x` in front of them.
///
/// ```
/// use bartizan_types::Key;
///
/// let key = Key(0x463b_9618_1691_fc9c);
/// assert_eq!(key.to_string().parse(), Ok(key));
/// assert_eq!("0x463b96181691fc9c".parse(), Ok(key));
/// ```
impl FromStr for Key {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        // The standard parser takes a sign as well.
        let is_key = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(digits, 16).ok().filter(|_| is_key).map(Self).ok_or(ParseError::Key)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}
