//! The tokens of PGN, except tags.

use super::Comment;
use super::scan::{find2, find3};
use super::window::{Window, is_blank};
use crate::text;
use std::io::Read;

/// The class of a byte for a word: 0 if it belongs to the word, [`STOP`], [`FOREIGN`] or [`MARK`].
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let stops = matches!(
            byte as u8,
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b';' | b'"' | b'$' | b'*' | b'.'
        );
        if is_blank(byte as u8) || stops {
            classes[byte] = STOP;
        } else if byte >= 0x80 {
            classes[byte] = FOREIGN;
        } else if matches!(byte as u8, b'!' | b'?') {
            classes[byte] = MARK;
        }
        byte += 1;
    }
    classes
};

/// The byte ends a word.
const STOP: u8 = 1;

/// The byte is not ASCII.
const FOREIGN: u8 = 2;

/// The byte is a mark of a move: `!` or `?`. A letter or digit behind it begins another word.
const MARK: u8 = 3;

/// The maximum length of a word in bytes; the rest is skipped.
pub(super) const WORD_LIMIT: usize = 1 << 10;

/// The maximum length of a comment in bytes.
const COMMENT_LIMIT: usize = 1 << 20;

/// The start of a line that cannot belong to a comment.
pub(super) const NEXT_GAME: &[u8] = b"[Event \"";

impl<R: Read> Window<R> {
    /// Reads the word at the token: at least one byte. Returns its length, at most [`WORD_LIMIT`], and whether it is
    /// ASCII.
    #[inline]
    pub(super) fn word(&mut self) -> (usize, bool) {
        let mut length = 0;
        let mut is_ascii = true;
        loop {
            let text = self.token_text();
            match text[length..].iter().position(|&byte| CLASSES[usize::from(byte)] != 0) {
                Some(more) => {
                    length += more;
                    if text[length] >= 0x80 {
                        is_ascii = false;
                    } else if CLASSES[usize::from(text[length])] == MARK {
                        if self.is_alphanumeric_at(length + 1) {
                            length += 1;
                            break;
                        }
                    } else if length > 0 {
                        match self.inner_length(length) {
                            0 => break,
                            more => length += more - 1,
                        }
                    }
                    length += 1;
                }
                None => {
                    length = text.len();
                    if length > WORD_LIMIT || !self.more() {
                        break;
                    }
                }
            }
        }
        self.at = self.token + length;
        (length.min(WORD_LIMIT), is_ascii)
    }

    #[cold]
    fn is_alphanumeric_at(&mut self, length: usize) -> bool {
        self.fill(length + 1);
        self.token_text().get(length).is_some_and(u8::is_ascii_alphanumeric)
    }

    /// The number of bytes at this distance from the token that belong to the word although they usually end one: the
    /// promotion of `e8(Q)`, and the periods of `e.p.`, `dis.ch.` and `0.5-0.5`.
    #[inline]
    fn inner_length(&mut self, length: usize) -> usize {
        match self.token_text()[length] {
            b'(' => self.promotion_length(length),
            b'.' => self.period_length(length),
            _ => 0,
        }
    }

    #[cold]
    fn promotion_length(&mut self, length: usize) -> usize {
        self.fill(length + 3);
        let is_promotion = matches!(self.token_text()[length..], [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..]);
        if is_promotion { 3 } else { 0 }
    }

    #[cold]
    fn period_length(&mut self, length: usize) -> usize {
        self.fill(length + 3);
        match (&self.token_text()[..length], &self.token_text()[length..]) {
            ([.., b'e'], [b'.', b'p', rest @ ..]) if !rest.first().is_some_and(u8::is_ascii_alphanumeric) => 2,
            (b"0" | [.., b'-', b'0'], [b'.', b'5', ..]) => 2,
            (b"dis" | b"dbl", [b'.', b'c', b'h', ..]) => 3,
            _ => 0,
        }
    }

    /// Reads more of the input until the text of the token has a length, or the input ends.
    fn fill(&mut self, length: usize) {
        while self.token_text().len() < length && self.more() {}
    }

    /// Reads the text in angle brackets at the token, or only the first bracket. Returns whether it is `<>`, a null
    /// move.
    #[cold]
    pub(super) fn reserved(&mut self) -> bool {
        self.fill(WORD_LIMIT);
        let text = &self.token_text()[..self.token_text().len().min(WORD_LIMIT)];
        let end = text.iter().position(|&byte| matches!(byte, b'>' | b'\n')).filter(|&end| text[end] == b'>');
        let length = end.map_or(1, |end| end + 1);
        self.at = self.token + length;
        length == 2
    }

