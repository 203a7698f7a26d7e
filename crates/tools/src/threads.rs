//! Parses numbers of threads and of concurrent games.

use std::num::NonZeroUsize;

/// The greatest number.
const MOST: usize = 1_024;

/// Parses a number of threads; `auto` means one per core.
pub(crate) fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    if text == "auto" {
        return Ok(bartizan_parallel::cores());
    }
    parse(text).ok_or_else(|| format!("must be from 1 to {MOST}, or 'auto'"))
}

/// Parses a number of concurrent games.
pub(crate) fn parse_concurrency(text: &str) -> Result<usize, String> {
    parse(text).map(NonZeroUsize::get).ok_or_else(|| format!("must be from 1 to {MOST}"))
}

fn parse(text: &str) -> Option<NonZeroUsize> {
    text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_range() {
        assert_eq!(parse_threads("auto"), Ok(bartizan_parallel::cores()));
        assert_eq!(parse_threads("1024").map(NonZeroUsize::get), Ok(1_024));
        assert_eq!(parse_concurrency("1"), Ok(1));
        for text in ["0", "-1", "1025", "x", "", "1.5", "99999999999999999999"] {
            assert_eq!(parse_threads(text).unwrap_err(), "must be from 1 to 1024, or 'auto'", "{text}");
            assert_eq!(parse_concurrency(text).unwrap_err(), "must be from 1 to 1024", "{text}");
        }
    }
}
