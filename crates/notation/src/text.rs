//! Lines of bytes, made text.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// A text's first `LIMIT` characters, for messages that must stay short.
pub(crate) fn excerpt(text: &str) -> String {
    const LIMIT: usize = 20;
    text.chars().take(LIMIT).collect()
}

/// White space, and the control characters that old files contain, such as the one that ended a text in MS-DOS.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// UTF-8 where it is, else Latin-1, in which the older game collections are written; every byte is a character there.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// What [`LineReader::next_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line, now in the buffer.
    Read,
    /// A line above the limit. It was passed over.
    TooLong,
    /// Nothing: the input has ended.
    End,
}

/// Reads lines into one buffer, and never more than a limit.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    reader: R,
    bytes: Vec<u8>,
    /// The line, without its end.
    pub(crate) text: String,
    /// Its number, from 1; 0 before the first.
    pub(crate) number: usize,
}

impl<R: BufRead> LineReader<R> {
    /// Bytes in a line. Some programs write a whole game, comments and all, in one line.
    pub(crate) const LIMIT: usize = 1 << 20;

    pub(crate) fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), text: String::new(), number: 0 }
    }

    pub(crate) fn next_line(&mut self) -> io::Result<Line> {
        self.text.clear();
        self.bytes.clear();
        (&mut self.reader).take(Self::LIMIT as u64).read_until(b'\n', &mut self.bytes)?;
        if self.bytes.is_empty() {
            return Ok(Line::End);
        }
        self.number += 1;
        if self.bytes.len() == Self::LIMIT && self.bytes.last() != Some(&b'\n') {
            self.skip_rest()?;
            return Ok(Line::TooLong);
        }
        let mut line = self.bytes.as_slice();
        if self.number == 1 {
            // The byte order mark that some editors put before UTF-8.
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        line = line.strip_suffix(b"\n").unwrap_or(line);
        line = line.strip_suffix(b"\r").unwrap_or(line);
        self.text.push_str(&decode(line));
        Ok(Line::Read)
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        loop {
            self.bytes.clear();
            (&mut self.reader).take(Self::LIMIT as u64).read_until(b'\n', &mut self.bytes)?;
            if self.bytes.is_empty() || self.bytes.last() == Some(&b'\n') {
                self.bytes.clear();
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_latin_1() {
        assert_eq!(decode("Réti".as_bytes()), "Réti");
        assert_eq!(decode(b"R\xe9ti"), "Réti");
    }

    #[test]
    fn ends_and_byte_order_mark_are_taken_off() {
        let mut lines = LineReader::new(&b"\xef\xbb\xbfa\r\n\nb"[..]);
        let mut all = Vec::new();
        while lines.next_line().unwrap() == Line::Read {
            all.push((lines.number, lines.text.clone()));
        }
        assert_eq!(all, [(1, "a".into()), (2, String::new()), (3, "b".into())]);
    }

    #[test]
    fn a_long_line_is_passed_over() {
        let mut input = vec![b'x'; 3 * LineReader::<&[u8]>::LIMIT];
        input.extend_from_slice(b"\nnext");
        let mut lines = LineReader::new(input.as_slice());
        assert_eq!(lines.next_line().unwrap(), Line::TooLong);
        assert_eq!(lines.next_line().unwrap(), Line::Read);
        assert_eq!((lines.number, lines.text.as_str()), (2, "next"));
        assert_eq!(lines.next_line().unwrap(), Line::End);
    }
}
