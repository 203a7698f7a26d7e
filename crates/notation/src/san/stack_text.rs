//! Short texts without memory of the heap.

use core::fmt;

/// A text of at most `N` bytes. It is ordered by its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StackText<const N: usize> {
    bytes: [u8; N],
    len: u8,
}

impl<const N: usize> StackText<N> {
    pub(super) const EMPTY: Self = Self { bytes: [0; N], len: 0 };

    pub(super) fn as_str(&self) -> &str {
        // The buffer consists of whole `str`s.
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

/// Fails if the text becomes too long.
impl<const N: usize> fmt::Write for StackText<N> {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        let start = usize::from(self.len);
        let end = start + s.len();
        self.bytes.get_mut(start..end).ok_or(fmt::Error)?.copy_from_slice(s.as_bytes());
        self.len = end as u8;
        Ok(())
    }
}

/// Implements the traits of a text for a type that wraps a [`StackText`].
macro_rules! impl_text {
    ($name:ident) => {
        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}({})", stringify!($name), self.as_str())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }
    };
}

pub(super) use impl_text;
