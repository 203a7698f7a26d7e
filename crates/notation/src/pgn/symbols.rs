//! What the words of the movetext are.

use super::{MoveText, Nag};
use crate::san::{San, is_null};
use crate::text::decode;
use bartizan_position::Position;
use bartizan_types::{GameResult, Variant};

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
