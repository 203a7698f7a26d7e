//! The remaining depth of a search and the distance from its root.

use crate::operators::operators;
use core::fmt;

macro_rules! counter {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
        #[repr(transparent)]
        pub struct $name(
            /// The number of plies.
            pub i32,
        );

        impl $name {
            /// Zero plies.
            pub const ZERO: Self = Self(0);
            /// One ply.
            pub const ONE: Self = Self(1);
            /// The greatest depth of a search.
            pub const MAX: Self = Self(127);
        }

        operators! { $name, |a, b|
            Add::add + AddAssign::add_assign (i32) a.0 + b;
            Sub::sub + SubAssign::sub_assign (i32) a.0 - b;
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

counter! {
    /// The remaining depth of a search in plies. At 0 and below, the quiescence search takes over.
    Depth
}
counter! {
    /// The distance from the root of the search in plies.
    Ply
}

impl Ply {
    /// Converts to an array index; negative plies become 0.
    #[inline]
    pub const fn index(self) -> usize {
        if self.0 < 0 { 0 } else { self.0 as usize }
    }
}
