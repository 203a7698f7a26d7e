//! Smothered mate.

use super::Scene;
use crate::reasons::claim::Motif;
use bartizan_attacks as attacks;
use bartizan_types::PieceType;

/// The last move mates with a knight, and only own men stand beside the king.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let line = scene.line;
    let end = line.after(scene.index);
    let king = end.king(line.loser());
    let knight = end.checkers().is_subset_of(end.by_type(PieceType::Knight));
    let smothered = attacks::king(king).is_subset_of(end.color(line.loser()));
    (knight && smothered && end.is_checkmate()).then_some(Motif::SmotheredMate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;

    fn is_found(fen: &str, line: &str) -> bool {
        motifs(fen, line, None).contains(&Motif::SmotheredMate)
    }

    #[test]
    fn a_knight_mates_a_king_between_its_own_men() {
        assert!(is_found("r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", "c4g8 a8g8 h6f7"));
        assert!(is_found("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1", "e5f7"));
    }

    #[test]
    fn a_free_square_or_another_piece_is_no_smothered_mate() {
        // A queen mates.
        assert!(!is_found("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7"));
        // A knight mates, but a white bishop guards g8, which is free.
        assert!(!is_found("7k/6pp/8/4N3/2B5/8/8/6K1 w - - 0 1", "e5f7"));
    }
}
