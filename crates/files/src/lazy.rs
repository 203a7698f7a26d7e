//! Lazily read values.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A value, such as the header of a file, that the first thread that needs it reads and all threads share from then on.
///
/// ```
/// let header = bartizan_files::Lazy::<u8, &str>::default();
/// assert_eq!(header.get(|| Err("too many open files"), |_| true), Err("too many open files"));
/// assert_eq!(header.get(|| Ok(7), |_| true), Ok(&7));
/// ```
#[derive(Debug)]
pub struct Lazy<T, E> {
    /// The value, or its permanent error.
    value: OnceLock<Result<T, E>>,
    reading: Mutex<()>,
}

impl<T, E> Default for Lazy<T, E> {
    fn default() -> Self {
        Self { value: OnceLock::new(), reading: Mutex::new(()) }
    }
}

impl<T, E: Clone> Lazy<T, E> {
    /// Returns the value, reading it if necessary. An error that `is_temporary` is not kept: the next call reads again.
    ///
    /// # Errors
    /// The error of `read`, from this call or an earlier one.
    pub fn get(&self, read: impl FnOnce() -> Result<T, E>, is_temporary: impl FnOnce(&E) -> bool) -> Result<&T, E> {
        if let Some(value) = self.value.get() {
            return value.as_ref().map_err(Clone::clone);
        }
        // Another thread may have read the value in the meantime.
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.value.get() {
            return value.as_ref().map_err(Clone::clone);
        }
        match read() {
            Err(error) if is_temporary(&error) => Err(error),
            value => self.value.get_or_init(|| value).as_ref().map_err(Clone::clone),
        }
    }

    /// Whether reading the value has failed permanently.
    pub fn has_failed(&self) -> bool {
        self.value.get().is_some_and(Result::is_err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_permanent_errors_are_read_once() {
        let get = |lazy: &Lazy<u8, u8>, read: Result<u8, u8>| lazy.get(|| read, |&error| error == 1).copied();
        let lazy = Lazy::default();
        assert_eq!((get(&lazy, Err(1)), lazy.has_failed()), (Err(1), false));
        assert_eq!((get(&lazy, Ok(7)), get(&lazy, Err(2))), (Ok(7), Ok(7)));
        let lazy = Lazy::default();
        assert_eq!((get(&lazy, Err(2)), get(&lazy, Ok(7)), lazy.has_failed()), (Err(2), Err(2), true));
    }
}
