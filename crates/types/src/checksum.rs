//! A checksum of numbers.

use core::fmt;

/// A hash of a sequence of 64-bit words: FNV-1a on words instead of bytes, with a rotation so that high bits affect low
/// ones. It detects accidental changes, not tampering. It is displayed in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Adds a word.
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }

    /// The hash of the words so far.
    pub fn value(&self) -> u64 {
        self.0
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
