//! Mates that were allowed or missed.

use super::claim::{Chance, Claim, MistakeContext, Motif};
use super::detect;
use super::line::Line;
use bartizan_types::Move;

/// The mate that a line ends in.
pub(super) fn find(context: &MistakeContext<'_>, chance: Chance, own: &[Move]) -> Option<Claim> {
    let line = Line::new(&context.start(chance), own);
    let is_mate = line.len() % 2 == 1 && line.end().is_checkmate();
    let moves = u32::try_from(line.len().div_ceil(2)).ok().filter(|_| is_mate)?;
    let motif = detect::motifs(&line, Some((context, chance)), None).into_iter().find(|motif| mates(motif, &line));
    Some(Claim::Mate { chance, line: line.moves().to_vec(), moves, motif })
}

/// Whether a motif tells how the mate comes about.
fn mates(motif: &Motif, line: &Line) -> bool {
    let last = line.len() - 1;
    match motif {
        Motif::SmotheredMate => true,
        Motif::BackRank { index, .. } | Motif::DoubleCheck { index } | Motif::DiscoveredAttack { index, .. } => {
            *index == last
        }
        Motif::MateThreat { index, .. } => *index == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::Case;

    fn mate(case: &Case, chance: Chance) -> Option<(u32, bool)> {
        let context = case.context();
        let own = if chance == Chance::Allowed { context.refutation } else { context.better };
        match find(&context, chance, own)? {
            Claim::Mate { moves, motif, .. } => Some((moves, motif.is_some())),
            _ => None,
        }
    }

    #[test]
    fn the_fools_mate_is_allowed() {
        let case = Case::new("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "g2g4", "e2e4", "d8h4");
        assert_eq!(mate(&case, Chance::Allowed), Some((1, false)));
        assert_eq!(mate(&case, Chance::Missed), None);
    }

    #[test]
    fn a_smothered_mate_is_missed() {
        let case = Case::new("r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", "c4c1", "c4g8 a8g8 h6f7", "g7h6 c1h6");
        assert_eq!(mate(&case, Chance::Missed), Some((2, true)));
        assert_eq!(mate(&case, Chance::Allowed), None);
    }

    #[test]
    fn a_back_rank_mate_is_allowed() {
        let case = Case::new("3r2k1/5ppp/8/8/8/8/3R1PPP/6K1 w - - 0 1", "d2a2", "d2d8", "d8d1");
        assert_eq!(mate(&case, Chance::Allowed), Some((1, true)));
    }
}