    /// Skips the move number at the token if it has full stops. Returns whether it had.
    #[inline]
    pub(super) fn move_number(&mut self) -> bool {
        let (digits, stops) = loop {
            let text = self.token_text();
            let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let stops = text[digits..].iter().take_while(|&&byte| byte == b'.').count();
            if digits + stops < text.len() || text.len() >= WORD_LIMIT || !self.more() {
                break (digits, stops);
            }
        };
        let text = self.token_text();
        // Anything longer is not a number.
        let is_number = stops > 0
            && text.get(digits + stops).is_none_or(u8::is_ascii)
            && digits + stops < WORD_LIMIT
            && !(text[0] == b'0' && text[digits..].starts_with(b".5"));
        if is_number {
            self.at = self.token + digits + stops;
        }
        is_number
    }

    /// Whether nothing but white space follows before a tag or the end of the input.
    pub(super) fn is_last_word(&mut self) -> bool {
        let mut length = 0;
        loop {
            let ahead = self.ahead();
            match ahead[length..].iter().find(|&&byte| !is_blank(byte)) {
                Some(&byte) => return byte == b'[',
                None => length = ahead.len(),
            }
            if length > WORD_LIMIT || !self.more() {
                return length <= WORD_LIMIT;
            }
        }
    }

    /// Whether a blank line follows, or the input ends, before anything else.
    pub(super) fn is_before_blank_line(&mut self) -> bool {
        let (mut length, mut line_ends) = (0, 0);
        loop {
            match self.ahead().get(length).copied() {
                Some(b'\n') if line_ends == 1 => return true,
                Some(byte) if is_blank(byte) && length < WORD_LIMIT => {
                    line_ends += usize::from(byte == b'\n');
                    length += 1;
                }
                None if self.more() => {}
                next => return next.is_none(),
            }
        }
    }

    /// Skips the second half of a draw that is written with blanks: `1/2 - 1/2`.
    pub(super) fn skip_half(&mut self) {
        const HALF: &[u8] = b"-1/2";
        let (mut length, mut matched) = (0, 0);
        while matched < HALF.len() && length <= WORD_LIMIT {
            match self.ahead().get(length).copied() {
                Some(byte) if byte == HALF[matched] => (matched, length) = (matched + 1, length + 1),
                Some(b' ') if matched <= 1 => length += 1,
                None if self.more() => {}
                _ => return,
            }
        }
        if matched == HALF.len() {
            self.at += length;
        }
    }

    /// Skips the rest of a word that is longer than the limit.
    #[inline]
    pub(super) fn end_word(&mut self, length: usize) {
        if length == WORD_LIMIT {
            self.skip_until(|text| text.iter().position(|&byte| CLASSES[usize::from(byte)] == STOP));
        }
    }

    /// Skips the full stops at the token.
    pub(super) fn skip_periods(&mut self) {
        self.skip_until(|text| text.iter().position(|&byte| byte != b'.'));
    }

    /// Whether a letter follows the character at the token.
    pub(super) fn is_part_of_word(&mut self) -> bool {
        self.fill(2);
        self.token_text().get(1).is_some_and(u8::is_ascii_alphabetic)
    }

    /// Skips words of the movetext that are only moves, numbers and glyphs, not results, and one-line comments.
    pub(super) fn skip_plain(&mut self) {
        loop {
            let text = self.ahead();
            let length = skipped_length(text);
            let is_end = length == text.len();
            // To the start of the last word: it may be a result, or continue beyond the window.
            let ends_word = |&byte: &u8| is_blank(byte) || byte == b'}';
            let word = text[..length].iter().rposition(ends_word).map_or(0, |end| end + 1);
            if is_end && word == 0 && length > WORD_LIMIT {
                self.at += length;
            } else {
                self.at += word;
            }
            self.token = self.at;
            if !is_end || !self.more() {
                return;
            }
        }
    }

    /// Reads the comment in braces at the token. Its text begins after the brace.
    ///
    /// If the brace that closes it is missing, it ends where another game seems to begin, so that the games that follow
    /// are not skipped. It is missing if none comes, or if another comment begins before it in that game.
    ///
    /// If the text is not `wanted`, the token may be discarded.
    #[inline]
    pub(super) fn comment(&mut self, wanted: bool) -> CommentEnd {
        let mut length = 1;
        let (mut is_long, mut is_nested) = (false, false);
        let mut next_game = None;
        loop {
            let text = self.token_text();
            let Some(more) = find3(&text[length..], *b"}\n{") else {
                length = text.len();
                if let Some(next) = next_game.filter(|_| length > COMMENT_LIMIT) {
                    return self.end_comment(next, is_long);
                }
                if next_game.is_none() && length > if wanted { COMMENT_LIMIT } else { 0 } {
                    is_long |= length > COMMENT_LIMIT;
                    self.at = self.token + length;
                    self.give_up();
                    length = 0;
                }
                if !self.more() {
                    self.ends_in_comment = true;
                    return self.end_comment(next_game.unwrap_or(length), is_long || !wanted);
                }
                continue;
            };
            length += more + 1;
            match (text[length - 1], next_game) {
                (b'}', _) => break,
                (b'{', Some(next)) => return self.end_comment(next, is_long),
                (b'{', None) => is_nested = true,
                (_, None) if self.is_next_game(length) => next_game = Some(length),
                _ => {}
            }
        }
        self.at = self.token + length;
        let text_length = length.saturating_sub(2);
        match (is_long || length > COMMENT_LIMIT + 2, is_nested) {
            (true, _) => CommentEnd::TooLong,
            (false, true) => CommentEnd::Nested(text_length),
            (false, false) => CommentEnd::Closed(text_length),
        }
    }

