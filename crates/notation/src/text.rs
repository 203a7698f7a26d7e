//! Decoding and reading lines of text.

use bartizan_types::Excerpt;
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, BufRead, Read};

/// A text for an error message, cut if it is very long.
pub(crate) fn excerpt(text: &str) -> String {
    Excerpt::new(text).to_string()
}

/// Whether a character is white space or a control character. Old files contain control characters such as the
/// end-of-file mark of MS-DOS.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// A text in quotation marks, as in PGN tags and EPD operands: `"` and `\` are escaped by a backslash, and control
/// characters become spaces.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        // The start of the unwritten text.
        let mut rest = 0;
        for (at, special) in self.0.match_indices(|c: char| matches!(c, '"' | '\\') || c.is_control()) {
            f.write_str(&self.0[rest..at])?;
            let is_escaped = matches!(special, "\"" | "\\");
            f.write_char(if is_escaped { '\\' } else { ' ' })?;
            rest = if is_escaped { at } else { at + special.len() };
        }
        f.write_str(&self.0[rest..])?;
        f.write_char('"')
    }
}

/// The length of the move number at the start of a text: digits and full stops, or digits that end a word. 0 if there
/// is none, as in `1-0` and `0-0`.
#[inline]
pub(crate) fn number_length(text: &[u8]) -> usize {
    const ELLIPSIS: &[u8] = "\u{2026}".as_bytes();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits;
    loop {
        if text.get(length) == Some(&b'.') {
            length += 1;
        } else if text[length..].starts_with(ELLIPSIS) {
            length += ELLIPSIS.len();
        } else {
            break;
        }
    }
    if length > digits || digits == text.len() && text != b"0000" { length } else { 0 }
}

/// The characters 0x80 to 0x9f of Windows-1252. Five of them are undefined and stay control characters, as in Latin-1.
/// All other codes equal Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes UTF-8 if the bytes are valid UTF-8, otherwise Windows-1252, which older game collections use: Latin-1 with
/// letters and punctuation in place of control characters.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let character = |&byte: &u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(character).collect()),
    }
}

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
    fn bytes_that_are_not_utf8_are_windows_1252() {
        assert_eq!(decode("Réti".as_bytes()), "Réti");
        assert_eq!(decode(b"R\xe9ti"), "Réti");
        assert_eq!(decode(b"Milo\x9a \x96 White\x92s best\x85 \x80\x9f"), "Miloš – White’s best… €Ÿ");
    }

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
