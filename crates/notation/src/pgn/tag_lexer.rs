//! The tokens of tags.

use super::lexer::WORD_LIMIT;
use super::scan::{find2, find3};
use super::window::{Window, is_blank};
use super::{PgnProblemKind, TagValue};
use std::io::Read;

/// The maximum length of a tag in bytes.
const TAG_LIMIT: usize = 1 << 17;

impl<R: Read> Window<R> {
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
        // A tag behind it may begin another game, so what is skipped must not depend on what follows there.
        let before_tag = memchr::memchr_iter(b']', line)
            .map(|bracket| bracket + 1)
            .find(|&end| line[end..].trim_ascii_start().starts_with(b"["));
        let tag = &line[..before_tag.unwrap_or(line.len())];
        let bracket = memchr::memchr(b']', tag).filter(|_| !tag.trim_ascii_end().ends_with(b"]"));
        match bracket.map(|bracket| bracket + 1).or(before_tag) {
            Some(end) => self.at = self.token + end,
            None => {
                self.at = self.token;
                self.skip_line();
            }
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
