//! Detectors of the ways in which a line wins: one file for each.

mod back_rank;
mod deflection;
mod discovered;
mod double_attack;
mod fork;
mod hanging;
mod mate_threat;
mod overloaded;
mod pin;
mod promotion;
mod removed_defender;
mod skewer;
mod smothered;
mod threat;
mod trapped;
mod zwischenzug;

use super::claim::{Chance, MistakeContext, Motif};
use super::line::Line;
use crate::points::points;
use bartizan_types::PieceType;

/// What a detector looks at.
pub(super) struct Scene<'a> {
    pub(super) line: &'a Line,
    /// The move of the winner that is looked at.
    pub(super) index: usize,
    /// The capture that wins the most, if the line wins by a capture.
    pub(super) prize: Option<usize>,
    /// The mistake, and whose line it is.
    pub(super) mistake: Option<(&'a MistakeContext<'a>, Chance)>,
}

impl Scene<'_> {
    /// Whether the capture at `index` is what the line wins.
    fn is_prize(&self, index: usize) -> bool {
        self.prize.is_none_or(|prize| prize == index)
    }

    /// Whether the man that moves at the index of the scene is captured at once.
    fn is_taken_back(&self) -> bool {
        let square = self.line.moves()[self.index].destination();
        self.line.capture(self.index + 1).is_some_and(|target| target.square == square)
    }
}

type Detector = fn(&Scene<'_>) -> Option<Motif>;

/// The detectors, the most telling first.
const DETECTORS: [Detector; 17] = [
    smothered::detect,
    back_rank::detect,
    hanging::detect,
    promotion::detect,
    fork::detect,
    skewer::detect,
    discovered::detect_double_check,
    discovered::detect,
    overloaded::detect,
    removed_defender::detect,
    trapped::detect,
    pin::detect,
    zwischenzug::detect,
    deflection::detect,
    mate_threat::detect,
    double_attack::detect,
    threat::detect,
];

/// The ways in which a line wins, the most telling first. `won` is the most valuable piece that it wins.
pub(super) fn motifs(
    line: &Line,
    mistake: Option<(&MistakeContext<'_>, Chance)>,
    won: Option<PieceType>,
) -> Vec<Motif> {
    let prize = won.and_then(|piece| prize(line, piece));
    let mut motifs = Vec::new();
    for detector in DETECTORS {
        // The move nearest to the gain explains it best.
        for index in line.winner_moves().rev().filter(|&index| prize.is_none_or(|prize| index <= prize)) {
            motifs.extend(detector(&Scene { line, index, prize, mistake }));
        }
    }
    motifs
}

/// The index of the winner's last capture of such a piece. A bishop is as good as a knight.
fn prize(line: &Line, piece: PieceType) -> Option<usize> {
    line.winner_moves().rev().find(|&index| {
        line.capture(index)
            .is_some_and(|target| target.piece != PieceType::Pawn && points(target.piece) == points(piece))
            || line.capture(index).is_some_and(|target| target.piece == piece)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::reasons::tests::parse_line;
    use bartizan_position::Position;

    /// The motifs of a line, given in coordinate notation, that wins such a piece.
    pub(in crate::reasons) fn motifs(fen: &str, line: &str, won: Option<PieceType>) -> Vec<Motif> {
        let position = Position::from_fen(fen).unwrap();
        super::motifs(&Line::new(&position, &parse_line(&position, line)), None, won)
    }
}
