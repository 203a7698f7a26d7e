//! A window that slides over the input. It holds little more than the token being read.

use super::scan::line_ends;
use crate::lines::refuse_utf16;
use std::io::{self, Read};

/// Bytes of the input, from the token being read onwards.
///
/// The window grows only while a token reaches its end, so its size depends on the longest token that a caller keeps,
/// never on the length of the input or of a line.
#[derive(Debug)]
pub(super) struct Window<R> {
    reader: R,
    /// The buffer. Its first `end` bytes are input.
    bytes: Vec<u8>,
    /// The start of the current token: what lies before it may be discarded.
    pub(super) token: usize,
    /// The next byte to read.
    pub(super) at: usize,
    end: usize,
    /// The byte before the buffer.
    before: u8,
    /// An offset, and its line and column.
    mark: (usize, usize, usize),
    /// The number of bytes of the input before the buffer.
    base: usize,
    /// The place of the token and its offset in the input, if its start has been discarded.
    given_up: Option<((usize, usize), usize)>,
    /// The part of the input that is being kept, and the offset up to which the buffer has been copied.
    kept: Option<(Vec<u8>, usize)>,
    /// Whether the input has ended in a comment, which a longer input might close.
    pub(super) ends_in_comment: bool,
    started: bool,
    /// Whether the input has filled the buffer, so that a larger one saves time.
    was_full: bool,
    ended: bool,
    error: Option<io::Error>,
}

impl<R: Read> Window<R> {
    const SIZE: usize = 1 << 16;

    /// The size for an input that may be a single game.
    const FIRST_SIZE: usize = 1 << 12;

    /// The maximum number of bytes that [`Window::keep`] keeps.
    const KEEP_LIMIT: usize = 1 << 24;

    pub(super) fn new(reader: R) -> Self {
        Self::with_size(reader, Self::FIRST_SIZE)
    }

    /// Creates a window for an input of which the length is known.
    pub(super) fn with_size(reader: R, length: usize) -> Self {
        Self {
            reader,
            // One extra byte, so that the input does not fill it. A byte order mark must fit.
            bytes: vec![0; (length + 1).clamp(16, Self::SIZE)],
            token: 0,
            at: 0,
            end: 0,
            before: b'\n',
            mark: (0, 1, 1),
            base: 0,
            given_up: None,
            kept: None,
            ends_in_comment: false,
            started: false,
            was_full: false,
            ended: false,
            error: None,
        }
    }

    /// Whether the input has ended and all of it has been read.
    pub(super) fn is_over(&self) -> bool {
        self.ended && self.at == self.end
    }

    /// Sets the line and the column at which the input begins: it is a part of a file.
    pub(super) fn set_place(&mut self, line: usize, column: usize) {
        self.mark = (0, line, column);
        if (line, column) != (1, 1) {
            // A byte order mark occurs only at the beginning of a file.
            self.started = true;
            self.before = if column == 1 { b'\n' } else { b' ' };
        }
    }

    /// The offset in the input of the token.
    pub(super) fn offset(&self) -> usize {
        self.given_up.map_or(self.base + self.token, |(_, offset)| offset)
    }

    /// The bytes that have been read and not consumed.
    #[inline]
    pub(super) fn ahead(&self) -> &[u8] {
        &self.bytes[self.at..self.end]
    }

    /// The bytes from the start of the token onwards.
    #[inline]
    pub(super) fn token_text(&self) -> &[u8] {
        &self.bytes[self.token..self.end]
    }

    /// Skips white space and control characters, and begins a token. Returns its first byte; `None` at the end.
    #[inline]
    pub(super) fn next_token(&mut self) -> Option<u8> {
        self.given_up = None;
        loop {
            let rest = &self.bytes[self.at..self.end];
            if let Some(skipped) = rest.iter().position(|&byte| !is_blank(byte)) {
                self.at += skipped;
                self.token = self.at;
                return Some(rest[skipped]);
            }
            self.at = self.end;
            self.token = self.at;
            if !self.more() {
                return None;
            }
        }
    }

    /// Like [`Window::next_token`], but `None` at a blank line too.
    pub(super) fn next_token_of_block(&mut self) -> Option<u8> {
        self.given_up = None;
        let mut line_ends = 0;
        loop {
            self.token = self.at;
            match self.ahead().first().copied() {
                Some(byte) if !is_blank(byte) => return Some(byte),
                Some(byte) => {
                    self.at += 1;
                    line_ends += usize::from(byte == b'\n');
                    if line_ends == 2 {
                        return None;
                    }
                }
                None if self.more() => {}
                None => return None,
            }
        }
    }

    /// Whether the next line begins with a tag, and begins a token there.
    #[inline]
    pub(super) fn next_line_is_tag(&mut self) -> bool {
        let is_tag = self.ahead().starts_with(b"\n[");
        if is_tag {
            self.given_up = None;
            self.at += 1;
            self.token = self.at;
        }
        is_tag
    }

