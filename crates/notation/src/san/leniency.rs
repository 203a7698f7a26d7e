//! How the text of a move departs from the standard.

use super::San;
use super::shape::{is_separator, piece_letter, without_suffixes};
use alloc::vec::Vec;
use bartizan_position::Position;
use bartizan_types::{File, Move, PieceType, Rank};
use core::fmt;

/// A way in which the text of a move departs from the standard, and which [`parse_san`](super::parse_san) accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Leniency {
    /// A capture by a pawn names only its target, as an advance does: `c4` for `dxc4`. The writer may have meant
    /// another position.
    HiddenCapture,
    /// `x` is missing or superfluous, or another character stands between the squares: `e:d5`, `e2-e4`.
    CaptureMark,
    /// `+` or `#` is missing, superfluous, or written in another way or place: `++`, `ch`, `mate`, `+=Q`.
    CheckMark,
    /// The letter of the piece is missing, superfluous, or not that of the standard: `g1f3`, `Pe4`, `nf3`, `♘f3`.
    PieceLetter,
    /// The origin is longer or shorter than it must be, or the target is incomplete: `Ng1f3`, `ed`.
    Squares,
    /// The piece to which a pawn promotes does not follow `=`, or is not an upper-case letter: `e8Q`, `e8=q`, `e8(Q)`.
    Promotion,
    /// Castling is not written with two or three letters `O` and with dashes: `0-0`, `OO`, `Kg1`, `e1g1`.
    Castling,
    /// The text contains something that is no part of the move: `!?`, `e.p.`, `=` for a draw offer, white space.
    Remark,
}

impl fmt::Display for Leniency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::HiddenCapture => "a pawn's capture without the file of the pawn",
            Self::CaptureMark => "the mark of a capture is missing or wrong",
            Self::CheckMark => "the mark of check or mate is missing or wrong",
            Self::PieceLetter => "the letter of the piece is missing or wrong",
            Self::Squares => "the origin or the target is not as short as it can be and as long as it must be",
            Self::Promotion => "the promotion is not written as '=' with an upper-case letter",
            Self::Castling => "castling is not written as O-O or O-O-O",
            Self::Remark => "the text contains more than the move",
        })
    }
}

/// The ways in which a text departs from the standard if it denotes the legal move `mv`, as
/// [`parse_san`](super::parse_san) has found it. There are none exactly if the text is the one that [`San`] writes.
///
/// ```
/// use bartizan_notation::san::{Leniency, leniencies, parse_san};
/// use bartizan_position::Position;
///
/// let position = Position::from_fen("4k3/8/8/3p4/2P5/8/8/4K3 b - - 0 1")?;
/// for (text, expected) in [
///     ("dxc4", &[][..]),
///     ("dc4", &[Leniency::CaptureMark]),
///     ("c4", &[Leniency::HiddenCapture, Leniency::CaptureMark]),
/// ] {
///     let mv = parse_san(&position, text)?;
///     assert_eq!(leniencies(&position, mv, text), expected);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn leniencies(position: &Position, mv: Move, text: &str) -> Vec<Leniency> {
    let san = San::new(position, mv);
    let mut found = Vec::new();
    if san == text {
        return found;
    }
    let (mut marks, mut remarks) = (0, text.contains(char::is_whitespace));
    let mut last_mark = "";
    let body = without_suffixes(text, |suffix| {
        if matches!(suffix, "!" | "?" | "e.p." | "e.p" | "ep" | "=") {
            remarks = true;
        } else {
            marks += 1;
            last_mark = suffix;
        }
    });
    let standard = without_suffixes(san.as_str(), |_| {});
    let mark = &san.as_str()[standard.len()..];
    let mut add = |departs: bool, leniency| {
        if departs {
            found.push(leniency);
        }
    };
    if mv.is_castling() {
        add(body != standard, Leniency::Castling);
    } else {
        let (read, expected) = (Parts::of(body, mv), Parts::of(standard, mv));
        let hidden = is_hidden_capture(position, mv, text.as_bytes());
        add(hidden, Leniency::HiddenCapture);
        add(!read.separators().eq(expected.separators()), Leniency::CaptureMark);
        add(read.letter != expected.letter, Leniency::PieceLetter);
        add(!hidden && !read.squares().eq(expected.squares()), Leniency::Squares);
        add(read.promotion != expected.promotion, Leniency::Promotion);
    }
    add(last_mark != mark || marks > 1 || body.contains(['+', '#']), Leniency::CheckMark);
    add(remarks, Leniency::Remark);
    found.sort_unstable();
    found
}

