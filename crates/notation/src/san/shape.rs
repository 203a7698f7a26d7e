//! Parsing the text of a move without its position.

use bartizan_types::{Bitboard, CastlingSide, File, Piece, PieceType, Rank, Square};

/// The form of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `O-O`, `0-0-0`.
    Castling(CastlingSide),
    /// `--`, `Z0`.
    Null,
    /// Any other move.
    Step(Step),
    /// A capture by a pawn that names only files: `exd`, `ed`. The files, and the piece to which the pawn promotes.
    Files(File, File, Option<PieceType>),
}

/// A move of a piece to a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The piece, if the text names it. Otherwise the move is a pawn's, or any piece's if the origin is complete.
    pub(super) piece: Option<PieceType>,
    /// The file of the origin, if given.
    pub(super) file: Option<File>,
    /// The rank of the origin, if given.
    pub(super) rank: Option<Rank>,
    /// The target.
    pub(super) to: Square,
    /// The piece to which a pawn promotes.
    pub(super) promotion: Option<PieceType>,
}

impl Step {
    /// The squares that the text allows as the origin.
    #[inline]
    pub(super) fn origins(&self) -> Bitboard {
        let files = self.file.map_or(Bitboard::ALL, File::bitboard);
        let ranks = self.rank.map_or(Bitboard::ALL, Rank::bitboard);
        files & ranks
    }

    /// The origin, if file and rank are given.
    pub(super) fn from(&self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }
}

/// Whether the text is a null move.
pub(crate) fn is_null(text: &[u8]) -> bool {
    let without_check = text.strip_suffix(b"+").or_else(|| text.strip_suffix(b"#")).unwrap_or(text);
    matches!(without_check, b"--" | b"<>" | b"Z0" | b"0000" | b"@@@@" | b"null")
}

/// Parses a move that is written exactly as the standard says, except that `x` and `+` may be missing or superfluous.
/// `None` for other texts, which [`read`] may understand.
#[inline]
pub(super) fn read_plain(text: &[u8]) -> Option<Step> {
    let text = match text {
        [text @ .., b'+' | b'#'] => text,
        text => text,
    };
    let (piece, rest) = match *text {
        [b'N', ref rest @ ..] => (PieceType::Knight, rest),
        [b'B', ref rest @ ..] => (PieceType::Bishop, rest),
        [b'R', ref rest @ ..] => (PieceType::Rook, rest),
        [b'Q', ref rest @ ..] => (PieceType::Queen, rest),
        [b'K', ref rest @ ..] => (PieceType::King, rest),
        [b'a'..=b'h', ..] => (PieceType::Pawn, text),
        _ => return None,
    };
    let is_pawn = piece == PieceType::Pawn;
    let (rest, promotion) = match *rest {
        [ref rest @ .., b'=', letter] if is_pawn => (rest, Some(promotion_letter(letter)?)),
        ref rest => (rest, None),
    };
    let [origin @ .., file, rank] = rest else { return None };
    let to = Square::from_ascii(*file, *rank)?;
    let origin = match origin {
        [origin @ .., b'x'] => origin,
        origin => origin,
    };
    let (file, rank) = match *origin {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(File::from_index(usize::from(file - b'a'))), None),
        [rank @ b'1'..=b'8'] if !is_pawn => (None, Some(Rank::from_index(usize::from(rank - b'1')))),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] if !is_pawn => {
            (Some(File::from_index(usize::from(file - b'a'))), Some(Rank::from_index(usize::from(rank - b'1'))))
        }
        _ => return None,
    };
    Some(Step { piece: Some(piece), file, rank, to, promotion })
}

fn promotion_letter(letter: u8) -> Option<PieceType> {
    match letter {
        b'N' => Some(PieceType::Knight),
        b'B' => Some(PieceType::Bishop),
        b'R' => Some(PieceType::Rook),
        b'Q' => Some(PieceType::Queen),
        _ => None,
    }
}

/// Parses the text of a move; `None` if it is not a move.
pub(super) fn read(text: &str) -> Option<Shape> {
    if is_null(text.as_bytes()) {
        return Some(Shape::Null);
    }
    let text = without_suffixes(text, |_| {});
    castling(text).map(Shape::Castling).or_else(|| step(text).map(Shape::Step)).or_else(|| files(text))
}

