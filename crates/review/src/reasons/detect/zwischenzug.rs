//! A move in between.

use super::Scene;
use crate::reasons::claim::{Chance, Motif};
use bartizan_types::Square;

/// The winner does not recapture at once: a check or another capture comes first.
pub(super) fn detect(scene: &Scene<'_>) -> Option<Motif> {
    let (line, index) = (scene.line, scene.index);
    let square = captured_before(scene)?;
    let mv = line.moves()[index];
    let is_forcing = line.after(index).in_check() || line.capture(index).is_some();
    let follows = line.capture(index + 2).is_some_and(|target| target.square == square);
    let stays = line.moves().get(index + 1).is_some_and(|reply| reply.from() != square && reply.to() != square);
    let could = line.at(index).legal_moves().into_iter().any(|other| other.to() == square);
    let found = mv.to() != square && is_forcing && follows && stays && could && !scene.is_taken_back();
    found.then_some(Motif::Zwischenzug { index, square })
}

/// Where the loser captured with the move before.
fn captured_before(scene: &Scene<'_>) -> Option<Square> {
    if let Some(before) = scene.index.checked_sub(1) {
        return scene.line.capture(before).map(|_| scene.line.moves()[before].to());
    }
    let (mistake, chance) = scene.mistake?;
    let (position, mv) = match chance {
        Chance::Allowed => (mistake.before, mistake.played),
        Chance::Missed => mistake.previous?,
    };
    position.is_capture(mv).then_some(mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::detect::tests::motifs;
    use crate::reasons::line::Line;
    use crate::reasons::tests::Case;

    #[test]
    fn a_check_comes_before_the_recapture() {
        // White has taken a knight on d5; Black checks on e1 before he takes back.
        let case = Case::new("4r1k1/5ppp/8/q2n4/8/1B6/5PPP/3Q2K1 w - - 0 1", "b3d5", "g1f1", "e8e1 d1e1 a5e1");
        let context = case.context();
        let line = Line::new(&context.start(Chance::Allowed), context.refutation);
        let scene = Scene { line: &line, index: 0, prize: None, mistake: Some((&context, Chance::Allowed)) };
        assert_eq!(detect(&scene), None);
        let case = Case::new("4r1k1/5ppp/8/q2n4/8/1B6/3Q1PPP/6K1 w - - 0 1", "b3d5", "g2g3", "e8e1 d2e1 a5e1");
        let context = case.context();
        let line = Line::new(&context.start(Chance::Allowed), context.refutation);
        let scene = Scene { line: &line, index: 0, prize: None, mistake: Some((&context, Chance::Allowed)) };
        assert_eq!(detect(&scene), None);
    }

    #[test]
    fn a_check_inside_a_line() {
        // 1. Rxc5 Rd1+ 2. Kh2 bxc5: the check comes first.
        let fen = "3r2k1/5pp1/1p5p/2b5/8/7P/5PP1/2R3K1 b - - 0 1";
        assert!(motifs(fen, "c5f2 g1f2 d8d2", None).iter().all(|m| !matches!(m, Motif::Zwischenzug { .. })));
        let fen = "6k1/5pp1/1p1r3p/2b5/8/7P/5PP1/2R3K1 b - - 0 1";
        let line = "g8f8 c1c5 d6d1 g1h2 b6c5";
        let expected = Motif::Zwischenzug { index: 2, square: Square::C5 };
        assert!(motifs(fen, line, None).contains(&expected));
    }

    #[test]
    fn an_ordinary_recapture_is_none() {
        let fen = "6k1/5pp1/1p1r3p/2b5/8/7P/5PP1/2R3K1 b - - 0 1";
        let line = "g8f8 c1c5 b6c5";
        assert!(motifs(fen, line, None).iter().all(|motif| !matches!(motif, Motif::Zwischenzug { .. })));
    }
}
