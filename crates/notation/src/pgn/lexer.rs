//! The tokens of PGN.

use super::scan::{find2, find3};
use super::window::{Window, is_blank};
use super::{Comment, MoveText, Nag, PgnProblemKind, TagValue};
use crate::san::{San, is_null};
use crate::text::{self, decode};
use bartizan_position::Position;
use bartizan_types::{GameResult, Variant};
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
const WORD_LIMIT: usize = 1 << 10;

/// The maximum length of a tag in bytes.
const TAG_LIMIT: usize = 1 << 17;

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

    /// Reads the tag at the token. Reads nothing if it is invalid.
    #[inline]
    pub(super) fn tag(&mut self) -> Result<Tag, PgnProblemKind> {
        if let Some((tag, length)) = parse_plain_tag(self.token_text()) {
            self.at = self.token + length;
            return Ok(tag);
        }
        self.any_tag()
    }

    #[inline(never)]
    fn any_tag(&mut self) -> Result<Tag, PgnProblemKind> {
        let mut ended = false;
        loop {
            match parse_tag(self.token_text(), ended) {
                Parsed::Tag(tag, length) => {
                    self.at = self.token + length;
                    return Ok(tag);
                }
                Parsed::Unfinished if self.token_text().len() <= TAG_LIMIT => ended = !self.more(),
                Parsed::Unfinished => return Err(PgnProblemKind::TagTooLong),
                Parsed::Invalid => return Err(PgnProblemKind::Tag),
            }
        }
    }

    /// Skips a tag that is not of the right form: to the end of its line, or to its bracket if moves may follow.
    #[cold]
    pub(super) fn skip_invalid_tag(&mut self) {
        while memchr::memchr(b'\n', self.token_text()).is_none() && self.token_text().len() <= TAG_LIMIT && self.more()
        {
        }
        let text = self.token_text();
        let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
        let bracket = memchr::memchr(b']', line).filter(|_| !line.trim_ascii_end().ends_with(b"]"));
        self.at = self.token + bracket.map_or(0, |bracket| bracket + 1);
        if bracket.is_none() {
            self.skip_line();
        }
    }

    /// Whether the token begins a line that is a tag without its `[`.
    pub(super) fn is_tag_without_bracket(&mut self) -> bool {
        if !self.is_line_start() {
            return false;
        }
        while memchr::memchr(b'\n', self.token_text()).is_none() && self.token_text().len() <= WORD_LIMIT && self.more()
        {
        }
        let text = self.token_text();
        let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
        let name = line.iter().take_while(|&&byte| NAME[usize::from(byte)]).count();
        line[name..].trim_ascii_start().starts_with(b"\"") && line.trim_ascii_end().ends_with(b"\"]")
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

/// A tag: distances from the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// The index of its name in [`KNOWN_TAGS`].
    pub(super) known: Option<usize>,
    name: (usize, usize),
    value: (usize, usize),
    escaped: bool,
}

impl Tag {
    pub(super) fn name(self, text: &[u8]) -> &[u8] {
        &text[self.name.0..self.name.1]
    }

    pub(super) fn value(self, text: &[u8], range: (usize, usize)) -> TagValue<'_> {
        TagValue { raw: &text[self.value.0..self.value.1], escaped: self.escaped, range }
    }
}

/// Parses a tag that is written as in the export format and has no backslash. `None` for others, valid or not.
#[inline]
pub(super) fn parse_plain_tag(text: &[u8]) -> Option<(Tag, usize)> {
    let quote = 1 + find2(&text[1..], *b"\"\n")?;
    let name_end = quote - 1;
    let name = text[1..quote].strip_suffix(b" ")?;
    let known = known_tag(name);
    if known.is_none() && (name.is_empty() || !name.iter().all(|&byte| NAME[usize::from(byte)])) {
        return None;
    }
    let value = quote + 1;
    let end = value + find3(&text[value..], *b"\"\\\n")?;
    let tag = Tag { known, name: (1, name_end), value: (value, end), escaped: false };
    text[end..].starts_with(b"\"]").then_some((tag, end + 2))
}

