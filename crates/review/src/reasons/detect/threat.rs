//! A single threat that cannot be met.

use super::Scene;
use crate::points::points;
use crate::reasons::claim::Motif;
use crate::reasons::line::{gaining_capture, is_protected, target};

/// The move attacks a man with the piece that moved, and takes it next.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let (at, after) = (line.at(index), line.after(index));
    let from = line.moves()[index].destination();
    let prize = line.capture(index + 2).filter(|_| scene.is_prize(index + 2))?;
    let attacker = target(after, from)?;
    let attacks = after.attacks_from(from).contains(prize.square) && line.moves()[index + 2].from() == from;
    let stood = target(after, prize.square) == Some(prize) && after.color(line.loser()).contains(prize.square);
    let threatens = after.play_null().is_some_and(|passed| gaining_capture(&passed, prize.square).is_some());
    let pays = points(prize.piece) > points(attacker.piece) || !is_protected(after, from, prize.square);
    let is_new = gaining_capture(at, prize.square).is_none();
    let found = line.capture(index).is_none() && attacks && stood && threatens && pays && is_new;
    found.then_some(Motif::Threat { index, attacker, target: prize })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<(Square, Square)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Threat { attacker, target, .. } => Some((attacker.square, target.square)),
            _ => None,
        })
    }

    #[test]
    fn a_pawn_attacks_a_knight() {
        let fen = "6k1/5ppp/3n4/8/4P3/8/6BP/6K1 w - - 0 1";
        assert_eq!(found(fen, "e4e5 g8f8 e5d6"), Some((Square::E5, Square::D6)));
    }

    #[test]
    fn a_rook_attacks_a_loose_pawn() {
        let fen = "6k1/5pp1/3p3p/8/8/8/6BP/R5K1 w - - 0 1";
        assert_eq!(found(fen, "a1d1 g8h7 d1d6"), Some((Square::D1, Square::D6)));
    }

    #[test]
    fn an_attack_on_a_protected_man_is_none() {
        let fen = "6k1/2p2pp1/3p3p/8/8/8/6BP/R5K1 w - - 0 1";
        assert_eq!(found(fen, "a1d1 g8h7 d1d6 c7d6"), None);
    }
}
