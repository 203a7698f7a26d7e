//! One piece attacks several men.

use super::Scene;
use crate::points::points;
use crate::reasons::claim::{Motif, Target};
use crate::reasons::line::{is_protected, target};
use bartizan_types::{PieceType, Square};

/// The piece that moved attacks two or more men worth it, and it takes one of them later.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let mv = line.moves()[index];
    let after = line.after(index);
    let forker = mv.destination();
    let piece = after.piece_type_at(forker)?;
    let is_worth = |target: &Target| {
        let is_valuable = points(target.piece) > points(piece);
        let is_loose = target.piece != PieceType::Pawn && !is_protected(after, forker, target.square);
        is_valuable || is_loose
    };
    let attacked = after.attacks_from(forker) & after.color(line.loser());
    let mut targets: Vec<Target> =
        attacked.into_iter().filter_map(|square| target(after, square)).filter(is_worth).collect();
    targets.sort_by_key(|target| -points(target.piece));
    let takes = |square: Square| {
        line.later_capture(index, square)
            .is_some_and(|later| scene.is_prize(later) && line.moves()[later].from() == forker)
    };
    let is_won = targets.iter().any(|target| takes(target.square));
    let forks = piece != PieceType::King || !mv.is_castling();
    (targets.len() > 1 && is_won && forks && !scene.is_taken_back()).then_some(Motif::Fork { index, piece, targets })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;

    fn targets(fen: &str, line: &str) -> Option<Vec<(PieceType, Square)>> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Fork { targets, .. } => Some(targets.iter().map(|target| (target.piece, target.square)).collect()),
            _ => None,
        })
    }

    #[test]
    fn a_knight_forks_king_and_rook() {
        let expected = vec![(PieceType::King, Square::E8), (PieceType::Rook, Square::A8)];
        assert_eq!(targets("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d7 c7a8"), Some(expected));
    }

    #[test]
    fn a_pawn_forks_two_pieces_and_a_queen_two_loose_ones() {
        let expected = vec![(PieceType::Rook, Square::F6), (PieceType::Knight, Square::D6)];
        assert_eq!(targets("6k1/8/3n1r2/8/4P3/8/8/6K1 w - - 0 1", "e4e5 f6f8 e5d6"), Some(expected));
        let expected = vec![(PieceType::King, Square::G8), (PieceType::Bishop, Square::A4)];
        assert_eq!(targets("6k1/6pp/8/8/b7/8/8/3Q2K1 w - - 0 1", "d1d5 g8h8 d5d4 h8g8 d4a4"), None);
        assert_eq!(targets("6k1/6pp/8/8/b7/8/8/2Q3K1 w - - 0 1", "c1c4 g8h8 c4a4"), Some(expected));
    }

    #[test]
    fn an_attack_on_protected_men_is_no_fork() {
        // The queen attacks two protected pieces of less worth.
        assert_eq!(targets("6k1/1p3p2/p1n3n1/8/4Q3/8/8/6K1 w - - 0 1", "e4e6 g8g7 e6c6 b7c6"), None);
        // The fork comes to nothing because the knight is taken.
        assert_eq!(targets("r3k3/3b4/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d8 c7d5"), None);
    }
}
