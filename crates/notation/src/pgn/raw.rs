//! Parts of a game as they appear in the input.

use super::lexer::append_words;
use super::scan::is_plain;
use crate::san::{self, Leniency, SanError};
use crate::text::decode;
use bartizan_position::Position;
use bartizan_types::Move;
use std::borrow::Cow;
use std::ops::Range;

/// The text of a move, without evaluation marks such as `!?`. Nothing has been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveText<'a>(pub(super) &'a [u8]);

impl<'a> MoveText<'a> {
    /// The bytes in the input.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text; Windows-1252 if it is not UTF-8.
    pub fn decode(self) -> Cow<'a, str> {
        decode(self.0)
    }

    /// Whether it is a null move: `--`, `<>`, `Z0`, `@@@@`, `0000` or `null`.
    pub fn is_null(self) -> bool {
        san::is_null(self.0)
    }

    /// Whether a remark may be one, given the move before it and the position after that: `ep` and `ch`, which may be
    /// what is left of the move of a pawn, must be true.
    pub(super) fn is_true_remark(self, mv: Option<Move>, after: &Position) -> bool {
        match self.0 {
            b"ep" => mv.is_some_and(Move::is_en_passant),
            b"ch" => after.in_check(),
            _ => true,
        }
    }

    /// Finds the legal move that the text denotes; see [`parse_san`](crate::san::parse_san).
    ///
    /// # Errors
    /// [`SanError`] says whether the text is not a move, matches no legal move, or matches several.
    #[inline]
    pub fn find(self, position: &Position) -> Result<Move, SanError> {
        san::parse_bytes(position, self.0)
    }

    /// Finds the legal move that the text denotes in the notation of the standard, and in no other; see
    /// [`parse_san_strict`](crate::san::parse_san_strict).
    ///
    /// # Errors
    /// [`SanError`] as [`MoveText::find`], and if the text is another spelling of a legal move.
    pub fn find_strict(self, position: &Position) -> Result<Move, SanError> {
        san::parse_san_strict(position, &self.decode())
    }

    /// How the text departs from the standard if it denotes `mv`; see [`leniencies`](crate::san::leniencies).
    pub fn leniencies(self, position: &Position, mv: Move) -> Vec<Leniency> {
        san::leniencies(position, mv, &self.decode())
    }

    /// Whether the text reads like the advance of a pawn, but denotes a capture: see [`Leniency::HiddenCapture`]. This
    /// costs next to nothing, unlike [`MoveText::leniencies`].
    #[inline]
    pub fn is_hidden_capture(self, position: &Position, mv: Move) -> bool {
        san::is_hidden_capture(position, mv, self.0)
    }
}

/// The value of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagValue<'a> {
    pub(super) raw: &'a [u8],
    /// Whether `raw` contains a backslash.
    pub(super) escaped: bool,
    pub(super) range: (usize, usize),
}

impl<'a> TagValue<'a> {
    /// The bytes between the quotation marks, with backslashes.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.raw
    }

    /// The byte range of the whole tag in the input, from `[` to `]`.
    pub fn range(self) -> Range<usize> {
        self.range.0..self.range.1
    }

    /// Replaces a text by the value.
    pub(super) fn copy_to(self, to: &mut String) {
        if self.escaped {
            to.clear();
            to.push_str(&self.decode());
        } else {
            let mut bytes = std::mem::take(to).into_bytes();
            bytes.clear();
            bytes.extend_from_slice(self.raw);
            *to = into_text(bytes);
        }
    }

    /// The value: decoded as Windows-1252 if it is not UTF-8, with `\"` and `\\` unescaped.
    pub fn decode(self) -> Cow<'a, str> {
        if self.escaped { unescape(decode(self.raw)) } else { decode(self.raw) }
    }
}

/// Unescapes `\"` and `\\`.
pub(super) fn unescape(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text;
    }
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next_if(|&next| matches!(next, '"' | '\\')) } else { None };
        value.push(escaped.unwrap_or(c));
    }
    Cow::Owned(value)
}

/// The text of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment<'a>(pub(super) &'a [u8]);

impl<'a> Comment<'a> {
    /// The bytes between the braces, or after the semicolon.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text, with its line breaks; Windows-1252 if it is not UTF-8.
    pub fn decode(self) -> Cow<'a, str> {
        decode(self.0)
    }

    /// Appends the words of a line of moves, as [`Comment::append_words`] does those of a comment. Brackets and braces
    /// become parentheses, because they have a meaning in comments.
    pub(super) fn append_moves(self, to: &mut String) {
        let text: String = self
            .decode()
            .chars()
            .map(|c| match c {
                '{' | '[' => '(',
                '}' | ']' => ')',
                c => c,
            })
            .collect();
        append_words(to, &text);
    }

    /// Appends the words of the comment, separated by single spaces from each other and from the text in `to`.
    pub fn append_words(self, to: &mut String) {
        let mut plain = self.0;
        while let [b' ', rest @ ..] | [rest @ .., b' '] = plain {
            plain = rest;
        }
        // Most comments have only single spaces.
        if !is_plain(plain) {
            return append_words(to, &self.decode());
        }
        if plain.is_empty() {
            return;
        }
        if to.is_empty() {
            let mut bytes = std::mem::take(to).into_bytes();
            bytes.extend_from_slice(plain);
            *to = into_text(bytes);
        } else {
            // Only the new text is examined, because there may be a million comments.
            to.push(' ');
            to.push_str(&decode(plain));
        }
    }
}

/// Decodes the bytes: as Windows-1252 if they are not UTF-8. Allocated bytes are checked faster than those at an
/// arbitrary place in the input, because they are aligned.
#[inline]
fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| decode(error.as_bytes()).into_owned())
}
