//! Lists of text records: one record a line, blank lines and `#` comments skipped.
//!
//! Test suites, opening lists and parameter files all have this form. A reader that rejects a record names its line, so
//! the records come with their line numbers.
//!
//! ```
//! use bartizan_notation::list;
//!
//! let text = "# Material\nqueen 900\n\n  rook 500  \n";
//! assert_eq!(list::records(text).collect::<Vec<_>>(), [(2, "queen 900"), (4, "rook 500")]);
//! ```

use std::borrow::Cow;

/// The records of a text, trimmed, each with its line number, which counts from 1.
pub fn records(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, record(line)?)))
}

/// The record on a line, trimmed; `None` for a blank line and for a comment, which begins with `#`.
pub fn record(line: &str) -> Option<&str> {
    let line = line.trim();
    (!line.is_empty() && !line.starts_with('#')).then_some(line)
}

/// Decodes the bytes of a text file: as UTF-8 if they are valid UTF-8, otherwise as Windows-1252.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    crate::text::decode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_are_skipped_but_counted() {
        let text = "\u{feff}a # b\r\n\r\n # comment\n\t\n#\nc";
        assert_eq!(records(text).collect::<Vec<_>>(), [(1, "a # b"), (6, "c")]);
        assert_eq!(records("").count(), 0);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_latin_1() {
        assert_eq!(decode(b"R\xe9ti"), "Réti");
    }
}
