//! Long algebraic notation.

use super::stack_text::{StackText, impl_text};
use super::write::{castling, check_mark, text_of, write_promotion};
use bartizan_position::Position;
use bartizan_types::{Move, PieceType};
use core::fmt;

/// The text of a move in long algebraic notation: with its whole origin, as `e2-e4`, `Ng1xf3+`, `e7xd8=Q` and `O-O`.
/// It is ordered by its text.
///
/// There is no standard. The text differs from SAN only in the origin, which SAN shortens, and in the dash of a move
/// that is no capture. [`parse_san`](super::parse_san) reads it.
///
/// ```
/// use bartizan_notation::san::Lan;
/// use bartizan_position::Position;
///
/// let start = Position::startpos();
/// assert_eq!(Lan::new(&start, start.parse_uci("g1f3")?), "Ng1-f3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lan(StackText<{ Lan::MAX_LEN }>);

impl_text!(Lan);

impl Lan {
    /// The maximum length in bytes, as of `e7xd8=Q+`.
    pub const MAX_LEN: usize = 8;

    /// Formats a move of `position`. An illegal move is formatted in coordinate notation.
    pub fn new(position: &Position, mv: Move) -> Self {
        Self(text_of(position, mv, |text, piece| write(text, position, mv, piece)))
    }
}

fn write(text: &mut impl fmt::Write, position: &Position, mv: Move, piece_type: PieceType) -> fmt::Result {
    if mv.is_castling() {
        text.write_str(castling(mv))?;
    } else {
        if piece_type != PieceType::Pawn {
            text.write_char(piece_type.to_char().to_ascii_uppercase())?;
        }
        let mark = if position.is_capture(mv) { 'x' } else { '-' };
        write!(text, "{}{mark}{}", mv.from(), mv.to())?;
        write_promotion(text, mv)?;
    }
    text.write_str(check_mark(position, mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_complete() {
        for (fen, uci, text) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e2-e4"),
            ("4k3/8/8/8/8/5p2/8/4K1N1 w - - 0 1", "g1f3", "Ng1xf3"),
            ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a4", "Qa1-a4+"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5xd6"),
            ("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "e7xd8=Q+"),
            ("7k/4P3/6K1/8/8/8/8/8 w - - 0 1", "e7e8r", "e7-e8=R#"),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
            ("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(Lan::new(&position, position.parse_uci(uci).unwrap()), text, "{fen}");
        }
    }

    #[test]
    fn an_illegal_move_is_written_in_coordinates() {
        let mv = Move::normal(bartizan_types::Square::E2, bartizan_types::Square::E5);
        assert_eq!(format!("{:>6}", Lan::new(&Position::startpos(), mv)), "  e2e5");
    }
}
