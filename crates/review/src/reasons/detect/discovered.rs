//! Attacks from behind the man that moves.

use super::Scene;
use crate::points::points;
use crate::reasons::claim::{Motif, Target};
use crate::reasons::line::{is_protected, sliders, target};
use bartizan_attacks as attacks;
use bartizan_types::PieceType;

/// The move opens the line of a slider: to the king, or to a man that is taken later, or to a man that must be saved
/// while the man that moved takes something.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let mv = line.moves()[index];
    let (at, after) = (line.at(index), line.after(index));
    for from in sliders(after, line.winner()).into_iter().filter(|&from| from != mv.destination()) {
        let Some(slider) = target(after, from) else { continue };
        let opened = (after.attacks_from(from) - at.attacks_from(from)) & after.color(line.loser());
        for square in opened.into_iter().filter(|&square| attacks::between(from, square).contains(mv.from())) {
            let Some(target) = target(after, square) else { continue };
            if counts(scene, slider, target) && !mv.is_castling() {
                return Some(Motif::DiscoveredAttack { index, slider, target });
            }
        }
    }
    None
}

fn counts(scene: &Scene<'_>, slider: Target, target: Target) -> bool {
    let (line, index) = (scene.line, scene.index);
    let after = line.after(index);
    let is_worth = points(target.piece) > points(slider.piece) || !is_protected(after, slider.square, target.square);
    let is_taken = line
        .later_capture(index, target.square)
        .is_some_and(|later| scene.is_prize(later) && line.moves()[later].from() == slider.square);
    let mover = line.moves()[index].destination();
    let takes = line.moves().get(index + 2).is_some_and(|mv| mv.from() == mover)
        && line.capture(index + 2).is_some()
        && scene.is_prize(index + 2);
    let takes_now = line.capture(index).is_some() && scene.is_prize(index) && !scene.is_taken_back();
    let is_threat = target.piece == PieceType::King || is_worth && points(target.piece) >= 3;
    is_threat && (is_taken || takes || takes_now) || target.piece == PieceType::King && after.is_checkmate()
}

/// Two pieces give check.
pub(super) fn detect_double_check(scene: &Scene<'_>) -> Option<Motif> {
    let after = scene.line.after(scene.index);
    let is_double = after.checkers().has_many();
    let counts = after.is_checkmate() || scene.prize == Some(scene.index + 2) || scene.prize == Some(scene.index);
    (is_double && counts).then_some(Motif::DoubleCheck { index: scene.index })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<(Square, Square)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::DiscoveredAttack { slider, target, .. } => Some((slider.square, target.square)),
            _ => None,
        })
    }

    #[test]
    fn a_queen_is_attacked_behind_a_check() {
        // The bishop checks on h7 and uncovers the queen's line to the queen on d4.
        let fen = "6k1/5ppp/8/8/3q4/3B4/8/3Q3K w - - 0 1";
        assert_eq!(found(fen, "d3h7 g8h7 d1d4"), Some((Square::D1, Square::D4)));
    }

    #[test]
    fn a_knight_takes_while_the_king_is_in_check() {
        // The knight leaves the e-file with check by the rook and takes the queen.
        let fen = "4k3/3q4/8/8/4N3/8/8/4R1K1 w - - 0 1";
        assert_eq!(found(fen, "e4f6 e8d8 f6d7"), Some((Square::E1, Square::E8)));
        // It takes nothing.
        let fen = "4k3/8/1q6/8/4N3/8/8/4R2K w - - 0 1";
        assert_eq!(found(fen, "e4d6 e8d7 d6b5"), None);
    }

    #[test]
    fn two_checks_at_once() {
        let fen = "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1";
        let is_double = |line: &str| motifs(fen, line, None).iter().any(|m| matches!(m, Motif::DoubleCheck { .. }));
        assert!(!is_double("e4c5"));
        // Not a mate and no gain: not mentioned.
        assert!(!is_double("e4f6"));
        let mate = motifs("3qkb2/3ppp2/8/8/4N3/8/8/4R1K1 w - - 0 1", "e4d6", None);
        assert!(mate.is_empty() || !mate.contains(&Motif::DoubleCheck { index: 0 }));
    }
}
