//! Whole numbers as clients and engines write them.

use std::str::FromStr;

/// A whole number of any size. A fraction is truncated, since some programs compute times and speeds in floating point
/// and print them so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(i128);

/// The word is not a number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotANumber;

impl FromStr for Number {
    type Err = NotANumber;

    /// Parses `[+-]digits[.digits]`. Exponents are rejected: reading `1.5e6` as 1 would be worse than an error.
    fn from_str(word: &str) -> Result<Self, NotANumber> {
        let (negative, digits) = match word.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, word.strip_prefix('+').unwrap_or(word)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return Err(NotANumber);
        }
        let magnitude = whole
            .bytes()
            .fold(0_i128, |number, digit| number.saturating_mul(10).saturating_add(i128::from(digit - b'0')));
        Ok(Self(if negative { -magnitude } else { magnitude }))
    }
}

impl Number {
    pub(crate) fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The nearest number in the range of the type.
    pub(crate) fn saturate<T: Limits>(self) -> T {
        T::try_from(self.0).unwrap_or(if self.is_negative() { T::LEAST } else { T::GREATEST })
    }
}

/// The range of an integer type.
pub(crate) trait Limits: TryFrom<i128> {
    const LEAST: Self;
    const GREATEST: Self;
}

macro_rules! limits {
    ($($int:ty)*) => { $(impl Limits for $int {
        const LEAST: Self = Self::MIN;
        const GREATEST: Self = Self::MAX;
    })* };
}

limits!(u16 u32 u64 i32 i64);

#[cfg(test)]
mod tests {
    use super::*;

    fn number<T: Limits>(word: &str) -> Option<T> {
        word.parse().ok().map(Number::saturate)
    }

    #[test]
    fn numbers() {
        assert_eq!(number("0"), Some(0_u32));
        assert_eq!(number("+12"), Some(12_u32));
        assert_eq!(number("-12"), Some(-12_i32));
        assert_eq!(number("1999.99"), Some(1999_u64));
        assert_eq!(number("-0.9"), Some(0_i64));
        assert_eq!(number("7."), Some(7_u16));
        for word in ["", "-", "+", "+-1", ".5", "1.5e6", "1e3", "0x10", "nan", "inf", "1.2.3", "1,5", "٣", "1-"] {
            assert_eq!(number::<i64>(word), None, "{word}");
        }
    }

    #[test]
    fn out_of_range_saturates() {
        assert_eq!(number("-1"), Some(0_u32));
        assert_eq!(number("70000"), Some(u16::MAX));
        assert_eq!(number(&"9".repeat(1000)), Some(u64::MAX));
        assert_eq!(number(&format!("-{}", "9".repeat(1000))), Some(i64::MIN));
        assert_eq!(number("-9223372036854775808"), Some(i64::MIN));
    }
}
