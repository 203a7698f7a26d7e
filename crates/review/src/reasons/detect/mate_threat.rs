//! A threat of mate.

use super::Scene;
use crate::reasons::claim::Motif;
use bartizan_types::Move;

/// If the other side passed after the move, it would be mated.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let after = line.after(index);
    let counts = scene.prize.is_some_and(|prize| prize > index) || line.end().is_checkmate() && index + 1 < line.len();
    let passed = after.play_null().filter(|_| counts && !scene.is_taken_back())?;
    let mates = |&mv: &Move| passed.gives_check(mv) && passed.play_unchecked(mv).is_checkmate();
    let mate = passed.legal_moves().into_iter().find(mates)?;
    // A threat that was there before is not the point of the move.
    let at = line.at(index);
    let is_new = !at.is_legal(mate) || !at.play_unchecked(mate).is_checkmate();
    is_new.then_some(Motif::MateThreat { index, mate })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::PieceType;

    fn mate(fen: &str, line: &str, won: PieceType) -> Option<String> {
        motifs(fen, line, Some(won)).into_iter().find_map(|motif| match motif {
            Motif::MateThreat { mate, .. } => Some(mate.to_string()),
            _ => None,
        })
    }

    #[test]
    fn a_queen_attacks_a_piece_and_threatens_mate() {
        // Qe4 threatens Qxh7 mate and attacks the rook on a8.
        let fen = "r4rk1/5ppp/8/8/8/3B4/5PPP/4Q1K1 w - - 0 1";
        assert_eq!(mate(fen, "e1e4 g7g6 e4a8", PieceType::Rook).as_deref(), Some("e4h7"));
    }

    #[test]
    fn a_rook_is_won_by_a_back_rank_threat() {
        let fen = "6k1/5ppp/8/1r6/8/8/5PPP/2R3K1 w - - 0 1";
        assert_eq!(mate(fen, "c1c2 h7h6", PieceType::Rook), None);
    }

    #[test]
    fn no_threat_no_finding() {
        let fen = "r4rk1/5pp1/6p1/8/8/3B4/5PPP/4Q1K1 w - - 0 1";
        assert_eq!(mate(fen, "e1e4 f8e8 e4a8", PieceType::Rook), None);
    }
}