/// Whether a byte may belong to the name of a tag, as the standard says.
static NAME: [bool; 256] = {
    let mut name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        name[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    name
};

/// The names of common tags, which need no check.
pub(super) const KNOWN_TAGS: [&str; 27] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "ECO",
    "WhiteElo",
    "BlackElo",
    "UTCDate",
    "UTCTime",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "Opening",
    "Variation",
    "TimeControl",
    "Termination",
    "PlyCount",
    "EventDate",
    "WhiteTitle",
    "BlackTitle",
    "WhiteFideId",
    "BlackFideId",
    "FEN",
    "SetUp",
    "Variant",
];

/// The index in [`KNOWN_TAGS`] of a name.
pub(super) fn known_tag(name: &[u8]) -> Option<usize> {
    Some(match name {
        b"Event" => 0,
        b"Site" => 1,
        b"Date" => 2,
        b"Round" => 3,
        b"White" => 4,
        b"Black" => 5,
        b"Result" => 6,
        b"ECO" => 7,
        b"WhiteElo" => 8,
        b"BlackElo" => 9,
        b"UTCDate" => 10,
        b"UTCTime" => 11,
        b"WhiteRatingDiff" => 12,
        b"BlackRatingDiff" => 13,
        b"Opening" => 14,
        b"Variation" => 15,
        b"TimeControl" => 16,
        b"Termination" => 17,
        b"PlyCount" => 18,
        b"EventDate" => 19,
        b"WhiteTitle" => 20,
        b"BlackTitle" => 21,
        b"WhiteFideId" => 22,
        b"BlackFideId" => 23,
        b"FEN" => 24,
        b"SetUp" => 25,
        b"Variant" => 26,
        _ => return None,
    })
}

/// The result of [`parse_tag`].
enum Parsed {
    /// A tag and its length.
    Tag(Tag, usize),
    Invalid,
    /// More of the input is needed.
    Unfinished,
}

/// Parses the tag at the start of a text, which is all the remaining input if it has `ended`.
fn parse_tag(text: &[u8], ended: bool) -> Parsed {
    // The end of the input is the end of a line.
    let end = if ended { Some(b'\n') } else { None };
    let get = |at: usize| text.get(at).copied().or(end);
    let skip_blanks = |mut at: usize| {
        while get(at).is_some_and(|byte| is_blank(byte) && byte != b'\n') {
            at += 1;
        }
        at
    };
    let name = skip_blanks(1);
    let mut name_end = name;
    loop {
        match get(name_end) {
            None => return Parsed::Unfinished,
            Some(b'[' | b']' | b'{' | b'}' | b'(' | b')' | b';') => return Parsed::Invalid,
            Some(byte) if is_blank(byte) || byte == b'"' => break,
            Some(_) => name_end += 1,
        }
    }
    let quote = skip_blanks(name_end);
    match get(quote) {
        None => return Parsed::Unfinished,
        Some(b'"') if name < name_end => {}
        Some(_) => return Parsed::Invalid,
    }
    let value = quote + 1;
    let mut at = value;
    let mut escaped = false;
    // A tag that ends with a backslash, if the quotation mark behind it turns out to be the last one.
    let mut unescaped = Parsed::Invalid;
    loop {
        let Some(rest) = text.get(at..) else { return if ended { unescaped } else { Parsed::Unfinished } };
        match rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | b'\n')) {
            None if ended => return unescaped,
            None => return Parsed::Unfinished,
            Some(length) => at += length,
        }
        match text[at] {
            b'\n' => return unescaped,
            b'\\' => {
                escaped = true;
                at += match get(at + 1) {
                    None => return Parsed::Unfinished,
                    Some(b'"') => {
                        let (end, after) = (at + 1, skip_blanks(at + 2));
                        if get(after) == Some(b']') {
                            let tag = Tag { known: None, name: (name, name_end), value: (value, end), escaped };
                            unescaped = Parsed::Tag(tag, after + 1);
                        }
                        2
                    }
                    Some(b'\\') => 2,
                    Some(_) => 1,
                };
            }
            _ => {
                // Some programs do not escape quotation marks: only the last one ends the value.
                let after = skip_blanks(at + 1);
                let tag = Tag { known: None, name: (name, name_end), value: (value, at), escaped };
                match get(after) {
                    None => return Parsed::Unfinished,
                    Some(b']') => return Parsed::Tag(tag, after + 1),
                    Some(b'\n') => return Parsed::Tag(tag, after),
                    Some(_) => at += 1,
                }
            }
        }
    }
}