/// Parses a capture by a pawn that names only files.
fn files(text: &str) -> Option<Shape> {
    let mut rest = text;
    let from = take(&mut rest, File::from_char)?;
    take(&mut rest, |c| matches!(c, 'x' | 'X' | ':' | '\u{d7}').then_some(()));
    let to = take(&mut rest, File::from_char)?;
    let promotion = promotion(rest)?;
    (from.distance(to) == 1).then_some(Shape::Files(from, to, promotion))
}

/// What may follow a move and is not needed to find it: marks of check and mate, evaluations, and words. A suffix that
/// ends with another one comes first.
const SUFFIXES: [&str; 20] = [
    "+", "#", "!", "?", "\u{2020}", "\u{2021}", "e.p.", "e.p", "ep", "mate", "check", "dis.ch.", "dis.ch", "disch",
    "dbl.ch.", "dbl.ch", "dblch", "ch.", "ch", "=",
];

/// Removes white space and what may follow a move, last first. Calls `found` with each suffix.
pub(super) fn without_suffixes(text: &str, mut found: impl FnMut(&'static str)) -> &str {
    let mut text = text.trim();
    while let Some((suffix, shorter)) =
        SUFFIXES.into_iter().find_map(|suffix| text.strip_suffix(suffix).map(|shorter| (suffix, shorter)))
    {
        found(suffix);
        text = shorter.trim_end();
    }
    text
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether a character may stand between the squares of a move.
pub(super) fn is_separator(c: char) -> bool {
    matches!(c, 'x' | 'X' | ':' | '\u{d7}') || is_dash(c)
}

fn castling(text: &str) -> Option<CastlingSide> {
    let mut letters = 0;
    for c in text.chars() {
        match c {
            'O' | 'o' | '0' => letters += 1,
            _ if is_dash(c) => {}
            _ => return None,
        }
    }
    match letters {
        2 => Some(CastlingSide::King),
        3 => Some(CastlingSide::Queen),
        _ => None,
    }
}

fn step(text: &str) -> Option<Step> {
    let mut rest = text;
    let piece = take(&mut rest, piece_letter);
    let mut file = take(&mut rest, File::from_char);
    let mut rank = take(&mut rest, Rank::from_char);
    take(&mut rest, |c| is_separator(c).then_some(()));
    let (to_file, to_rank) = match take(&mut rest, File::from_char) {
        Some(to_file) => (to_file, take(&mut rest, Rank::from_char)?),
        // A single square is the target.
        None => (file.take()?, rank.take()?),
    };
    let promotion = promotion(rest)?;
    Some(Step { piece, file, rank, to: Square::new(to_file, to_rank), promotion })
}

/// Parses a promotion: `=Q`, `Q`, `q`, `(Q)` or `/Q`, or `+=Q` with the mark of check before it. An empty text means no
/// promotion.
fn promotion(text: &str) -> Option<Option<PieceType>> {
    let text = text.strip_prefix(['+', '#']).filter(|rest| rest.starts_with('=')).unwrap_or(text);
    let text = text.strip_prefix(['=', '/']).unwrap_or(text);
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    if text.is_empty() {
        return Some(None);
    }
    let mut rest = text;
    let piece_type = take(&mut rest, |c| figurine(c).or_else(|| PieceType::from_char(c)))?;
    (rest.is_empty() && PieceType::PROMOTIONS.contains(&piece_type)).then_some(Some(piece_type))
}

/// Converts a piece letter or figurine. Lower-case letters are accepted except `b`, which is a file.
pub(super) fn piece_letter(c: char) -> Option<PieceType> {
    match c {
        'P' | 'N' | 'B' | 'R' | 'Q' | 'K' | 'p' | 'n' | 'r' | 'q' | 'k' => PieceType::from_char(c),
        _ => figurine(c),
    }
}

fn figurine(c: char) -> Option<PieceType> {
    Piece::ALL.into_iter().find(|piece| piece.to_figurine() == c).map(Piece::piece_type)
}

/// Removes the first character and returns `f` of it, unless `f` returns `None`.
fn take<T>(rest: &mut &str, f: impl FnOnce(char) -> Option<T>) -> Option<T> {
    let mut chars = rest.chars();
    let value = f(chars.next()?)?;
    *rest = chars.as_str();
    Some(value)
}
