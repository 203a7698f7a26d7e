//! The weak back rank.

use super::Scene;
use crate::reasons::claim::Motif;
use bartizan_attacks as attacks;
use bartizan_types::{PieceType, Rank};

/// A rook or queen checks along the first rank of the king, which own men keep there.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let line = scene.line;
    let loser = line.loser();
    let after = line.after(scene.index);
    let king = after.king(loser);
    let rank = loser.relative_rank(Rank::First);
    let heavy = after.by_type(PieceType::Rook) | after.by_type(PieceType::Queen);
    let is_on_rank = king.rank() == rank && (after.checkers() & heavy & rank.bitboard()).any();
    let ahead = attacks::king(king) & loser.relative_rank(Rank::Second).bitboard();
    let own = ahead & after.color(loser);
    let without_king = after.occupied() ^ king.bitboard();
    let is_shut = (ahead - own).into_iter().all(|square| after.attackers_to(square, without_king, !loser).any());
    // Elsewhere than in a mate, the check must cost something at once.
    let counts = after.is_checkmate() || !scene.is_taken_back() && scene.prize == Some(scene.index + 2);
    (is_on_rank && own.any() && is_shut && counts).then_some(Motif::BackRank { index: scene.index, king })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use bartizan_types::Square;

    fn king(fen: &str, line: &str) -> Option<Square> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::BackRank { king, .. } => Some(king),
            _ => None,
        })
    }

    #[test]
    fn a_rook_mates_behind_the_pawns() {
        assert_eq!(king("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"), Some(Square::G8));
        assert_eq!(king("3r2k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "d8d1"), Some(Square::G1));
    }

    #[test]
    fn a_king_that_steps_out_or_a_mate_elsewhere_is_none() {
        // The king has luft on h7.
        assert_eq!(king("6k1/5pp1/7p/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8"), None);
        // Two rooks mate a king without pawns.
        assert_eq!(king("6k1/R7/8/8/8/8/8/1R4K1 w - - 0 1", "b1b8"), None);
    }
}
