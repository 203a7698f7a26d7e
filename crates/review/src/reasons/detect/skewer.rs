//! A slider drives a piece away and takes what stands behind it.

use super::Scene;
use crate::points::points;
use crate::reasons::claim::Motif;
use crate::reasons::line::{ray_men, target};
use bartizan_types::PieceType;

/// The slider that moved attacks a man; it moves, and the slider takes the one behind.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let (mv, capture) = (line.moves()[index], line.moves().get(index + 2)?);
    let after = line.after(index);
    let slider = target(after, mv.destination())?;
    let behind = line.capture(index + 2).filter(|_| capture.from() == slider.square)?;
    let (first, second) = ray_men(after, slider.square, behind.square)?;
    let front = target(after, first)?;
    let is_slider = matches!(slider.piece, PieceType::Bishop | PieceType::Rook | PieceType::Queen);
    let attacks = after.attacks_from(slider.square).contains(first) && second == behind.square;
    let is_theirs = after.color(line.loser()).contains(first) && after.color(line.loser()).contains(second);
    let moves = line.moves()[index + 1].from() == first;
    let counts = points(front.piece) >= points(behind.piece) && scene.is_prize(index + 2);
    (is_slider && attacks && is_theirs && moves && counts).then_some(Motif::Skewer { index, slider, front, behind })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<(Square, Square)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Skewer { front, behind, .. } => Some((front.square, behind.square)),
            _ => None,
        })
    }

    #[test]
    fn a_king_steps_aside() {
        assert_eq!(found("r7/8/8/3k4/8/8/8/2K2B2 w - - 0 1", "f1g2 d5d4 g2a8"), Some((Square::D5, Square::A8)));
        assert_eq!(found("4r3/8/4k3/8/8/8/8/R5K1 w - - 0 1", "a1e1 e6d6 e1e8"), Some((Square::E6, Square::E8)));
        assert_eq!(found("r6k/8/8/3q4/8/8/8/2K2B2 w - - 0 1", "f1g2 d5d4 g2a8"), Some((Square::D5, Square::A8)));
    }

    #[test]
    fn a_man_that_stays_or_a_pawn_in_front_is_none() {
        assert_eq!(found("r7/8/8/3p4/8/8/8/2K2B1k w - - 0 1", "f1g2 h1g2"), None);
        // The rook behind moves away instead and nothing is taken.
        assert_eq!(found("r7/8/8/3q4/8/8/8/2K2B1k w - - 0 1", "f1g2 d5g2"), None);
    }
}
