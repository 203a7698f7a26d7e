//! Moves as the client wants them.

use bartizan_protocol::xboard::MoveText;
use bartizan_types::{CastlingSide, File, Move, Variant};

/// A move in the client's notation: in coordinates, but castling as `O-O` in fischerandom. The same applies to the
/// castling of a king that is not on the e-file, in a Chess960 position set up in another variant: coordinates could
/// mean another move.
pub(crate) fn text(mv: Move, variant: Variant) -> MoveText {
    if mv.is_castling() && (variant == Variant::Chess960 || mv.from().file() != File::E) {
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

    #[test]
    fn castling_from_other_files_is_never_written_in_coordinates() {
        let position = Position::from_fen("1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1").unwrap();
        for (word, expected) in [("O-O", "O-O"), ("O-O-O", "O-O-O"), ("c1f1", "O-O"), ("c1b1", "O-O-O")] {
            let mv = resolve_move(&position, &MoveText::parse(word).to_string()).unwrap();
            for variant in [Variant::Standard, Variant::Chess960] {
                assert_eq!(text(mv, variant).to_string(), expected, "{word}");
            }
        }
    }
}
