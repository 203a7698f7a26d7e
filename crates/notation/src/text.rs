//! Decoding and writing text.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use bartizan_types::Excerpt;
use core::fmt::{self, Write as _};

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
    match core::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(character).collect()),
    }
}

/// The number of bytes at the start of a text whose characters fulfil a condition. Bytes that are not UTF-8 are
/// characters of Windows-1252.
pub(crate) fn length_while(bytes: &[u8], is: impl Fn(char) -> bool) -> usize {
    let mut length = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if !is(c) {
                return length;
            }
            length += c.len_utf8();
        }
        for &byte in chunk.invalid() {
            if !decode(&[byte]).chars().all(&is) {
                return length;
            }
            length += 1;
        }
    }
    length
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
}
