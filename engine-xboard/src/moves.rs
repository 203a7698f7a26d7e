//! Moves as the client wants them.

use bartizan_protocol::xboard::MoveText;
use bartizan_types::{CastlingSide, Move, Variant};

/// A move for the client: in coordinates, but castling as `O-O` in fischerandom.
pub(crate) fn text(mv: Move, variant: Variant) -> MoveText {
    if variant == Variant::Chess960 && mv.is_castling() {
        MoveText::Castle(CastlingSide::of(mv.from(), mv.to()))
    } else {
        MoveText::Move(mv.to_uci(Variant::Standard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_frontend::resolve_move;
    use bartizan_position::Position;

    #[test]
    fn all_ways_to_castle() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let both = |word: &str| {
            let mv = resolve_move(&position, &MoveText::parse(word).to_string()).unwrap();
            (text(mv, Variant::Standard).to_string(), text(mv, Variant::Chess960).to_string())
        };
        for word in ["e1g1", "O-O", "0-0"] {
            assert_eq!(both(word), ("e1g1".to_owned(), "O-O".to_owned()), "{word}");
        }
        assert_eq!(both("O-O-O"), ("e1c1".to_owned(), "O-O-O".to_owned()));
        assert_eq!(both("Rd1").0, "a1d1");
    }
}
