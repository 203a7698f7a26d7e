//! The part of the evaluation that depends only on the pawns, or only on pawns and kings.

use crate::side::{Black, White};
use crate::side_score::{Shelter, SideScore, Tracer};
use crate::terms::king;
use crate::terms::pawns::{self, Structure};
use bartizan_position::Position;
use bartizan_types::{ByColor, TaperedScore};

/// The part of the evaluation that depends only on the pawns, or only on pawns and kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PawnPart {
    /// White's and black's pawn structure.
    pub(crate) structures: ByColor<Structure>,
    /// The sum of the pawn terms, white minus black.
    pub(crate) score: TaperedScore,
    /// The shelters of white's and black's king; see [`king::shelter`].
    pub(crate) shelters: ByColor<Shelter>,
}

/// Both pawn structures and the sum of the pawn terms without the kings' shelters, white minus black.
pub(crate) fn pawn_structure<T: Tracer>(position: &Position, tracer: &mut T) -> (ByColor<Structure>, TaperedScore) {
    let mut white = SideScore::<White, T>::new(tracer);
    let ours = pawns::structure(position, &mut white);
    let score = white.score;
    let mut black = SideScore::<Black, T>::new(tracer);
    let theirs = pawns::structure(position, &mut black);
    (ByColor([ours, theirs]), score - black.score)
}

/// Computes all parts from the position.
pub(crate) fn pawn_part<T: Tracer>(position: &Position, tracer: &mut T) -> PawnPart {
    let (structures, score) = pawn_structure(position, tracer);
    let shelters = ByColor([king::shelter::<White, T>(position, tracer), king::shelter::<Black, T>(position, tracer)]);
    PawnPart { structures, score, shelters }
}
