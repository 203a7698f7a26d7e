//! Endings that players of a level know how to play.

use crate::Rating;
use bartizan_position::Position;
use bartizan_types::PieceType;

/// The nodes of an ordinary search for an ending that a player of this rating has learnt; `None` in other positions.
pub(crate) fn nodes(position: &Position, rating: Rating) -> Option<u64> {
    let (us, elo) = (position.turn(), rating.elo());
    let men = position.occupied().count();
    let heavy = position.orthogonal_sliders() & position.color(us);
    let is_bare = |color| !position.color(color).has_many();
    let pawns = position.by_type(PieceType::Pawn);
    // Checkmate with queen or rook: against a king that is alone.
    if is_bare(!us) && heavy.any() && elo >= 1_000 {
        return Some(6_000);
    }
    // King and pawn against king.
    if men == 3 && pawns.any() && elo >= 1_200 {
        return Some(4_000);
    }
    // Queen or rook against pawn, rook and pawn against rook.
    (men <= 5 && pawns.any() && elo >= 1_600).then_some(30_000)
}