/// The kind of a word of the movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol<'a> {
    /// A move number.
    Number,
    /// A remark that adds nothing to the move before it.
    Remark,
    /// The result of the game.
    Result(GameResult),
    /// An annotation glyph.
    Nag(Nag),
    /// `$` without a number that a glyph has.
    UnknownNag,
    /// A move, and the glyphs attached to it.
    Move(MoveText<'a>, [Option<Nag>; 2]),
}

/// Whether a word is a move without a glyph. `false` is inconclusive.
#[inline]
pub(super) fn is_plain_move(word: &[u8]) -> bool {
    let [first, second, ..] = word else { return false };
    let begins = match first {
        b'a'..=b'h' => matches!(second, b'1'..=b'8' | b'x'),
        _ => PIECE[usize::from(*first)],
    };
    begins && word.last().is_some_and(|&last| !GLYPH_END[usize::from(last)])
}

/// Whether a byte ends a glyph. Of these, a move has only `+` at its end, or the `R` of a promotion.
static GLYPH_END: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        ends[byte] = byte >= 0x80 || matches!(byte as u8, b'!' | b'?' | b'+' | b'-' | b'=' | b'R');
        byte += 1;
    }
    ends
};

/// Whether a byte begins only words that are moves of pieces.
static PIECE: [bool; 256] = {
    let mut begins = [false; 256];
    let letters = b"BKNOQR";
    let mut i = 0;
    while i < letters.len() {
        begins[letters[i] as usize] = true;
        i += 1;
    }
    begins
};

/// Classifies a word without a move number. The position decides later whether a move is valid.
#[inline]
pub(super) fn classify(word: &[u8]) -> Symbol<'_> {
    match word {
        b"1-0" => Symbol::Result(GameResult::WhiteWins),
        b"0-1" => Symbol::Result(GameResult::BlackWins),
        b"1/2-1/2" => Symbol::Result(GameResult::Draw),
        // Glyphs, if anything.
        [_] | b"RR" => classify_rare(word),
        b"ch" | b"check" | b"dis" | b"disch" | b"dbl" | b"dblch" | b"dis.ch" | b"dbl.ch" => Symbol::Remark,
        // Most words: a piece's move, a pawn's move, castling. Not `e.p.`.
        [b'a'..=b'd' | b'f'..=b'h' | b'B' | b'K' | b'N' | b'O' | b'Q' | b'R', ..] => with_glyphs(word),
        [b'e', b'1'..=b'8' | b'x' | b'd' | b'f', ..] => with_glyphs(word),
        _ => classify_rare(word),
    }
}

/// Separates a move from the glyphs after it: one for the move, such as `!?`, and one for the position, such as `+-`.
#[inline]
fn with_glyphs(word: &[u8]) -> Symbol<'_> {
    if ends_plainly(word) {
        return Symbol::Move(MoveText(word), [None; 2]);
    }
    let (text, second) = split_glyph(word);
    let (text, first) = split_glyph(text);
    Symbol::Move(MoveText(text), [first, second])
}

/// Whether a word definitely ends without a glyph.
#[inline]
fn ends_plainly(word: &[u8]) -> bool {
    match word {
        // A check.
        [.., before, b'+'] => before.is_ascii_alphanumeric(),
        [.., last] => !GLYPH_END[usize::from(*last)],
        [] => true,
    }
}

/// Separates the glyph at the end of a word. Of more than two marks, as in `!!!`, the first two count.
fn split_glyph(word: &[u8]) -> (&[u8], Option<Nag>) {
    if ends_plainly(word) {
        return (word, None);
    }
    if let [.., b'!' | b'?'] = word {
        let length = word.iter().rposition(|byte| !matches!(byte, b'!' | b'?')).map_or(0, |last| last + 1);
        let (text, mark) = word.split_at(length);
        return (text, marks(mark));
    }
    Nag::split_glyph(word).map_or((word, None), |(text, nag)| (text, Some(nag)))
}

