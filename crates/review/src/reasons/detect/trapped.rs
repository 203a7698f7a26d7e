//! A piece without a safe square.

use super::Scene;
use crate::points::points;
use crate::reasons::claim::{Motif, Target};
use crate::reasons::line::{exchange, gaining_capture, target};
use bartizan_position::Position;
use bartizan_types::Move;

/// The move attacks a piece that is lost wherever it goes.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let after = line.after(index);
    let reply = *line.moves().get(index + 1)?;
    let prize = line.capture(index + 2).filter(|_| scene.is_prize(index + 2))?;
    // The piece stays where it is, or moves and is taken there.
    let square = if reply.destination() == prize.square { reply.from() } else { prize.square };
    let target = target(after, square).filter(|target| target.piece == prize.piece && points(target.piece) >= 3)?;
    let is_theirs = after.color(line.loser()).contains(square);
    (is_theirs && !after.in_check() && is_trapped(after, target)).then_some(Motif::Trapped { index, target })
}

/// Whether the piece of the side to move can be taken with a gain where it stands and after each of its moves.
fn is_trapped(position: &Position, target: Target) -> bool {
    let is_attacked = position.play_null().is_some_and(|passed| gaining_capture(&passed, target.square).is_some());
    let loses = |mv: Move| {
        // A capture may pay for the piece.
        let next = position.play_unchecked(mv);
        exchange(position, mv) < 0 && gaining_capture(&next, mv.destination()).is_some()
    };
    is_attacked && position.legal_moves().into_iter().filter(|mv| mv.from() == target.square).all(loses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn found(fen: &str, line: &str) -> Option<Square> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Trapped { target, .. } => Some(target.square),
            _ => None,
        })
    }

    #[test]
    fn a_bishop_is_shut_in_on_h2() {
        // g3 shuts the bishop in, and the king takes it.
        let fen = "6k1/5ppp/8/8/8/8/5PPb/5K2 w - - 0 1";
        assert_eq!(found(fen, "g2g3 g8f8 f1g2 f8e8 g2h2"), Some(Square::H2));
    }

    #[test]
    fn pawns_trap_a_bishop() {
        let fen = "6k1/1pp2ppp/p7/1b6/2P5/P7/1P3PPP/6K1 w - - 0 1";
        // It takes a pawn and is free.
        assert_eq!(found(fen, "c4b5 a6b5"), None);
        let fen = "6k1/2pp1ppp/1p6/p7/2P5/1P2b3/5PPP/R3R1K1 w - - 0 1";
        assert_eq!(found(fen, "f2e3"), None);
        // Noah's Ark: the bishop on b3 has no square after c4.
        let fen = "r1bqkbnr/5ppp/p2p4/1pp5/3QP3/1B6/PPP2PPP/RNB1K2R b KQkq - 0 9";
        assert_eq!(found(fen, "c5d4"), None);
        let fen = "r1b1kbnr/5ppp/p2p4/1pp5/4P3/1B6/PPP2PPP/RNB1K2R b KQkq - 0 9";
        assert_eq!(found(fen, "c5c4 e1g1 c4b3"), Some(Square::B3));
    }

    #[test]
    fn a_piece_with_a_way_out_is_none() {
        let fen = "r1b1kbnr/5ppp/p2p4/1pp5/4P3/1BP5/PP3PPP/RNB1K2R b KQkq - 0 9";
        assert_eq!(found(fen, "c5c4 e1g1 c4b3"), None);
    }
}
