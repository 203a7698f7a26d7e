//! Reading and writing FEN, X-FEN and Shredder-FEN.
//!
//! FEN: Steven J. Edwards, "PGN Specification and Implementation Guide" (1994), section 16.1. In X-FEN
//! (Reinhard Scharnagl), `KQkq` mean the outermost rooks and file letters other rooks. Shredder-FEN always uses file
//! letters.

use crate::{Position, Setup};
use alloc::string::String;
use bartizan_types::{CastlingSide, Color, File, Piece, PieceType, Rank, Square};
use core::fmt;
use core::str::FromStr;

/// The fields of a FEN in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FenField {
    /// The pieces, from rank 8 to rank 1.
    Board,
    /// The side to move: `w` or `b`.
    Turn,
    /// The castling rights: `KQkq`, file letters or `-`.
    Castling,
    /// The en passant square or `-`.
    EnPassant,
    /// The number of plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::Turn => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// The greatest counter in a FEN.
const MAX_COUNTER: u16 = 9_999;

/// The error of parsing a FEN. Columns count characters from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum FenError {
    /// A required field is missing: the board or the side to move.
    Missing(FenField),
    /// A character that is not valid in its field.
    Unexpected {
        /// The field.
        field: FenField,
        /// The character.
        found: char,
        /// The column of the character.
        column: usize,
    },
    /// A rank does not have eight squares.
    RankWidth {
        /// The rank.
        rank: Rank,
        /// The number of squares given; 9 stands for nine or more.
        squares: u8,
        /// The column of the end of the rank.
        column: usize,
    },
    /// The board does not have eight ranks.
    RankCount(usize),
    /// Two numbers of empty squares stand side by side.
    AdjacentNumbers {
        /// The column of the second number.
        column: usize,
    },
    /// A castling right is given twice.
    RepeatedRight {
        /// The second letter.
        letter: char,
        /// The column of the letter.
        column: usize,
    },
    /// A counter exceeds 9,999.
    TooLarge {
        /// The field.
        field: FenField,
        /// The column of the counter.
        column: usize,
    },
    /// Text follows the sixth field.
    Trailing {
        /// The column of the text.
        column: usize,
    },
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid FEN: ")?;
        match *self {
            Self::Missing(field) => write!(f, "the {field} is missing"),
            Self::Unexpected { field, found, column } => {
                write!(f, "unexpected '{}' in the {field} at column {column}", found.escape_default())
            }
            Self::RankWidth { rank, squares, column } => {
                let or_more = if squares > 8 { " or more" } else { "" };
                write!(f, "rank {rank} has {squares}{or_more} squares, not 8, at column {column}")
            }
            Self::RankCount(ranks) => write!(f, "the board has {ranks} ranks, not 8"),
            Self::AdjacentNumbers { column } => write!(f, "two numbers side by side in the board at column {column}"),
            Self::RepeatedRight { letter, column } => {
                write!(f, "repeated castling right '{letter}' at column {column}")
            }
            Self::TooLarge { field, column } => write!(f, "the {field} at column {column} exceeds {MAX_COUNTER}"),
            Self::Trailing { column } => write!(f, "unexpected text after the sixth field at column {column}"),
        }
    }
}

impl core::error::Error for FenError {}

/// The notation of castling rights in a FEN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FenStyle {
    /// `KQkq` for the outermost rooks, file letters for others. In standard chess these are the letters of FEN.
    #[default]
    XFen,
    /// File letters for all rooks: `HAha`.
    Shredder,
}

/// The text of a field and the column of its first character.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    column: usize,
    field: FenField,
}

impl Word<'_> {
    fn unexpected(self, offset: usize, found: char) -> FenError {
        FenError::Unexpected { field: self.field, found, column: self.column + offset }
    }

    /// The error for a word that is wrong as a whole. It names the first character of the word.
    fn unexpected_start(self) -> FenError {
        self.unexpected(0, self.text.chars().next().unwrap_or(' '))
    }
}

