//! A pinned man is lost, or cannot do its duty.

use super::Scene;
use crate::points::points;
use crate::reasons::claim::{Motif, Target};
use crate::reasons::line::{attacks_square, ray_men, sliders, target};
use bartizan_position::Position;
use bartizan_types::{Bitboard, Move, PieceType, Square};

/// A man that is pinned after the move is captured next, or could not capture on the square of the move.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    lost(scene).or_else(|| held(scene))
}

fn lost(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let after = line.after(index);
    let prize = line.capture(index + 2).filter(|_| scene.is_prize(index + 2))?;
    let stood = target(after, prize.square) == Some(prize) && after.color(line.loser()).contains(prize.square);
    // A pawn on a file or with a piece behind it is seldom lost because of that.
    let stands_still = line.moves()[index].to() != prize.square && prize.piece != PieceType::Pawn;
    let (pinner, behind) = pinning(after, prize)?;
    (stood && stands_still).then_some(Motif::Pin { index, pinner, pinned: prize, behind, holds: None })
}

/// The piece that pins a man, and what to.
fn pinning(position: &Position, pinned: Target) -> Option<(Target, Target)> {
    let loser = position.piece_at(pinned.square)?.color();
    sliders(position, !loser).into_iter().find_map(|from| {
        let attacks = attacks_square(position, from, pinned.square);
        let (_, second) = ray_men(position, from, pinned.square).filter(|_| attacks)?;
        let behind = target(position, second).filter(|_| position.color(loser).contains(second))?;
        (points(behind.piece) > points(pinned.piece)).then_some((target(position, from)?, behind))
    })
}

/// The line's capture on a square that only men protect which are pinned to the king.
fn held(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    line.capture(index).filter(|_| scene.is_prize(index))?;
    let after = line.after(index);
    let square = line.moves()[index].destination();
    let protectors = after.attackers_to(square, after.occupied(), line.loser());
    let king = after.king(line.loser()).bitboard();
    let pinned = protectors & after.pinned();
    let can_capture = after.legal_moves().into_iter().any(|mv: Move| mv.to() == square && !mv.is_castling());
    let is_held = pinned.any() && (protectors - king - pinned) == Bitboard::EMPTY && !can_capture;
    let first: Square = pinned.first().filter(|_| is_held)?;
    let pinned = target(after, first)?;
    let (pinner, behind) = pinning(after, pinned)?;
    Some(Motif::Pin { index, pinner, pinned, behind, holds: Some(square) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;

    fn found(fen: &str, line: &str) -> Option<(Square, Square, Square, Option<Square>)> {
        motifs(fen, line, None).into_iter().find_map(|motif| match motif {
            Motif::Pin { pinner, pinned, behind, holds, .. } => {
                Some((pinner.square, pinned.square, behind.square, holds))
            }
            _ => None,
        })
    }

    #[test]
    fn a_pawn_wins_a_pinned_knight() {
        let fen = "3qk3/pp3ppp/5n2/4p3/7B/3P4/5PPP/4R1K1 w - - 0 1";
        let pinned = Some((Square::H4, Square::F6, Square::D8, None));
        assert_eq!(found(fen, "d3d4 a7a6 h4f6"), pinned);
        let fen = "4k3/ppp2ppp/2n5/1B6/3P4/8/5PPP/6K1 w - - 0 1";
        assert_eq!(found(fen, "d4d5 a7a6 d5c6"), Some((Square::B5, Square::C6, Square::E8, None)));
    }

    #[test]
    fn a_pinned_pawn_does_not_protect() {
        // The pawn on f7 is pinned by the bishop on b3, so that the queen may take on g6.
        let fen = "6k1/5p2/6p1/8/8/1B6/6Q1/6K1 w - - 0 1";
        assert_eq!(found(fen, "g2g6 g8f8"), Some((Square::B3, Square::F7, Square::G8, Some(Square::G6))));
    }

    #[test]
    fn a_man_with_nothing_behind_is_not_pinned() {
        let fen = "4k3/ppp2ppp/2n5/8/B2P4/8/5PPP/6K1 w - - 0 1";
        assert!(found(fen, "d4d5 a7a6 d5c6").is_some());
        let fen = "5k2/ppp2ppp/2n5/8/B2P4/8/5PPP/6K1 w - - 0 1";
        assert_eq!(found(fen, "d4d5 a7a6 d5c6"), None);
    }
}
