//! A man that can simply be taken.

use super::Scene;
use crate::reasons::claim::{Chance, Exposure, MistakeContext, Motif};
use crate::reasons::line::{Line, attacks_square, gains};
use bartizan_attacks as attacks;
use bartizan_types::Square;

/// The first move captures what the line wins, and the exchange on that square alone gains.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let line = scene.line;
    let target = line.capture(0).filter(|_| scene.index == 0 && scene.is_prize(0))?;
    let exposure = scene.mistake.map_or(Exposure::Other, |(mistake, chance)| match chance {
        Chance::Allowed => exposure(mistake, line, target.square),
        Chance::Missed => missed(mistake, target.square),
    });
    gains(line.start(), line.moves()[0]).then_some(Motif::Hanging {
        index: 0,
        square: target.square,
        piece: target.piece,
        exposure,
    })
}

fn missed(mistake: &MistakeContext<'_>, square: Square) -> Exposure {
    let captured = mistake.previous.is_some_and(|(position, mv)| position.is_capture(mv) && mv.to() == square);
    if captured { Exposure::Recapture } else { Exposure::Other }
}

/// Why the player's man on `square` hangs after the mistake.
fn exposure(mistake: &MistakeContext<'_>, line: &Line, square: Square) -> Exposure {
    let (before, played) = (mistake.before, mistake.played);
    let capture = line.moves()[0];
    let moved = played.destination() == square;
    if moved {
        let recapture = before.is_capture(played);
        return if recapture { Exposure::Recapture } else { Exposure::Moved };
    }
    let passed = before.play_null();
    if passed.is_some_and(|passed| passed.is_legal(capture) && gains(&passed, capture)) {
        return Exposure::Left;
    }
    let from = played.from();
    let protects_no_more = attacks_square(before, from, square)
        && !attacks_square(line.start(), played.destination(), square)
        && !played.is_castling();
    if let Some(piece) = before.piece_type_at(from).filter(|_| protects_no_more) {
        return Exposure::Unguarded { from, piece };
    }
    if attacks::between(capture.from(), square).contains(from) {
        return Exposure::Uncovered { from };
    }
    Exposure::Other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::Case;

    fn found(case: &Case, chance: Chance) -> Option<(Square, Exposure)> {
        let context = case.context();
        let own = if chance == Chance::Allowed { context.refutation } else { context.better };
        let line = Line::new(&context.start(chance), own);
        let scene = Scene { line: &line, index: 0, prize: None, mistake: Some((&context, chance)) };
        match detect(&scene)? {
            Motif::Hanging { square, exposure, .. } => Some((square, exposure)),
            _ => None,
        }
    }

    #[test]
    fn a_piece_that_moves_into_an_attack_hangs() {
        let case = Case::new("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3", "f3d4", "b1c3", "e5d4");
        assert_eq!(found(&case, Chance::Allowed), Some((Square::D4, Exposure::Moved)));
    }

    #[test]
    fn an_attacked_piece_is_left() {
        // The knight on c3 is attacked by the pawn on d4.
        let case = Case::new(
            "rnbqkbnr/ppp2ppp/8/4p3/3pP3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 5",
            "a2a3",
            "c3b5 a7a6",
            "d4c3 d2c3",
        );
        assert_eq!(found(&case, Chance::Allowed), Some((Square::C3, Exposure::Left)));
    }

    #[test]
    fn a_defender_moves_away() {
        // The knight on f3 protects that on e5 from the queen on e7; it moves to g1.
        let case = Case::new("4k3/4q3/8/4N3/8/5N2/8/4K3 w - - 0 1", "f3g1", "e1f1", "e7e5");
        let exposure = Exposure::Unguarded { from: Square::F3, piece: bartizan_types::PieceType::Knight };
        assert_eq!(found(&case, Chance::Allowed), Some((Square::E5, exposure)));
    }

    #[test]
    fn a_line_is_opened() {
        // The pawn on d4 shields the knight on d3 from the rook on d8.
        let case = Case::new("3r2k1/8/8/2p5/3P4/3N4/8/6K1 w - - 0 1", "d4c5", "d4d5", "d8d3");
        assert_eq!(found(&case, Chance::Allowed), Some((Square::D3, Exposure::Uncovered { from: Square::D4 })));
    }

    #[test]
    fn a_recapture_is_missed() {
        let mut case = Case::new("6k1/8/8/8/4n3/8/4R3/4K3 w - - 0 2", "e1d1", "e2e4", "e4f2");
        assert_eq!(found(&case, Chance::Missed), Some((Square::E4, Exposure::Other)));
        case.preceded_by("6k1/8/5n2/8/4P3/8/4R3/4K3 b - - 0 1", "f6e4");
        assert_eq!(found(&case, Chance::Missed), Some((Square::E4, Exposure::Recapture)));
    }

    #[test]
    fn a_protected_man_does_not_hang() {
        // A queen takes a protected knight.
        let case = Case::new("4k3/4q3/8/4N3/8/5N2/8/4K3 w - - 0 1", "e1f1", "e1d1", "e7e5 f3e5");
        assert_eq!(found(&case, Chance::Allowed), None);
    }
}
