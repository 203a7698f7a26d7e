//! Positions to search for.

use bartizan_position::{Position, PositionError, Tolerance};
use bartizan_types::{Bitboard, Color, File, Key, Piece, Rank, Square};
use std::str::FromStr;

/// A position to search for: a FEN, or a board with wildcards.
///
/// | in the board | stands for            |
/// |--------------|-----------------------|
/// | `?`          | any piece, or none    |
/// | `!`          | any piece             |
/// | `A`, `a`     | any piece of White, of Black |
/// | `*`          | anything in the rest of the rank |
///
/// A complete FEN without wildcards matches its position: move numbers are ignored, and so is an en passant square that
/// no pawn can use. Otherwise the fields after the board may be omitted, and `?` matches any side to move, castling
/// rights or en passant square. Other values of these fields mean the same as in a complete FEN: `KQkq` in any order,
/// or `HAha`; an en passant square where a capture is possible, or one that a pawn has passed and no pawn can use. Move
/// numbers are ignored.
///
/// ```
/// use bartizan_games::filter::BoardPattern;
/// use bartizan_position::Position;
///
/// let isolated: BoardPattern = "*/*/*/*/???P????/*/PP???PPP/*".parse()?;
/// let position = Position::from_fen("r2q1rk1/pp2bppp/2n1pn2/8/3P4/P1N2N2/1P3PPP/R1BQ1RK1 w - - 0 12")?;
/// assert!(!isolated.matches(&position));
/// let position = Position::from_fen("r2q1rk1/pp2bppp/2n1pn2/8/3P4/2N2N2/PP3PPP/R1BQ1RK1 w - - 0 12")?;
/// assert!(isolated.matches(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPattern(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A position, and its number of pieces.
    Exact(Key, u32),
    Parts {
        /// Squares of each piece.
        pieces: Vec<(Piece, Bitboard)>,
        /// Squares with any white piece and any black piece.
        any: [Bitboard; 2],
        occupied: Bitboard,
        empty: Bitboard,
        turn: Option<Color>,
        /// The castling rights and the en passant square, as in FEN.
        rights: [Option<String>; 2],
        /// The minimum number of pieces.
        count: u32,
    },
}

/// A text is neither a position nor a pattern.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardPatternError {
    /// A rank of the board is invalid.
    #[error(
        "rank {0} of the board does not have 8 squares, or has a character other than a piece, a digit, ?, !, A, a, *"
    )]
    Rank(usize),
    /// The board does not have 8 ranks.
    #[error("the board has {0} ranks, expected 8 with / between them")]
    Ranks(usize),
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move must be w, b or ?, not '{0}'")]
    Turn(String),
    /// The castling rights are not valid.
    #[error("the castling rights must be ?, - or letters such as KQkq, not '{0}'")]
    Castling(String),
    /// The en passant square is not valid.
    #[error("the en passant square must be ?, - or a square, not '{0}'")]
    EnPassant(String),
    /// A field after these is not a number, or there are too many fields.
    #[error("unexpected '{0}' after the board, the side to move, castling rights, en passant square and two numbers")]
    Rest(String),
    /// A complete FEN is not a legal position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl BoardPattern {
    /// Whether a position matches.
    pub fn matches(&self, position: &Position) -> bool {
        match &self.0 {
            Kind::Exact(key, _) => position.key() == *key,
            Kind::Parts { pieces, any, occupied, empty, turn, rights, .. } => {
                pieces
                    .iter()
                    .all(|&(piece, squares)| squares.is_subset_of(position.pieces(piece.color(), piece.piece_type())))
                    && turn.is_none_or(|turn| position.turn() == turn)
                    && any[0].is_subset_of(position.color(Color::White))
                    && any[1].is_subset_of(position.color(Color::Black))
                    && occupied.is_subset_of(position.occupied())
                    && !empty.intersects(position.occupied())
                    && has_rights(position, rights)
            }
        }
    }

    /// Whether the pattern can still occur after a position: pieces only disappear.
    pub fn is_possible_after(&self, position: &Position) -> bool {
        let (Kind::Exact(_, count) | Kind::Parts { count, .. }) = &self.0;
        position.occupied().count() >= *count
    }
}