impl Setup {
    /// Parses FEN, X-FEN or Shredder-FEN. The board and the side to move are required. Trailing fields may be omitted;
    /// they default to `-`, `-`, `0` and `1`.
    ///
    /// The setup need not be legal; see [`Setup::validate`].
    ///
    /// As cozy-chess and shakmaty do, it accepts castling rights in any order (`kqKQ`); as cozy-chess does, it refuses
    /// repeated ones (`KK`, and `KH` if both are the rook on h1). python-chess refuses those of Black before those of
    /// White. Two numbers side by side (`44`) are refused, as python-chess does.
    ///
    /// # Errors
    /// [`FenError`] says what is wrong and at which column.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut words = words(fen);
        let mut next = |field| words.next().map(|(column, text)| Word { text, column, field });
        let mut setup = Self::EMPTY;
        parse_board(next(FenField::Board).ok_or(FenError::Missing(FenField::Board))?, &mut setup)?;
        let turn = next(FenField::Turn).ok_or(FenError::Missing(FenField::Turn))?;
        setup.turn = turn.text.parse().map_err(|_| turn.unexpected_start())?;
        if let Some(word) = next(FenField::Castling) {
            parse_castling(word, &mut setup)?;
        }
        if let Some(word) = next(FenField::EnPassant)
            && word.text != "-"
        {
            let square: Square = word.text.parse().map_err(|_| word.unexpected_start())?;
            // Double steps pass only squares of these ranks.
            if !matches!(square.rank(), Rank::Third | Rank::Sixth) {
                return Err(word.unexpected(1, square.rank().to_char()));
            }
            setup.en_passant = Some(square);
        }
        if let Some(word) = next(FenField::HalfmoveClock) {
            setup.halfmove_clock = parse_counter(word)?;
        }
        if let Some(word) = next(FenField::FullmoveNumber) {
            // Some programs count moves from 0.
            setup.fullmove_number = parse_counter(word)?.max(1);
        }
        match words.next() {
            Some((column, _)) => Err(FenError::Trailing { column }),
            None => Ok(setup),
        }
    }

    /// Formats the setup as FEN.
    pub fn to_fen(&self, style: FenStyle) -> String {
        let mut fen = String::with_capacity(90);
        // Writing to a String cannot fail.
        let _ = self.write_fen(&mut fen, style);
        fen
    }

    fn write_fen(&self, out: &mut impl fmt::Write, style: FenStyle) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_at(Square::new(file, rank)) {
                    Some(piece) => {
                        if empty > 0 {
                            write!(out, "{empty}")?;
                            empty = 0;
                        }
                        out.write_char(piece.to_char())?;
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                write!(out, "{empty}")?;
            }
            if rank != Rank::First {
                out.write_char('/')?;
            }
        }
        write!(out, " {} ", self.turn)?;
        self.write_castling(out, style)?;
        match self.en_passant {
            Some(square) => write!(out, " {square}")?,
            None => out.write_str(" -")?,
        }
        // A game can run longer than the reader accepts.
        write!(out, " {} {}", self.halfmove_clock.min(MAX_COUNTER), self.fullmove_number.min(MAX_COUNTER))
    }

    fn write_castling(&self, out: &mut impl fmt::Write, style: FenStyle) -> fmt::Result {
        if self.castling.is_empty() {
            return out.write_char('-');
        }
        for color in Color::ALL {
            let king = self.kings(color).first();
            // The king's side comes first, as in KQkq.
            let mut rooks = self.castling.rooks_of(color);
            while let Some(rook) = rooks.last() {
                rooks -= rook.bitboard();
                let letter = match king.map(|king| (king, CastlingSide::of(king, rook))) {
                    Some((king, side))
                        if style == FenStyle::XFen && self.outermost(color, king, side) == Some(rook) =>
                    {
                        match side {
                            CastlingSide::King => 'k',
                            CastlingSide::Queen => 'q',
                        }
                    }
                    _ => rook.file().to_char(),
                };
                out.write_char(if color.is_white() { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        Ok(())
    }

    /// The rook of `color` that is farthest from its king on one side of the back rank.
    fn outermost(&self, color: Color, king: Square, side: CastlingSide) -> Option<Square> {
        let rooks = self.pieces(PieceType::Rook.of(color)) & color.relative_rank(Rank::First).bitboard();
        let rook = match side {
            CastlingSide::King => rooks.last(),
            CastlingSide::Queen => rooks.first(),
        }?;
        (CastlingSide::of(king, rook) == side && king.rank() == rook.rank()).then_some(rook)
    }
}

/// The words of a text with their columns.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let mut column = 1;
    core::iter::from_fn(move || {
        let trimmed = rest.trim_start();
        column += rest[..rest.len() - trimmed.len()].chars().count();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let (word, after) = trimmed.split_at(end);
        rest = after;
        let start = column;
        column += word.chars().count();
        (!word.is_empty()).then_some((start, word))
    })
}

fn parse_board(word: Word<'_>, setup: &mut Setup) -> Result<(), FenError> {
    let ranks = word.text.split('/').count();
    if ranks != 8 {
        // A wrong character is a better message than a wrong count.
        if let Some((offset, found)) = word
            .text
            .chars()
            .enumerate()
            .find(|&(_, c)| c != '/' && !c.is_ascii_digit() && Piece::from_char(c).is_none())
        {
            return Err(word.unexpected(offset, found));
        }
        return Err(FenError::RankCount(ranks));
    }
    let mut offset = 0;
    for (rank, text) in Rank::ALL.into_iter().rev().zip(word.text.split('/')) {
        let mut file: usize = 0;
        let mut after_number = false;
        for c in text.chars() {
            match c {
                '1'..='8' if after_number => {
                    return Err(FenError::AdjacentNumbers { column: word.column + offset });
                }
                '1'..='8' => file += c as usize - '0' as usize,
                _ => {
                    let piece = Piece::from_char(c).ok_or_else(|| word.unexpected(offset, c))?;
                    if let Some(file) = File::try_from_index(file) {
                        setup.board[Square::new(file, rank).index()] = Some(piece);
                    }
                    file += 1;
                }
            }
            after_number = c.is_ascii_digit();
            offset += 1;
        }
        if file != 8 {
            let squares = file.min(9) as u8;
            return Err(FenError::RankWidth { rank, squares, column: word.column + offset });
        }
        offset += 1;
    }
    Ok(())
}

fn parse_castling(word: Word<'_>, setup: &mut Setup) -> Result<(), FenError> {
    if word.text == "-" {
        return Ok(());
    }
    for (offset, c) in word.text.chars().enumerate() {
        let rook = castling_rook(c, setup).ok_or_else(|| word.unexpected(offset, c))?;
        if setup.castling.rooks().contains(rook) {
            return Err(FenError::RepeatedRight { letter: c, column: word.column + offset });
        }
        setup.castling.insert(rook);
    }
    Ok(())
}

/// The rook that a letter of the castling rights denotes.
fn castling_rook(letter: char, setup: &Setup) -> Option<Square> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let back = color.relative_rank(Rank::First);
    let (side, corner) = match letter.to_ascii_lowercase() {
        'k' => (CastlingSide::King, File::H),
        'q' => (CastlingSide::Queen, File::A),
        file => return Some(Square::new(File::from_char(file)?, back)),
    };
    let outermost = setup.kings(color).first().and_then(|king| setup.outermost(color, king, side));
    // If there is no rook, use the corner: validation reports the missing rook.
    Some(outermost.unwrap_or(Square::new(corner, back)))
}

fn parse_counter(word: Word<'_>) -> Result<u16, FenError> {
    if word.text == "-" {
        return Ok(0);
    }
    let mut value: u16 = 0;
    for (offset, c) in word.text.chars().enumerate() {
        let digit = c.to_digit(10).ok_or_else(|| word.unexpected(offset, c))?;
        value = value.saturating_mul(10).saturating_add(digit as u16);
    }
    if value > MAX_COUNTER { Err(FenError::TooLarge { field: word.field, column: word.column }) } else { Ok(value) }
}

impl FromStr for Setup {
    type Err = FenError;
    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}

/// Formats as X-FEN, with `{:#}` as Shredder-FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, if f.alternate() { FenStyle::Shredder } else { FenStyle::XFen })
    }
}

