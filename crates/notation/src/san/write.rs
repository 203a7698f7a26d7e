//! Writing moves.

use super::stack_text::{StackText, impl_text};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use bartizan_position::{IllegalMove, Position};
use bartizan_types::{Bitboard, CastlingSide, Move, PieceType};
use core::fmt::{self, Write as _};

/// The text of a move in Standard Algebraic Notation, as in the export format of PGN. It is ordered by its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct San(pub(super) StackText<{ San::MAX_LEN }>);

impl_text!(San);

impl San {
    /// The maximum length in bytes, as of `Qa1xb2+`.
    pub const MAX_LEN: usize = 7;

    /// Formats a move of `position`. The origin is given only as far as needed to distinguish the move from other legal
    /// moves. An illegal move is formatted in coordinate notation.
    pub fn new(position: &Position, mv: Move) -> Self {
        Self(text_of(position, mv, |text, piece| write(text, position, mv, piece)))
    }
}

/// The text that `write` gives a legal move of a piece; coordinate notation for an illegal move.
pub(super) fn text_of<const N: usize>(
    position: &Position,
    mv: Move,
    write: impl FnOnce(&mut StackText<N>, PieceType) -> fmt::Result,
) -> StackText<N> {
    let mut text = StackText::EMPTY;
    let piece = position.piece_at(mv.from()).filter(|_| position.is_legal(mv));
    // Writing fails only if the text exceeds the buffer, which holds the longest.
    let _ = match piece {
        Some(piece) => write(&mut text, piece.piece_type()),
        None => write!(text, "{mv}"),
    };
    text
}

fn write(text: &mut impl fmt::Write, position: &Position, mv: Move, piece_type: PieceType) -> fmt::Result {
    if mv.is_castling() {
        text.write_str(castling(mv))?;
    } else {
        let capture = position.is_capture(mv);
        if piece_type != PieceType::Pawn {
            text.write_char(piece_type.to_char().to_ascii_uppercase())?;
            write_origin(text, position, mv, piece_type)?;
        } else if capture {
            write!(text, "{}", mv.from().file())?;
        }
        if capture {
            text.write_char('x')?;
        }
        write!(text, "{}", mv.to())?;
        write_promotion(text, mv)?;
    }
    text.write_str(check_mark(position, mv))
}

/// Writes the promotion of a pawn: `=Q`.
pub(super) fn write_promotion(text: &mut impl fmt::Write, mv: Move) -> fmt::Result {
    mv.promotes_to().map_or(Ok(()), |piece| write!(text, "={}", piece.to_char().to_ascii_uppercase()))
}

/// The text of castling.
pub(super) fn castling(mv: Move) -> &'static str {
    match CastlingSide::of(mv.from(), mv.to()) {
        CastlingSide::King => "O-O",
        CastlingSide::Queen => "O-O-O",
    }
}

/// `+` or `#` if a legal move gives check or mate.
pub(super) fn check_mark(position: &Position, mv: Move) -> &'static str {
    if !position.gives_check(mv) {
        ""
    } else if position.play_unchecked(mv).has_legal_move() {
        "+"
    } else {
        "#"
    }
}

/// Writes the file of the origin if it distinguishes the piece from others that can move there, else the rank, else
/// both.
fn write_origin(text: &mut impl fmt::Write, position: &Position, mv: Move, piece_type: PieceType) -> fmt::Result {
    let from = mv.from();
    let (mut others, mut same_file, mut same_rank) = (false, false, false);
    // Often there is a single piece of the type.
    if position.pieces(position.turn(), piece_type).has_many() {
        position.for_each_move_to(piece_type, mv.to(), Bitboard::ALL, |other| {
            let rival = other.from() != from;
            others |= rival;
            same_file |= rival && other.from().file() == from.file();
            same_rank |= rival && other.from().rank() == from.rank();
        });
    }
    match (others, same_file, same_rank) {
        (false, ..) => Ok(()),
        (true, false, _) => write!(text, "{}", from.file()),
        (true, true, false) => write!(text, "{}", from.rank()),
        (true, true, true) => write!(text, "{from}"),
    }
}