    /// Ends a comment that lacks its brace.
    #[cold]
    fn end_comment(&mut self, length: usize, is_discarded: bool) -> CommentEnd {
        self.at = self.token + length;
        CommentEnd::Missing(if is_discarded { 0 } else { length.saturating_sub(1) })
    }

    /// Whether another game begins at this distance from the token, which is the beginning of a line.
    #[inline]
    fn is_next_game(&mut self, length: usize) -> bool {
        loop {
            let line = &self.token_text()[length..];
            let known = line.len().min(NEXT_GAME.len());
            if line[..known] != NEXT_GAME[..known] {
                return false;
            }
            if known == NEXT_GAME.len() {
                return true;
            }
            if !self.more() {
                return false;
            }
        }
    }

    /// Reads the comment after the semicolon at the token, to the end of the line: `\n`, `\r\n` or `\r`.
    pub(super) fn line_comment(&mut self) -> CommentEnd {
        let mut length = 1;
        loop {
            let text = self.token_text();
            if let Some(more) = memchr::memchr2(b'\n', b'\r', &text[length..]) {
                length += more;
                break;
            }
            length = text.len();
            if length > COMMENT_LIMIT {
                self.at = self.token + length;
                self.skip_line();
                return CommentEnd::TooLong;
            }
            if !self.more() {
                break;
            }
        }
        self.at = self.token + length;
        CommentEnd::Closed(length - 1)
    }
}

/// How a comment ends, with the length of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentEnd {
    /// With its brace, or with its line.
    Closed(usize),
    /// With its brace, behind another one that opens a comment.
    Nested(usize),
    /// Without its brace.
    Missing(usize),
    /// It has more than [`COMMENT_LIMIT`] bytes.
    TooLong,
}

/// The length of the text before anything other than moves, numbers, glyphs and one-line comments.
fn skipped_length(text: &[u8]) -> usize {
    let mut length = plain_length(text);
    loop {
        match text[length..] {
            // Castling, which is not a result.
            [b'-', ..] if text[..length].ends_with(b"O") => {
                length += 1;
                length += plain_length(&text[length..]);
            }
            [b'{', ref rest @ ..] => match find2(rest, *b"}\n") {
                Some(end) if rest[end] == b'}' => {
                    length += end + 2;
                    length += near_plain_length(&text[length..]);
                }
                _ => return length,
            },
            _ => return length,
        }
    }
}

/// [`plain_length`] after a comment: the text between comments is short, and vector instructions pay off only for long
/// texts.
fn near_plain_length(text: &[u8]) -> usize {
    let near = &text[..text.len().min(16)];
    near.iter().position(|&byte| SPECIAL[usize::from(byte)]).unwrap_or_else(|| plain_length(text))
}

/// The length of the text before the first byte that may belong to something other than a move, a number or a glyph: a
/// bracket, a comment, a result, or text that is not ASCII.
fn plain_length(text: &[u8]) -> usize {
    let (chunks, rest) = text.as_chunks::<16>();
    for (index, chunk) in chunks.iter().enumerate() {
        // One flag byte for each byte of the text, computed with vector instructions and read as one number.
        let special = u128::from_le_bytes(chunk.map(|byte| u8::from(is_special(byte))));
        if special != 0 {
            return 16 * index + (special.trailing_zeros() / 8) as usize;
        }
    }
    16 * chunks.len() + rest.iter().take_while(|&&byte| !is_special(byte)).count()
}

/// [`is_special`] of each byte.
static SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = is_special(byte as u8);
        byte += 1;
    }
    special
};

/// Whether a byte may belong to something other than a move, a number or a glyph. Without branches, so that the
/// compiler uses vector instructions.
#[inline]
const fn is_special(byte: u8) -> bool {
    (byte >= 0x7b)
        | (byte.wrapping_sub(b'(') <= 2)
        | (byte.wrapping_sub(b'[') <= 2)
        | (byte == b'-')
        | (byte == b'/')
        | (byte == b';')
        | (byte == b'"')
        | (byte == b'%')
}

/// The comment whose text has this length and begins one byte after the start of `text`; empty if it was discarded.
pub(super) fn comment_text(text: &[u8], length: usize) -> Comment<'_> {
    Comment(text.get(1..=length).unwrap_or_default())
}

/// Appends the words of a text, separated by single spaces.
pub(super) fn append_words(to: &mut String, text: &str) {
    let words = text.split(text::is_blank).filter(|word| !word.is_empty());
    for word in words {
        if !to.is_empty() {
            to.push(' ');
        }
        to.push_str(word);
    }
}
