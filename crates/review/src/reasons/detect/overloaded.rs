//! A defender with two duties.

use super::Scene;
use crate::reasons::claim::Motif;
use crate::reasons::line::{attacks_square, gains, target};

/// The defender recaptures on one square, and the winner lands on the other that it protected.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let at = line.at(index);
    let (reply, next) = (line.moves().get(index + 1)?, line.moves().get(index + 2)?);
    let first = line.moves()[index].to();
    let second = next.to();
    let defender = target(at, reply.from())?;
    let takes_twice = line.capture(index).is_some() && line.capture(index + 1).is_some() && reply.to() == first;
    let had_duty =
        second != first && attacks_square(at, defender.square, first) && attacks_square(at, defender.square, second);
    let is_left = !attacks_square(line.after(index + 1), first, second);
    let wins = line.after(index + 2).is_checkmate()
        || line.capture(index + 2).is_some() && scene.is_prize(index + 2) && gains(line.at(index + 2), *next);
    let found = takes_twice && had_duty && is_left && wins;
    found.then_some(Motif::Overloaded { index, defender, first, second })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<(Square, Square, Square)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Overloaded { defender, first, second, .. } => Some((defender.square, first, second)),
            _ => None,
        })
    }

    #[test]
    fn a_queen_cannot_protect_two_pieces() {
        // The queen on d7 protects the knight on d5 and the bishop on a4.
        let fen = "6k1/3q2pp/8/3n4/b7/8/8/R2R2K1 w - - 0 1";
        assert_eq!(found(fen, "d1d5 d7d5 a1a4"), Some((Square::D7, Square::D5, Square::A4)));
    }

    #[test]
    fn a_guard_of_the_back_rank_is_lured_away() {
        // The rook on d8 guards the knight on d5 and the back rank.
        let fen = "3r2k1/5ppp/8/3n4/8/8/5PPP/3RR1K1 w - - 0 1";
        assert_eq!(found(fen, "d1d5 d8d5 e1e8"), Some((Square::D8, Square::D5, Square::E8)));
    }

    #[test]
    fn a_recapture_that_keeps_the_guard_is_none() {
        // After Qxd5 the queen still protects the bishop on g2's diagonal target a8.
        let fen = "r5k1/3q2pp/8/3n4/8/8/8/R2R2K1 w - - 0 1";
        assert_eq!(found(fen, "d1d5 d7d5 a1a8 d5a8"), None);
        // Another piece protects the bishop as well.
        let fen = "6k1/3q2pp/1n6/3n4/b7/8/8/R2R2K1 w - - 0 1";
        assert_eq!(found(fen, "d1d5 d7d5 a1a4 b6a4"), None);
    }
}
