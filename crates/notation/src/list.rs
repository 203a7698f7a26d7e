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
use std::io::{self, BufRead, BufReader, Read};

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

/// Decodes the bytes of a whole file as [`decode`] does.
///
/// # Errors
/// If the file is UTF-16, by its byte order mark.
pub fn decode_file(bytes: &[u8]) -> io::Result<Cow<'_, str>> {
    refuse_utf16(bytes)?;
    Ok(decode(bytes))
}

/// Rejects the text of a file that is UTF-16, by its byte order mark: some editors and shells write it.
///
/// # Errors
/// If the text begins with the byte order mark of UTF-16.
pub fn refuse_utf16(start: &[u8]) -> io::Result<()> {
    crate::lines::refuse_utf16(start)
}

/// The maximum length of a line with a position, in bytes without its end. Real ones have a few hundred.
const LONGEST_LINE: usize = 1 << 16;

/// Reads an input of lines with positions to its end.
///
/// # Errors
/// If the input cannot be read, if a line is longer than 65,536 bytes, or if the input is UTF-16; the error names the
/// line.
pub fn read_lines(input: impl Read) -> io::Result<Vec<u8>> {
    let mut input = BufReader::new(input);
    let (mut text, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        let mut read = read_line(&mut input, &mut line);
        if number == 1 {
            read = read.and_then(|is_read| refuse_utf16(&line).map(|()| is_read));
        }
        if !read.map_err(|error| io::Error::new(error.kind(), format!("line {number}: {error}")))? {
            break;
        }
        text.extend_from_slice(&line);
    }
    Ok(text)
}

/// Reads a line with its end; `false` at the end of the input.
///
/// # Errors
/// If the input cannot be read, or if the line is longer than 65,536 bytes.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.take(LONGEST_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.len() > LONGEST_LINE && line.last() != Some(&b'\n') {
        let error = format!("it is longer than {LONGEST_LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    Ok(!line.is_empty())
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

    #[test]
    fn utf_16_is_named() {
        let error = "the text is UTF-16, not UTF-8";
        for wide in [b"\xff\xfe8\0/\0", b"\xfe\xff\08\0/"] {
            assert_eq!(decode_file(wide).unwrap_err().to_string(), error);
            assert_eq!(read_lines(wide.as_slice()).unwrap_err().to_string(), format!("line 1: {error}"));
        }
        assert_eq!(decode_file(b"\xef\xbb\xbfR\xc3\xa9ti").unwrap(), "\u{feff}Réti");
    }

    #[test]
    fn lines_up_to_the_limit_are_read() {
        let mut text = vec![b'x'; LONGEST_LINE];
        text.extend_from_slice(b"\nb\n\nc");
        assert_eq!(read_lines(text.as_slice()).unwrap(), text);
        text.insert(0, b'x');
        assert_eq!(read_lines(text.as_slice()).unwrap_err().to_string(), "line 1: it is longer than 65536 bytes");
        let endless = b"a\n".chain(io::repeat(b'x'));
        assert_eq!(read_lines(endless).unwrap_err().to_string(), "line 2: it is longer than 65536 bytes");
    }
}
