//! What the better move does about a man that the mistake leaves to be taken.

use super::claim::{Claim, Exposure, MistakeContext, Motif, Remedy};
use super::line::{attacks_square, gaining_capture};
use bartizan_attacks as attacks;
use bartizan_types::{Move, Square};

/// The remedy beside a claim that a man hangs.
pub(super) fn find(context: &MistakeContext<'_>, claim: &Claim) -> Option<Claim> {
    let Some(Motif::Hanging { square, exposure, .. }) = claim.motif() else { return None };
    let stood = matches!(exposure, Exposure::Left | Exposure::Unguarded { .. } | Exposure::Uncovered { .. });
    let (capture, mv) = (*claim.line().first()?, *context.better.first()?);
    let remedy = of(context, mv, *square, capture).filter(|_| stood)?;
    Some(Claim::Remedy { mv, square: *square, remedy })
}

/// What a move does about the man on `square`, which `capture` takes after the mistake.
pub(super) fn of(context: &MistakeContext<'_>, mv: Move, square: Square, capture: Move) -> Option<Remedy> {
    let before = context.before;
    let after = before.play(mv).ok()?;
    let is_safe = |square| gaining_capture(&after, square).is_none();
    if mv.from() == square {
        let is_capture = before.is_capture(mv);
        let remedy = if is_capture { Remedy::Captures } else { Remedy::MovesAway };
        return is_safe(mv.destination()).then_some(remedy);
    }
    if mv.to() == capture.from() && before.is_capture(mv) {
        return Some(Remedy::CapturesAttacker);
    }
    if !is_safe(square) || mv.is_castling() {
        return None;
    }
    if attacks::between(capture.from(), square).contains(mv.to()) {
        return Some(Remedy::Blocks);
    }
    let protects = attacks_square(&after, mv.destination(), square) && !attacks_square(before, mv.from(), square);
    protects.then_some(Remedy::Protects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::Case;

    fn remedy(fen: &str, better: &str) -> Option<Remedy> {
        // The knight on c3 is attacked by the pawn on d4 or a bishop on f6.
        let case = Case::new(fen, "a2a3", better, "");
        let context = case.context();
        let capture = Move::normal(Square::F6, Square::C3);
        of(&context, context.better[0], Square::C3, capture)
    }

    #[test]
    fn remedies_are_told_apart() {
        let fen = "4k3/8/5b2/8/8/2N5/P4P2/3BK3 w - - 0 1";
        assert_eq!(remedy(fen, "c3b5"), Some(Remedy::MovesAway));
        let fen = "4k3/8/5b2/6N1/8/2N5/P5P1/3BK3 w - - 0 1";
        assert_eq!(remedy(fen, "g5e4"), Some(Remedy::Protects));
        let fen = "4k3/8/5b2/8/3n4/2N5/P4P2/R3K1B1 w - - 0 1";
        assert_eq!(remedy(fen, "a1b1"), None);
        let fen = "4k3/8/5b2/6N1/8/2N5/P2P4/3BK3 w - - 0 1";
        assert_eq!(remedy(fen, "g5e4"), Some(Remedy::Protects));
        let fen = "4k3/8/5b2/3N4/8/2N5/P7/3BK3 w - - 0 1";
        assert_eq!(remedy(fen, "d5f6"), Some(Remedy::CapturesAttacker));
        let fen = "4k3/8/5b2/8/8/2N2N2/P2P4/3BK3 w - - 0 1";
        assert_eq!(remedy(fen, "f3d4"), Some(Remedy::Blocks));
    }

    #[test]
    fn a_move_that_leaves_it_hanging_is_none() {
        assert_eq!(remedy("4k3/8/5b2/8/8/2N5/P4P2/3BK3 w - - 0 1", "f2f3"), None);
    }
}
