//! How far a search still goes, and how far it has come.

use core::fmt;
use core::ops::{Add, AddAssign, Sub, SubAssign};

macro_rules! counter {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
        #[repr(transparent)]
        pub struct $name(
            /// Plies.
            pub i32,
        );

        impl $name {
            /// No ply.
            pub const ZERO: Self = Self(0);
            /// One ply.
            pub const ONE: Self = Self(1);
            /// The most plies that a search goes down.
            pub const MAX: Self = Self(127);
        }

        impl Add<i32> for $name {
            type Output = Self;
            #[inline]
            fn add(self, plies: i32) -> Self {
                Self(self.0 + plies)
            }
        }

        impl Sub<i32> for $name {
            type Output = Self;
            #[inline]
            fn sub(self, plies: i32) -> Self {
                Self(self.0 - plies)
            }
        }

        impl AddAssign<i32> for $name {
            #[inline]
            fn add_assign(&mut self, plies: i32) {
                *self = *self + plies;
            }
        }

        impl SubAssign<i32> for $name {
            #[inline]
            fn sub_assign(&mut self, plies: i32) {
                *self = *self - plies;
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

counter! {
    /// Plies that a search still has to go; 0 or less is quiescence.
    Depth
}
counter! {
    /// Plies played since the root of the search.
    Ply
}

impl Ply {
    /// As an array index; a negative ply counts as 0.
    #[inline]
    pub const fn index(self) -> usize {
        if self.0 < 0 { 0 } else { self.0 as usize }
    }
}
