//! Moves as the client writes them, and as it wants them.

use bartizan_notation::san::parse_san;
use bartizan_position::Position;
use bartizan_protocol::xboard::MoveText;
use bartizan_types::{CastlingSide, Move, Variant};

/// The legal move that a text means; `None` if there is none. Not the null move.
pub(crate) fn resolve(position: &Position, text: &MoveText) -> Option<Move> {
    match text {
        MoveText::Move(mv) => position.resolve_uci(*mv).ok(),
        // Castling and the null move are texts of algebraic notation, too.
        other => parse_san(position, &other.to_string()).ok(),
    }
}

/// A move for the client: in coordinates, castling as `O-O` in fischerandom.
pub(crate) fn text(mv: Move, chess960: bool) -> MoveText {
    if chess960 && mv.is_castling() {
        MoveText::Castle(CastlingSide::of(mv.from(), mv.to()))
    } else {
        MoveText::Move(mv.to_uci(Variant::Standard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_castle() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let both = |word: &str| {
            let mv = resolve(&position, &MoveText::parse(word)).unwrap();
            (text(mv, false).to_string(), text(mv, true).to_string())
        };
        for word in ["e1g1", "O-O", "0-0"] {
            assert_eq!(both(word), ("e1g1".to_owned(), "O-O".to_owned()), "{word}");
        }
        assert_eq!(both("O-O-O"), ("e1c1".to_owned(), "O-O-O".to_owned()));
        assert_eq!(both("Rd1").0, "a1d1");
        assert_eq!(resolve(&position, &MoveText::parse("e1e3")), None);
        assert_eq!(resolve(&position, &MoveText::parse("Ke3")), None);
    }
}