    /// Whether the token begins a line.
    pub(super) fn is_line_start(&self) -> bool {
        let before = match self.token {
            0 => self.before,
            token => self.bytes[token - 1],
        };
        before == b'\n'
    }

    /// Discards what has been read of the token, but keeps its place.
    pub(super) fn give_up(&mut self) {
        self.given_up = Some((self.place(), self.offset()));
        self.token = self.at;
    }

    /// Skips the rest of the line, except its line end. The token may be discarded.
    pub(super) fn skip_line(&mut self) {
        self.skip_until(|text| memchr::memchr(b'\n', text));
    }

    /// Skips bytes up to the one that `find` finds. The token may be discarded.
    pub(super) fn skip_until(&mut self, find: impl Fn(&[u8]) -> Option<usize>) {
        loop {
            if let Some(length) = find(self.ahead()) {
                self.at += length;
                return;
            }
            self.at = self.end;
            self.give_up();
            if !self.more() {
                return;
            }
        }
    }

    /// Reads more of the input. Discards what precedes the token, which changes offsets but not distances from the
    /// token. Returns `false` at the end of the input and after an error.
    #[cold]
    pub(super) fn more(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.token > 0 {
            self.count();
            self.copy_kept(self.token);
            self.before = self.bytes[self.token - 1];
            self.bytes.copy_within(self.token..self.end, 0);
            self.at -= self.token;
            self.end -= self.token;
            self.mark.0 = 0;
            self.base += self.token;
            self.token = 0;
            if let Some((_, from)) = &mut self.kept {
                *from = 0;
            }
        }
        if self.end == self.bytes.len() {
            self.bytes.resize(Self::SIZE.max(2 * self.end), 0);
        } else if self.was_full && self.bytes.len() < Self::SIZE {
            self.bytes.resize(Self::SIZE, 0);
        }
        let grown = self.read();
        if !self.started {
            self.started = true;
            // Some editors write a byte order mark before UTF-8.
            while self.end < 3 && self.read() {}
            if let Err(error) = refuse_utf16(&self.bytes[..self.end]) {
                self.error = Some(error);
                (self.end, self.ended) = (0, true);
                return false;
            }
            if self.bytes[..self.end].starts_with(b"\xef\xbb\xbf") {
                self.bytes.copy_within(3..self.end, 0);
                self.base += 3;
                self.end -= 3;
            }
        }
        grown
    }

    fn read(&mut self) -> bool {
        loop {
            match self.reader.read(&mut self.bytes[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(length) => {
                    self.end += length.min(self.bytes.len() - self.end);
                    self.was_full = self.end == self.bytes.len();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    self.error = Some(error);
                }
            }
            return !self.ended;
        }
    }

    /// Takes the error that ended the input.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// The line and the column of the token, from 1. Counts from the last place requested, so that the total time is
    /// linear in the length of the input.
    pub(super) fn place(&mut self) -> (usize, usize) {
        if let Some((place, _)) = self.given_up {
            return place;
        }
        self.count();
        (self.mark.1, self.mark.2)
    }

    /// Moves the mark to the token.
    fn count(&mut self) {
        let (from, line, column) = self.mark;
        if from >= self.token {
            return;
        }
        let (line, column) = advance(&self.bytes[from..self.token], (line, column));
        self.mark = (self.token, line, column);
    }

    /// Keeps the input from the token onwards, until [`Window::take_kept`].
    pub(super) fn keep(&mut self) {
        self.kept.get_or_insert((Vec::new(), self.token));
    }

    /// The kept input, up to the token.
    pub(super) fn take_kept(&mut self) -> Vec<u8> {
        self.copy_kept(self.token);
        self.kept.take().map(|(kept, _)| kept).unwrap_or_default()
    }

    fn copy_kept(&mut self, to: usize) {
        if let Some((kept, from)) = &mut self.kept
            && *from < to
        {
            let room = Self::KEEP_LIMIT - kept.len();
            kept.extend_from_slice(&self.bytes[*from..to][..room.min(to - *from)]);
            *from = to;
        }
    }
}

/// The line and the column after a text that begins at a line and a column.
pub(super) fn advance(text: &[u8], (line, column): (usize, usize)) -> (usize, usize) {
    match memchr::memrchr(b'\n', text) {
        Some(last) => (line + line_ends(text), 1 + characters(&text[last + 1..])),
        None => (line, column + characters(text)),
    }
}

/// The number of characters of a text in UTF-8, Windows-1252 or a mixture. It is additive over the parts of a text.
fn characters(text: &[u8]) -> usize {
    text.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

/// Whether a byte is white space or a control character.
#[inline]
pub(super) const fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}