/// The beginning of a text, for an error message.
fn cut(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Whether a letter denotes a castling right, in FEN or in Shredder-FEN.
fn is_castling(c: char) -> bool {
    matches!(c.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h')
}

/// Whether a position has the castling rights and the en passant square, which make it the same position.
fn has_rights(position: &Position, rights: &[Option<String>; 2]) -> bool {
    if *rights == [None, None] {
        return true;
    }
    let fen = position.to_fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    for (field, wanted) in fields.iter_mut().skip(2).zip(rights) {
        *field = wanted.as_deref().unwrap_or(field);
    }
    let tolerance = Tolerance { castling: false, en_passant: false, ..Tolerance::ALL };
    Position::from_fen_with(&fields.join(" "), tolerance).is_ok_and(|same| same.key() == position.key())
}

impl FromStr for BoardPattern {
    type Err = BoardPatternError;

    fn from_str(text: &str) -> Result<Self, BoardPatternError> {
        let mut fields = text.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let turn = fields.next();
        let is_whole = fields.next().is_some() && !text.contains('?');
        if is_whole && !board.contains(['!', 'A', 'a', '*']) {
            let position = Position::from_fen(text)?;
            return Ok(Self(Kind::Exact(position.key(), position.occupied().count())));
        }
        let turn = match turn {
            None | Some("?" | "-") => None,
            Some("w") => Some(Color::White),
            Some("b") => Some(Color::Black),
            Some(other) => return Err(BoardPatternError::Turn(cut(other))),
        };
        let mut fields = text.split_whitespace().skip(2);
        let castling = fields.next().filter(|&field| field != "?");
        if let Some(wrong) = castling.filter(|&field| field != "-" && !field.chars().all(is_castling)) {
            return Err(BoardPatternError::Castling(cut(wrong)));
        }
        let en_passant = fields.next().filter(|&field| field != "?");
        if let Some(wrong) = en_passant.filter(|&field| field != "-" && field.parse::<Square>().is_err()) {
            return Err(BoardPatternError::EnPassant(cut(wrong)));
        }
        let is_number = |field: &str| field == "?" || field.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((_, wrong)) = fields.enumerate().find(|&(index, field)| index > 1 || !is_number(field)) {
            return Err(BoardPatternError::Rest(cut(wrong)));
        }
        let rights = [castling, en_passant].map(|field| field.map(str::to_owned));
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 8 {
            return Err(BoardPatternError::Ranks(ranks.len()));
        }
        let mut pieces: Vec<(Piece, Bitboard)> = Vec::new();
        let (mut any, mut occupied, mut empty) = ([Bitboard::EMPTY; 2], Bitboard::EMPTY, Bitboard::EMPTY);
        for (text, number) in ranks.into_iter().zip((1..=8).rev()) {
            let wrong = || BoardPatternError::Rank(number);
            let rank = Rank::try_from_index(number - 1).ok_or_else(wrong)?;
            let mut file = 0;
            for c in text.chars() {
                if c == '*' {
                    file = 8;
                    continue;
                }
                let width = c.to_digit(10).map_or(1, |digit| digit as usize);
                if width == 0 {
                    return Err(wrong());
                }
                for file in file..file + width {
                    let square = Square::new(File::try_from_index(file).ok_or_else(wrong)?, rank).bitboard();
                    match c {
                        '?' => {}
                        '!' => occupied |= square,
                        'A' => any[0] |= square,
                        'a' => any[1] |= square,
                        '1'..='8' => empty |= square,
                        _ => {
                            let piece = Piece::from_char(c).ok_or_else(wrong)?;
                            match pieces.iter_mut().find(|(known, _)| *known == piece) {
                                Some((_, squares)) => *squares |= square,
                                None => pieces.push((piece, square)),
                            }
                        }
                    }
                }
                file += width;
            }
            if file != 8 {
                return Err(wrong());
            }
        }
        let named = pieces.iter().map(|(_, squares)| squares.count()).sum::<u32>();
        let count = named + any[0].count() + any[1].count() + occupied.count();
        Ok(Self(Kind::Parts { pieces, any, occupied, empty, turn, rights, count }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_with_gaps() {
        let start = Position::startpos();
        let matches = |pattern: &str| pattern.parse::<BoardPattern>().unwrap().matches(&start);
        assert!(matches("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
        assert!(matches("a*/!!!!!!!!/*/*/8/????????/*/R?A?K* w"));
        assert!(!matches("*/*/*/*/*/*/*/* b") && matches("*/*/*/*/*/*/*/* ?"));
        assert!(matches("*/*/*/*/*/*/*/R* w KQkq - 0 1") && matches("*/*/*/*/*/*/*/* ? ? ? ? ?"));
        assert!(matches("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ? ?"));
        assert!(!matches("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w ? ?"));
        assert!(!matches("*/*/*/*/*/*/*/R* w KQ -") && !matches("*/*/*/*/*/*/*/R* w - -"));
        assert!(!matches("*/*/*/*/*/*/*/R* w ? e3"));
        assert!(!matches("*/*/*/*/4!3/*/*/*") && !matches("*/*/*/*/*/*/*/4Q*") && !matches("*/*/*/*/*/*/*/a*"));
        for (wrong, error) in [
            ("", "the board has 1 ranks, expected 8 with / between them"),
            ("*/*/*/*/*/*/*/9", "rank 1 of the board"),
            ("*/*/*/*/*/*/*/ppp", "rank 1 of the board"),
            ("*/x7/*/*/*/*/*/*", "rank 7 of the board"),
            ("80/*/*/*/*/*/*/*", "rank 8 of the board"),
            ("*/*/*/*/*/*/*/* x", "the side to move must be w, b or ?, not 'x'"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", ""),
            ("*/*/*/*/*/*/*/* w banana", "the castling rights must be ?, - or letters such as KQkq, not 'banana'"),
            ("*/*/*/*/*/*/*/* w - e9", "the en passant square must be ?, - or a square, not 'e9'"),
            ("*/*/*/*/*/*/*/* ? ? ? 0 x", "unexpected 'x' after the board"),
            ("*/*/*/*/*/*/*/* w - - 0 1 2", "unexpected '2' after the board"),
        ] {
            let found = wrong.parse::<BoardPattern>().unwrap_err().to_string();
            assert!(found.starts_with(error), "{wrong}: {found}");
        }
    }

    /// However the fields are written.
    #[test]
    fn castling_rights_and_en_passant_squares_mean_the_same_as_in_a_whole_position() {
        let matches = |pattern: &str, position: &Position| {
            let board = "*/*/*/*/*/*/*/*";
            format!("{board} {pattern}").parse::<BoardPattern>().unwrap().matches(position)
        };
        let start = Position::startpos();
        for (rights, expected) in [("QKqk", true), ("HAha", true), ("ahAH", true), ("KQ", false), ("HA", false)] {
            assert_eq!(matches(&format!("w {rights} -"), &start), expected, "{rights}");
        }
        // In the second position a pawn can capture on e3.
        let useless = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1".parse().unwrap();
        let useful = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3".parse().unwrap();
        let unused = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3".parse().unwrap();
        for (square, expected) in [("e3", [true, true, false]), ("-", [true, false, true]), ("d3", [false; 3])] {
            let found = [&useless, &useful, &unused].map(|position| matches(&format!("b ? {square}"), position));
            assert_eq!(found, expected, "{square}");
        }
    }

    #[test]
    fn a_whole_position_is_found_whatever_its_counters() {
        let pattern: BoardPattern = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 7 9".parse().unwrap();
        let after = Position::startpos().play(Position::startpos().parse_uci("e2e4").unwrap()).unwrap();
        assert!(pattern.matches(&after) && !pattern.matches(&Position::startpos()));
        assert!(pattern.is_possible_after(&after));
        assert!(!pattern.is_possible_after(&Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap()));
    }
}
