//! Reading lines of text.

use crate::text::decode;
use std::io::{self, BufRead, Read};

/// Rejects UTF-16 files, which some editors write, by their byte order mark.
pub(crate) fn refuse_utf16(start: &[u8]) -> io::Result<()> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "the text is UTF-16, not UTF-8"))
        }
        _ => Ok(()),
    }
}

/// The result of [`LineReader::next_line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line is in the buffer.
    Read,
    /// A line exceeded the limit and was skipped.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads lines of limited length into a reused buffer.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    reader: R,
    bytes: Vec<u8>,
    /// The current line without its line end.
    pub(crate) text: String,
    /// The number of the current line, from 1; 0 before the first line.
    pub(crate) number: usize,
}

impl<R: BufRead> LineReader<R> {
    /// The greatest length of a line in bytes. Some programs write a whole game with comments in one line.
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
        if self.number == 1 {
            refuse_utf16(&self.bytes)?;
        }
        if self.bytes.len() == Self::LIMIT && self.bytes.last() != Some(&b'\n') {
            self.skip_rest()?;
            return Ok(Line::TooLong);
        }
        let mut line = self.bytes.as_slice();
        if self.number == 1 {
            // Some editors write a byte order mark before UTF-8.
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
    fn line_ends_and_byte_order_mark_are_removed() {
        let mut lines = LineReader::new(&b"\xef\xbb\xbfa\r\n\nb"[..]);
        let mut all = Vec::new();
        while lines.next_line().unwrap() == Line::Read {
            all.push((lines.number, lines.text.clone()));
        }
        assert_eq!(all, [(1, "a".into()), (2, String::new()), (3, "b".into())]);
    }

    #[test]
    fn a_long_line_is_skipped() {
        let mut input = vec![b'x'; 3 * LineReader::<&[u8]>::LIMIT];
        input.extend_from_slice(b"\nnext");
        let mut lines = LineReader::new(input.as_slice());
        assert_eq!(lines.next_line().unwrap(), Line::TooLong);
        assert_eq!(lines.next_line().unwrap(), Line::Read);
        assert_eq!((lines.number, lines.text.as_str()), (2, "next"));
        assert_eq!(lines.next_line().unwrap(), Line::End);
    }
}