/// The glyph that `!` and `?` form.
fn marks(text: &[u8]) -> Option<Nag> {
    std::str::from_utf8(&text[..text.len().min(2)]).ok().and_then(Nag::from_glyph)
}

/// What may follow a move and says nothing more than the move itself: check, mate, capture en passant.
const REMARKS: [&[u8]; 19] = [
    b"dis.ch",
    b"dbl.ch",
    b"+",
    b"++",
    b"#",
    b"e.p",
    b"e.p+",
    b"ep",
    b"ep+",
    b"ch",
    b"+ch",
    b"check",
    b"mate",
    b"dis",
    b"disch",
    b"dbl",
    b"dblch",
    b"\xe2\x80\xa0",
    b"\xe2\x80\xa1",
];

#[cold]
fn classify_rare(word: &[u8]) -> Symbol<'_> {
    if let [b'$', number @ ..] = word
        && let Some(number) = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok())
    {
        return Symbol::Nag(Nag(number));
    }
    let text = decode(word);
    if let Ok(result) = text.parse() {
        return Symbol::Result(result);
    }
    // Half a point for one side, none for the other.
    if matches!(&*text, "1/2-0" | "0-1/2" | "\u{bd}-0" | "0-\u{bd}") {
        return Symbol::Result(GameResult::Unknown);
    }
    let is_mark = |c| matches!(c, '!' | '?');
    let glyph = if text.chars().all(is_mark) { marks(word) } else { Nag::from_glyph(&text) };
    if let Some(nag) = glyph {
        return Symbol::Nag(nag);
    }
    let is_number = text.chars().all(|c| c.is_ascii_digit()) && text != "0000";
    match word {
        _ if is_number => Symbol::Number,
        [b'$', number @ ..] if number.iter().all(u8::is_ascii_digit) => Symbol::UnknownNag,
        _ if is_null(word) => Symbol::Move(MoveText(word), [None; 2]),
        _ if REMARKS.contains(&word) => Symbol::Remark,
        _ => with_glyphs(word),
    }
}

/// Writes a word that is not ASCII with the characters that its own look like or stand for, as far as this cannot make
/// another move of it: dashes, marks, and of the Cyrillic and Greek letters only those for castling, files and
/// captures. A Cyrillic K, for example, may be a knight, and stays.
#[cold]
pub(super) fn plain_spelling(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{ad}' => plain.push('-'),
            '\u{203c}' => plain.push_str("!!"),
            '\u{2047}' => plain.push_str("??"),
            '\u{2048}' => plain.push_str("?!"),
            '\u{2049}' => plain.push_str("!?"),
            '\u{41e}' | '\u{43e}' | '\u{39f}' | '\u{3bf}' => plain.push('O'),
            '\u{430}' => plain.push('a'),
            '\u{441}' => plain.push('c'),
            '\u{435}' => plain.push('e'),
            '\u{445}' | '\u{d7}' => plain.push('x'),
            '\u{200b}'..='\u{200f}' | '\u{2060}' => {}
            // Fullwidth forms of ASCII.
            '\u{ff01}'..='\u{ff5e}' => plain.push(char::from((u32::from(c) - 0xff01) as u8 + b'!')),
            _ => plain.push(c),
        }
    }
    plain
}

/// Whether a word is a first move in SAN or with its origin, as `Ng1-f3`, `e2e4`.
pub(super) fn begins_moves(word: &[u8]) -> bool {
    let Symbol::Move(text, _) = classify(word) else { return false };
    // Does not call the move parser: with another caller, it would no longer be inlined where speed matters.
    let start = Position::startpos_ref();
    let is = |other: &str| text.0.iter().filter(|&&byte| byte != b'-').eq(other.as_bytes());
    start.legal_moves().iter().any(|&mv| {
        let (san, squares) = (San::new(start, mv), mv.to_uci(Variant::Standard).to_string());
        is(san.as_str())
            || is(&squares)
            || san.as_str().strip_suffix(&squares[2..]).is_some_and(|piece| is(&format!("{piece}{squares}")))
    })
}

/// The comment whose text has this length and begins one byte after the start of `text`.
pub(super) fn comment_text(text: &[u8], length: usize) -> Comment<'_> {
    Comment(&text[1..=length])
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