/// The number before the move of a position: `12. ` for White, `12... ` for Black.
pub fn move_number(position: &Position) -> String {
    let dots = if position.turn().is_white() { "." } else { "..." };
    format!("{}{dots} ", position.fullmove_number())
}

/// Moves with their numbers.
///
/// # Errors
/// [`IllegalMove`] if a move is not legal.
///
/// ```
/// use bartizan_notation::san::{SanExt, numbered};
/// use bartizan_position::Game;
///
/// let mut game = Game::default();
/// for text in ["e4", "e5", "Nf3"] {
///     game.push(game.parse_san(text)?)?;
/// }
/// let moves: Vec<_> = game.moves().collect();
/// assert_eq!(numbered(game.start(), &moves)?, "1. e4 e5 2. Nf3");
/// let after_e4 = game.start().play(moves[0])?;
/// assert_eq!(numbered(&after_e4, &moves[1..])?, "1... e5 2. Nf3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn numbered(start: &Position, moves: &[Move]) -> Result<String, IllegalMove> {
    let mut position = start.clone();
    let mut words = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let has_number = position.turn().is_white() || index == 0;
        let number = if has_number { move_number(&position) } else { String::new() };
        let next = position.play(mv)?;
        words.push(format!("{number}{}", San::new(&position, mv)));
        position = next;
    }
    Ok(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, uci: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        San::new(&position, position.parse_uci(uci).unwrap()).to_string()
    }

    #[test]
    fn origins_are_minimal() {
        for (fen, uci, text) in [
            ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
            ("k7/8/5N2/8/8/5N2/8/4K3 w - - 0 1", "f6d5", "Nd5"),
            ("4k3/8/8/1N6/8/1N6/8/4K3 w - - 0 1", "b3d4", "N3d4"),
            // The knight on e3 is pinned, so `Nc2` is unambiguous.
            ("4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"),
            ("7k/4P3/6K1/8/8/8/8/8 w - - 0 1", "e7e8q", "e8=Q#"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
            // The rook that castles gives check.
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
            // Chess960: the king on b1 castles with the rook on c1.
            ("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "O-O"),
            ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "O-O"),
        ] {
            assert_eq!(san(fen, uci), text, "{fen}");
        }
    }

    #[test]
    fn texts_are_sorted() {
        let start = Position::startpos();
        let mut sans: Vec<San> = start.legal_moves().into_iter().map(|mv| San::new(&start, mv)).collect();
        sans.sort();
        assert!(sans.is_sorted_by_key(|san| san.to_string()) && sans[0] == "Na3");
    }

    #[test]
    fn three_queens_need_the_whole_square() {
        let fen = "8/k7/8/8/4Q2Q/8/K7/7Q w - - 0 1";
        assert_eq!(san(fen, "h4e1"), "Qh4e1");
        assert_eq!(san(fen, "h1e1"), "Q1e1");
        assert_eq!(san(fen, "e4e1"), "Qee1");
    }

    #[test]
    fn numbered_moves_are_legal() {
        let start = Position::startpos();
        let [e4, e5] = ["e2e4", "e7e5"].map(|text| text.parse::<bartizan_types::UciMove>().unwrap());
        let e4 = start.resolve_uci(e4).unwrap();
        let e5 = Move::normal(e5.from, e5.to);
        assert_eq!(numbered(&start, &[]).as_deref(), Ok(""));
        assert_eq!(numbered(&start, &[e4, e5]).as_deref(), Ok("1. e4 e5"));
        assert_eq!(numbered(&start, &[e4, e4, e5]), Err(IllegalMove::new(e4)));
    }

    #[test]
    fn an_illegal_move_is_written_in_coordinates() {
        let start = Position::startpos();
        let mv = Move::normal(bartizan_types::Square::E2, bartizan_types::Square::E5);
        assert_eq!(San::new(&start, mv), "e2e5");
        assert_eq!(format!("{:>6}", San::new(&start, mv)), "  e2e5");
    }
}
