//! Enumerations of named switches, and sets of them: the steps of the search and the rules of the clock.

/// Defines an enumeration of up to 64 switches, and the type of a set of them.
macro_rules! switches {
    (
        $(#[$switch_meta:meta])*
        enum $switch:ident { $($(#[$meta:meta])* $name:ident,)* }

        $(#[$set_meta:meta])*
        set $set:ident;
    ) => {
        $(#[$switch_meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $switch { $($(#[$meta])* $name,)* }

        impl $switch {
            /// Every switch, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of the switch, which is also that of its option in a tuning build.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }
        }

        $(#[$set_meta])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $set(u64);

        impl $set {
            /// The empty set.
            pub const NONE: Self = Self(0);

            /// The set of all switches.
            pub const ALL: Self = Self(u64::MAX >> (64 - $switch::ALL.len()));

            /// Whether the set contains a switch.
            #[inline]
            pub const fn has(self, switch: $switch) -> bool {
                self.0 >> switch as u32 & 1 != 0
            }

            /// The set with a switch added.
            #[must_use]
            pub const fn with(self, switch: $switch) -> Self {
                Self(self.0 | 1 << switch as u32)
            }

            /// The set with a switch removed.
            #[must_use]
            pub const fn without(self, switch: $switch) -> Self {
                Self(self.0 & !(1 << switch as u32))
            }
        }

        impl std::fmt::Debug for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries($switch::ALL.iter().filter(|&&switch| self.has(switch))).finish()
            }
        }
    };
}

pub(crate) use switches;
