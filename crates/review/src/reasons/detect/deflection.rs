//! A defender is driven away.

use super::Scene;
use crate::reasons::claim::Motif;
use crate::reasons::line::{attacks_square, target};

/// The move attacks a defender or checks; the defender moves, and the winner takes what it protected.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let (at, after) = (line.at(index), line.after(index));
    let reply = *line.moves().get(index + 1)?;
    let prize = line.capture(index + 2).filter(|_| scene.is_prize(index + 2))?;
    let defender = target(at, reply.from())?;
    let is_driven = after.in_check() || attacks_square(after, line.moves()[index].destination(), defender.square);
    let moved = reply.destination() != prize.square && prize.square != defender.square;
    let stood = at.piece_type_at(prize.square) == Some(prize.piece) && at.color(line.loser()).contains(prize.square);
    let protectors = after.attackers_to(prize.square, after.occupied(), line.loser());
    let was_only = attacks_square(after, defender.square, prize.square)
        && attacks_square(at, defender.square, prize.square)
        && !protectors.has_many();
    let is_left = !attacks_square(line.after(index + 1), reply.destination(), prize.square);
    let found = is_driven && moved && stood && was_only && is_left && !reply.is_castling();
    found.then_some(Motif::Deflection { index, defender, target: prize })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<(Square, Square)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Deflection { defender, target, .. } => Some((defender.square, target.square)),
            _ => None,
        })
    }

    #[test]
    fn a_king_is_driven_from_its_rook() {
        let fen = "8/8/8/3kr3/8/8/1B6/3R2K1 b - - 0 1";
        assert_eq!(found(fen, "d5c6 b2e5"), None);
        let fen = "8/8/8/3kr3/8/8/1B6/R5K1 w - - 0 1";
        assert_eq!(found(fen, "a1d1 d5c6 b2e5"), Some((Square::D5, Square::E5)));
    }

    #[test]
    fn a_pawn_drives_a_knight_away() {
        let fen = "6k1/5ppp/5n2/3r4/6P1/8/8/3R2K1 w - - 0 1";
        assert_eq!(found(fen, "g4g5 f6h5 d1d5"), Some((Square::F6, Square::D5)));
    }

    #[test]
    fn a_defender_that_still_protects_is_none() {
        let fen = "6k1/5ppp/5n2/3r4/6P1/8/8/3R2K1 w - - 0 1";
        assert_eq!(found(fen, "g4g5 f6e4 d1d5"), Some((Square::F6, Square::D5)));
        assert_eq!(found(fen, "g4g5 d5d1"), None);
        let fen = "8/8/8/3kr3/8/8/1B6/R5K1 w - - 0 1";
        assert_eq!(found(fen, "a1d1 d5e6 b2e5 e6e5"), None);
    }
}
