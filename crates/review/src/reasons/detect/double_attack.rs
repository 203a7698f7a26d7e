//! A quiet move with two threats.

use super::Scene;
use crate::points::points;
use crate::reasons::claim::{Motif, Target};
use crate::reasons::line::{gaining_capture, target};
use bartizan_position::Position;
use bartizan_types::Color;

/// The move creates two threats of capture (or a check and one), and one of them is carried out.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    if line.capture(index).is_some() || scene.is_taken_back() {
        return None;
    }
    let (at, after) = (line.at(index), line.after(index));
    let loser = line.loser();
    let mut targets: Vec<Target> = match after.play_null() {
        Some(passed) => threatened(&passed, loser),
        None => return None,
    };
    targets.retain(|target| at.attackers_to(target.square, at.occupied(), line.winner()).is_empty());
    targets.sort_by_key(|target| -points(target.piece));
    let is_won = |target: &Target| line.later_capture(index, target.square).is_some_and(|later| scene.is_prize(later));
    (targets.len() > 1 && targets.iter().any(is_won)).then_some(Motif::DoubleAttack { index, targets })
}

/// The men of `side` that the other side, which is to move, can take with a gain.
fn threatened(position: &Position, side: Color) -> Vec<Target> {
    let men = position.color(side).into_iter();
    men.filter(|&square| gaining_capture(position, square).is_some())
        .filter_map(|square| target(position, square))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<Vec<Square>> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::DoubleAttack { targets, .. } => Some(targets.iter().map(|target| target.square).collect()),
            _ => None,
        })
    }

    #[test]
    fn two_pieces_are_attacked_by_different_men() {
        // The pawn attacks the knight and opens the bishop's line to the rook.
        let fen = "r5k1/5ppp/2n5/8/3P4/5PB1/6BP/6K1 w - - 0 1";
        assert_eq!(found(fen, "d4d5 c6b4 g1f1"), None);
        let fen = "r5k1/5ppp/3n4/8/4P3/8/6BP/6K1 w - - 0 1";
        assert_eq!(found(fen, "e4e5 a8a1 g1f2 g8f8 e5d6"), Some(vec![Square::A8, Square::D6]));
    }

    #[test]
    fn one_threat_is_no_double_attack() {
        let fen = "6k1/5ppp/3n4/8/4P3/8/6BP/6K1 w - - 0 1";
        assert_eq!(found(fen, "e4e5 g8f8 e5d6"), None);
    }

    #[test]
    fn an_old_threat_does_not_count() {
        let fen = "r5k1/5ppp/3n4/4P3/8/8/6BP/6K1 w - - 0 1";
        assert_eq!(found(fen, "g1f2 g8f8 e5d6"), None);
    }
}