/// Whether a text that denotes a move names only the target although the move is a capture by a pawn: see
/// [`Leniency::HiddenCapture`].
#[inline]
pub(crate) fn is_hidden_capture(position: &Position, mv: Move, text: &[u8]) -> bool {
    let (from, to) = (mv.from().file(), mv.to().file());
    from != to
        && position.piece_type_at(mv.from()) == Some(PieceType::Pawn)
        && text.iter().find_map(|&byte| File::from_char(char::from(byte))) == Some(to)
}

/// The parts of a move that is not castling, without marks of check.
struct Parts<'a> {
    /// The letter of the piece.
    letter: Option<char>,
    /// Origin and target, and what stands between them.
    step: &'a str,
    /// The text of the promotion, from `=`.
    promotion: &'a str,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str, mv: Move) -> Self {
        let letter = text.chars().next().filter(|&c| piece_letter(c).is_some());
        let text = &text[letter.map_or(0, char::len_utf8)..];
        // The target ends with its rank, except in a text such as `exd=Q`.
        let end = match text.rfind(|c| Rank::from_char(c).is_some()) {
            Some(rank) => rank + 1,
            None => text.find(|c| !is_square_part(c) && !is_separator(c)).unwrap_or(text.len()),
        };
        let end = if mv.promotes_to().is_some() { end } else { text.len() };
        let (step, promotion) = text.split_at(end);
        Self { letter, step, promotion: promotion.trim_start_matches(['+', '#']) }
    }

    fn squares(&self) -> impl Iterator<Item = char> {
        self.step.chars().filter(|&c| is_square_part(c))
    }

    fn separators(&self) -> impl Iterator<Item = char> {
        self.step.chars().filter(|&c| !is_square_part(c))
    }
}

fn is_square_part(c: char) -> bool {
    File::from_char(c).is_some() || Rank::from_char(c).is_some()
}

#[cfg(test)]
mod tests {
    use super::Leniency::{CaptureMark, Castling, CheckMark, HiddenCapture, PieceLetter, Promotion, Remark, Squares};
    use super::*;
    use crate::san::parse_san;

    #[track_caller]
    fn departs(fen: &str, text: &str, expected: &[Leniency]) {
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_san(&position, text).unwrap();
        assert_eq!(leniencies(&position, mv, text), expected, "{text}");
    }

    #[test]
    fn departures_are_named() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (text, expected) in [
            ("Nf3", &[][..]),
            ("Nxf3", &[CaptureMark]),
            ("Nf3+", &[CheckMark]),
            ("nf3", &[PieceLetter]),
            ("\u{2658}f3", &[PieceLetter]),
            ("Ngf3", &[Squares]),
            ("Ng1-f3", &[CaptureMark, Squares]),
            ("g1f3", &[PieceLetter, Squares]),
            ("Nf3!?", &[Remark]),
            (" Nf3", &[Remark]),
            ("Pe4", &[PieceLetter]),
            ("e2\u{2212}e4", &[CaptureMark, Squares]),
            ("e4=", &[Remark]),
        ] {
            departs(start, text, expected);
        }
        let captures = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for (text, expected) in [
            ("exd6", &[][..]),
            ("d6", &[HiddenCapture, CaptureMark]),
            ("Pd6", &[HiddenCapture, CaptureMark, PieceLetter]),
            ("ed6", &[CaptureMark]),
            ("e5xd6", &[Squares]),
            ("exd", &[Squares]),
            ("e:d6", &[CaptureMark]),
            ("exd6 e.p.", &[Remark]),
        ] {
            departs(captures, text, expected);
        }
        let promotion = "3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
        for (text, expected) in [
            ("e8=Q+", &[][..]),
            ("e8=Q", &[CheckMark]),
            ("e8=Q +", &[Remark]),
            ("e8=Qch", &[CheckMark]),
            ("e8=Q mate", &[CheckMark, Remark]),
            ("e8=Qdis.ch.", &[CheckMark]),
            ("e8+=Q", &[CheckMark]),
            ("e8Q+", &[Promotion]),
            ("e8(Q)+", &[Promotion]),
            ("e8=q+", &[Promotion]),
            ("exd=Q+", &[Squares]),
            ("e7xd8b", &[Squares, Promotion]),
            ("d8=Q+", &[HiddenCapture, CaptureMark]),
        ] {
            departs(promotion, text, expected);
        }
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["0-0", "OO", "o-o", "Kg1", "e1g1", "e1h1", "O\u{2013}O"] {
            departs(castling, text, &[Castling]);
        }
        departs(castling, "O-O-O", &[]);
        departs(castling, "0-0-0+!", &[CheckMark, Castling, Remark]);
    }
}
