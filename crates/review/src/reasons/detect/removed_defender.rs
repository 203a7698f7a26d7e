//! A defender is captured.

use super::Scene;
use crate::reasons::claim::Motif;
use crate::reasons::line::attacks_square;

/// The move captures the only protector of a man that is captured next.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let defender = line.capture(index)?;
    let target = line.capture(index + 2).filter(|target| target.square != defender.square)?;
    let at = line.at(index);
    let stood = at.piece_type_at(target.square) == Some(target.piece) && at.color(line.loser()).contains(target.square);
    let protectors = at.attackers_to(target.square, at.occupied(), line.loser());
    let is_only = attacks_square(at, defender.square, target.square) && !protectors.has_many();
    (stood && is_only && scene.is_prize(index + 2)).then_some(Motif::RemovedDefender { index, defender, target })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<(Square, Square)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::RemovedDefender { defender, target, .. } => Some((defender.square, target.square)),
            _ => None,
        })
    }

    #[test]
    fn a_protector_is_exchanged_first() {
        // The knight on c6 protects the bishop on e5.
        let fen = "6k1/1p3ppp/2n5/4b3/B7/5N2/8/6K1 w - - 0 1";
        assert_eq!(found(fen, "a4c6 b7c6 f3e5"), Some((Square::C6, Square::E5)));
        let fen = "6k1/5ppp/5n2/3r4/8/8/6B1/B5K1 w - - 0 1";
        assert_eq!(found(fen, "a1f6 g7f6 g2d5"), Some((Square::F6, Square::D5)));
    }

    #[test]
    fn one_of_two_protectors_is_not_enough() {
        let fen = "6k1/1p3ppp/2n2q2/4b3/B7/5N2/8/6K1 w - - 0 1";
        assert_eq!(found(fen, "a4c6 b7c6 f3e5 f6e5"), None);
    }
}
