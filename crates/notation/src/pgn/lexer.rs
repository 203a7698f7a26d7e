//! The tokens of PGN.

use super::scan::{find2, find3};
use super::window::{Window, is_blank};
use super::{Comment, MoveText, Nag, PgnErrorKind, TagValue};
use crate::san::San;
use crate::text::{self, decode, number_length};
use bartizan_position::Position;
use bartizan_types::{GameResult, Variant};
use std::io::Read;

/// The class of a byte for a word: 0 if it belongs to the word, [`STOP`] or [`FOREIGN`].
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let stops = matches!(byte as u8, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'"' | b'$' | b'*');
        if is_blank(byte as u8) || stops {
            classes[byte] = STOP;
        } else if byte >= 0x80 {
            classes[byte] = FOREIGN;
        }
        byte += 1;
    }
    classes
};

/// The byte ends a word.
const STOP: u8 = 1;

/// The byte is not ASCII.
const FOREIGN: u8 = 2;

/// The maximum length of a word in bytes; the rest is skipped.
const WORD_LIMIT: usize = 1 << 10;

/// The maximum length of a tag in bytes.
const TAG_LIMIT: usize = 1 << 16;

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
                    } else if length > 0 {
                        // A promotion as `e8(Q)`.
                        if text[length] != b'(' || !self.is_promotion(length) {
                            break;
                        }
                        length += 2;
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
    fn is_promotion(&mut self, length: usize) -> bool {
        while self.token_text().len() < length + 3 && self.more() {}
        matches!(self.token_text()[length..], [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..])
    }

    /// Skips the move number at the token if it has full stops. Returns whether it had.
    #[inline]
    pub(super) fn move_number(&mut self) -> bool {
        let text = self.token_text();
        let Some(digits) = text.iter().position(|byte| !byte.is_ascii_digit()) else { return false };
        let Some(stops) = text[digits..].iter().position(|&byte| byte != b'.') else { return false };
        // Anything longer is not a number.
        let is_number = stops > 0 && text[digits + stops] < 0x80 && digits + stops < WORD_LIMIT;
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

    /// Whether a result follows before a blank line, possibly after comments or `%` lines: after anything that does not
    /// definitely begin a game, so that a text cut here is read in the same way.
    pub(super) fn is_before_result(&mut self) -> bool {
        let (mut length, mut line_ends) = (0, 0);
        // The end of the comment, and the byte before it.
        let (mut closing, mut before) = (None, b' ');
        loop {
            // The longest result is `1/2-1/2`, and the ends of comments are not much longer.
            while self.ahead().len() <= length + NEXT_GAME.len() && self.more() {}
            let Some(rest @ [byte, ..]) = self.ahead().get(length..) else { return false };
            let byte = *byte;
            if line_ends == 2 || length >= WORD_LIMIT {
                return false;
            }
            match byte {
                // As when a comment is read: its brace is missing.
                b'\n' if rest[1..].starts_with(NEXT_GAME) => return false,
                _ if closing.is_some() => {
                    closing = closing.filter(|&end| end != byte);
                    line_ends = usize::from(closing.is_none() && byte == b'\n');
                }
                b'{' => closing = Some(b'}'),
                b';' => closing = Some(b'\n'),
                b'%' if before == b'\n' => closing = Some(b'\n'),
                _ if is_blank(byte) => line_ends += usize::from(byte == b'\n'),
                _ => {
                    let end = rest.iter().position(|&byte| CLASSES[usize::from(byte)] == STOP);
                    let word = end.map_or(rest, |end| &rest[..end]);
                    return byte == b'*' || matches!(classify(word), Symbol::Result(_));
                }
            }
            before = byte;
            length += 1;
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

    /// Reads the tag at the token. Skips the rest of the line if it is not a tag.
    #[inline]
    pub(super) fn tag(&mut self) -> Result<Tag, PgnErrorKind> {
        if let Some((tag, length)) = parse_plain_tag(self.token_text()) {
            self.at = self.token + length;
            return Ok(tag);
        }
        self.any_tag()
    }

    #[inline(never)]
    fn any_tag(&mut self) -> Result<Tag, PgnErrorKind> {
        let mut ended = false;
        loop {
            match parse_tag(self.token_text(), ended) {
                Parsed::Tag(tag, length) => {
                    self.at = self.token + length;
                    return Ok(tag);
                }
                Parsed::Unfinished if self.token_text().len() <= TAG_LIMIT => ended = !self.more(),
                Parsed::Invalid | Parsed::Unfinished => {
                    self.at = self.token;
                    self.skip_line();
                    return Err(PgnErrorKind::Tag);
                }
            }
        }
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

    /// Reads the comment in braces at the token. Returns the length of its text; the text begins after the brace.
    /// Where another game seems to begin, the closing brace is missing, and the games that follow are not skipped.
    ///
    /// If the text is not `wanted`, the token may be discarded.
    #[inline]
    pub(super) fn comment(&mut self, wanted: bool) -> Result<usize, PgnErrorKind> {
        let mut length = 1;
        let mut is_long = false;
        loop {
            let text = self.token_text();
            match find2(&text[length..], *b"}\n") {
                Some(more) => {
                    length += more + 1;
                    if text[length - 1] == b'}' {
                        self.at = self.token + length;
                        is_long |= length > COMMENT_LIMIT + 2;
                        return if is_long { Err(PgnErrorKind::TooLong) } else { Ok(length.saturating_sub(2)) };
                    }
                    if self.is_next_game(length) {
                        self.at = self.token + length;
                        return Err(PgnErrorKind::UnterminatedComment);
                    }
                }
                None => {
                    length = text.len();
                    if length > if wanted { COMMENT_LIMIT } else { 0 } {
                        is_long |= length > COMMENT_LIMIT;
                        self.at = self.token + length;
                        self.give_up();
                        length = 0;
                    }
                    if !self.more() {
                        self.at = self.token + length;
                        return Err(PgnErrorKind::UnterminatedComment);
                    }
                }
            }
        }
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

    /// Reads the comment after the semicolon at the token, to the end of the line: `\n`, `\r\n` or `\r`. Returns the
    /// length of its text.
    pub(super) fn line_comment(&mut self) -> Result<usize, PgnErrorKind> {
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
                return Err(PgnErrorKind::TooLong);
            }
            if !self.more() {
                break;
            }
        }
        self.at = self.token + length;
        Ok(length - 1)
    }
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
    /// The name, if it is a common one.
    pub(super) known_name: Option<&'static str>,
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
    let known_name = known_name(name);
    if known_name.is_none() && (name.is_empty() || !name.iter().all(|&byte| NAME[usize::from(byte)])) {
        return None;
    }
    let value = quote + 1;
    let end = value + find3(&text[value..], *b"\"\\\n")?;
    let tag = Tag { known_name, name: (1, name_end), value: (value, end), escaped: false };
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
fn known_name(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"Event" => "Event",
        b"Site" => "Site",
        b"Date" => "Date",
        b"Round" => "Round",
        b"White" => "White",
        b"Black" => "Black",
        b"Result" => "Result",
        b"ECO" => "ECO",
        b"WhiteElo" => "WhiteElo",
        b"BlackElo" => "BlackElo",
        b"UTCDate" => "UTCDate",
        b"UTCTime" => "UTCTime",
        b"WhiteRatingDiff" => "WhiteRatingDiff",
        b"BlackRatingDiff" => "BlackRatingDiff",
        b"Opening" => "Opening",
        b"Variation" => "Variation",
        b"TimeControl" => "TimeControl",
        b"Termination" => "Termination",
        b"PlyCount" => "PlyCount",
        b"EventDate" => "EventDate",
        b"WhiteTitle" => "WhiteTitle",
        b"BlackTitle" => "BlackTitle",
        b"WhiteFideId" => "WhiteFideId",
        b"BlackFideId" => "BlackFideId",
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
    loop {
        let Some(rest) = text.get(at..) else { return if ended { Parsed::Invalid } else { Parsed::Unfinished } };
        match rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | b'\n')) {
            None if ended => return Parsed::Invalid,
            None => return Parsed::Unfinished,
            Some(length) => at += length,
        }
        match text[at] {
            b'\n' => return Parsed::Invalid,
            b'\\' => {
                escaped = true;
                at += match get(at + 1) {
                    None => return Parsed::Unfinished,
                    Some(b'"' | b'\\') => 2,
                    Some(_) => 1,
                };
            }
            _ => {
                // Some programs do not escape quotation marks: only the last one ends the value.
                let after = skip_blanks(at + 1);
                let tag = Tag { known_name: None, name: (name, name_end), value: (value, at), escaped };
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
    /// A word to skip, such as a move number.
    Nothing,
    /// The result of the game.
    Result(GameResult),
    /// An annotation glyph.
    Nag(Nag),
    /// A move, and the glyphs attached to it.
    Move(MoveText<'a>, [Option<Nag>; 2]),
}

/// Whether a word is a move without a glyph. `false` is inconclusive.
#[inline]
pub(super) fn is_plain_move(word: &[u8]) -> bool {
    match word {
        [first, .., last] => MOVE[usize::from(*first)] && !GLYPH_END[usize::from(*last)],
        _ => false,
    }
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

/// Whether a byte begins only words that are moves. `e` also begins `e.p.`.
static MOVE: [bool; 256] = {
    let mut begins = [false; 256];
    let letters = b"abcdfghBKNOQR";
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

/// Separates the glyph at the end of a word. Marks without a meaning, such as `!!!`, are dropped.
fn split_glyph(word: &[u8]) -> (&[u8], Option<Nag>) {
    if ends_plainly(word) {
        return (word, None);
    }
    if let [.., b'!' | b'?'] = word {
        let length = word.iter().rposition(|byte| !matches!(byte, b'!' | b'?')).map_or(0, |last| last + 1);
        let (text, mark) = word.split_at(length);
        return (text, std::str::from_utf8(mark).ok().and_then(Nag::from_glyph));
    }
    Nag::split_glyph(word).map_or((word, None), |(text, nag)| (text, Some(nag)))
}

#[cold]
fn classify_rare(word: &[u8]) -> Symbol<'_> {
    if let [b'$', number @ ..] = word {
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        return number.map_or(Symbol::Nothing, |number| Symbol::Nag(Nag(number)));
    }
    let text = decode(word);
    if let Ok(result) = text.parse() {
        return Symbol::Result(result);
    }
    // Half a point for one side, none for the other.
    if matches!(&*text, "1/2-0" | "0-1/2" | "\u{bd}-0" | "0-\u{bd}") {
        return Symbol::Result(GameResult::Unknown);
    }
    if let Some(nag) = Nag::from_glyph(&text) {
        return Symbol::Nag(nag);
    }
    let says_something = text.contains(|c: char| c.is_ascii_alphanumeric()) || matches!(&*text, "--" | "@@@@");
    let is_number = text.chars().all(|c| c.is_ascii_digit()) && text != "0000";
    if !says_something || is_number || matches!(&*text, "e.p." | "e.p" | "ep" | "ep.") {
        Symbol::Nothing
    } else {
        with_glyphs(word)
    }
}

/// Whether a word may begin a game that has no tags: as a move number with full stops, or as a first move in SAN or
/// with its origin, as `Ng1-f3`, `e2e4`.
pub(super) fn begins_moves(word: &[u8]) -> bool {
    let (number, rest) = word.split_at(number_length(word));
    match (number, classify(rest)) {
        ([b'0'..=b'9', .., last], _) if !last.is_ascii_digit() => true,
        (_, Symbol::Move(text, _)) => {
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
        _ => false,
    }
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
