//! Operators on types that wrap one number or one array.

/// Implements binary operators on the wrapped numbers, and after `+` the assignment operators.
macro_rules! operators {
    ($type:ident, |$a:ident, $b:ident|
     $($op:ident::$method:ident $(+ $assign:ident::$assign_method:ident)? ($other:ty) $value:expr;)+) => {$(
        impl core::ops::$op<$other> for $type {
            type Output = Self;
            #[inline]
            fn $method(self, other: $other) -> Self {
                let ($a, $b) = (self, other);
                Self($value)
            }
        }

        $(impl core::ops::$assign<$other> for $type {
            #[inline]
            fn $assign_method(&mut self, other: $other) {
                *self = core::ops::$op::$method(*self, other);
            }
        })?
    )+};
}

/// Implements indexing of a wrapped array by a type with a method `index`.
macro_rules! indexed_by {
    ($type:ident, $index:ident) => {
        impl<T> core::ops::Index<$index> for $type<T> {
            type Output = T;
            #[inline]
            fn index(&self, index: $index) -> &T {
                &self.0[index.index()]
            }
        }

        impl<T> core::ops::IndexMut<$index> for $type<T> {
            #[inline]
            fn index_mut(&mut self, index: $index) -> &mut T {
                &mut self.0[index.index()]
            }
        }
    };
}

pub(crate) use {indexed_by, operators};