impl Position {
    /// Formats the position as X-FEN, with the en passant square only if a pawn can legally capture there. In standard
    /// chess, this is FEN except for that square: the standard writes it after every double step.
    pub fn to_fen(&self) -> String {
        self.to_setup().to_fen(FenStyle::XFen)
    }

    /// Formats the position as [`to_fen`](Self::to_fen) does, with castling rights in the given style.
    pub fn to_fen_style(&self, style: FenStyle) -> String {
        self.to_setup().to_fen(style)
    }
}

/// Formats as X-FEN, with `{:#}` as Shredder-FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_setup(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn errors_name_the_place_and_the_reason() {
        for (fen, error) in [
            ("", "invalid FEN: the board is missing"),
            ("8/8/8/8/8/8/8/8", "invalid FEN: the side to move is missing"),
            ("8/8/8 w", "invalid FEN: the board has 3 ranks, not 8"),
            ("8/8/8/8/8/8/8/7x w", "invalid FEN: unexpected 'x' in the board at column 16"),
            ("hello w", "invalid FEN: unexpected 'h' in the board at column 1"),
            ("8/8/8/8/8/8/8/9 w", "invalid FEN: unexpected '9' in the board at column 15"),
            ("8/8/8/8/8/8/8/7 w", "invalid FEN: rank 1 has 7 squares, not 8, at column 16"),
            ("8/8/8/8/8/8/8/ppppppppp w", "invalid FEN: rank 1 has 9 or more squares, not 8, at column 24"),
            ("8/8/8/44/8/8/8/8 w", "invalid FEN: two numbers side by side in the board at column 8"),
            ("8/p11p4/8/8/8/8/8/8 w", "invalid FEN: two numbers side by side in the board at column 5"),
            ("8/8/8/8/8/8/8/8 w KQKk", "invalid FEN: repeated castling right 'K' at column 21"),
            ("8/8/8/8/8/8/8/8 w kKqq", "invalid FEN: repeated castling right 'q' at column 22"),
            ("8/8/8/8/8/8/8/4K2R w KH", "invalid FEN: repeated castling right 'H' at column 23"),
            ("8/8/8/8/8/8/8/8 x", "invalid FEN: unexpected 'x' in the side to move at column 17"),
            ("8/8/8/8/8/8/8/8 w Kx", "invalid FEN: unexpected 'x' in the castling rights at column 20"),
            ("8/8/8/8/8/8/8/8 w - e9", "invalid FEN: unexpected 'e' in the en passant square at column 21"),
            ("8/8/8/8/8/8/8/8 w - e5", "invalid FEN: unexpected '5' in the en passant square at column 22"),
            ("8/8/8/8/8/8/8/8 w - - -1", "invalid FEN: unexpected '-' in the halfmove clock at column 23"),
            ("8/8/8/8/8/8/8/8 w - - 0 99999", "invalid FEN: the fullmove number at column 25 exceeds 9999"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 x", "invalid FEN: unexpected text after the sixth field at column 27"),
            ("é/8/8/8/8/8/8/8 w", "invalid FEN: unexpected '\\u{e9}' in the board at column 1"),
        ] {
            assert_eq!(Setup::from_fen(fen).unwrap_err().to_string(), error, "{fen}");
        }
    }

    /// Found by fuzzing: a game longer than the counters of a FEN allow.
    #[test]
    fn counters_that_are_written_can_be_read() {
        let mut setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 9999 9999").unwrap();
        (setup.halfmove_clock, setup.fullmove_number) = (10_000, u16::MAX);
        assert_eq!(setup.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 9999 9999");
        assert!(Setup::from_fen(&setup.to_string()).is_ok());
    }

    #[test]
    fn castling_rights_in_every_style() {
        // An inner rook has the right: X-FEN must name its file.
        let inner = Setup::from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1").unwrap();
        assert_eq!(inner.castling.rooks(), Square::F1.bitboard());
        assert_eq!(inner.to_string(), "4k3/8/8/8/8/8/8/4KR1R w F - 0 1");
        let outer = Setup::from_fen("4k3/8/8/8/8/8/8/4KR1R w K - 0 1").unwrap();
        assert_eq!(outer.castling.rooks(), Square::H1.bitboard());
        assert_eq!(outer.to_fen(FenStyle::Shredder), "4k3/8/8/8/8/8/8/4KR1R w H - 0 1");
        let start = Setup::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1").unwrap();
        assert_eq!(start.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start, Setup::from_fen(&start.to_fen(FenStyle::Shredder)).unwrap());
        let disordered = Setup::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkAK - 0 1").unwrap();
        assert_eq!(disordered, start);
    }

    #[test]
    fn trailing_fields_may_be_omitted() {
        let full = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        for fen in ["4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - -", "  4k3/8/8/8/8/8/8/4K3\tb - - 0\r\n"] {
            assert_eq!(Setup::from_fen(fen).unwrap(), full);
        }
    }
}
