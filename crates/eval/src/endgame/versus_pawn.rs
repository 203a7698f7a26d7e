//! Pieces against a last pawn.

use super::view::{View, distance, off_centre};
use bartizan_types::{File, PieceType, Rank, Square, Value};

/// Queen against pawn wins, but for a rook or bishop pawn on its seventh rank with its king beside it and the other king
/// far away: the stalemates in the corner.
///
/// Limits from Syzygy tables, with the queen's side to move: of the quiet positions beyond them a third is won for a
/// bishop pawn and a half for a rook pawn, mostly by a few checks that the search will find.
pub(super) fn queen(view: &View<'_>) -> Option<Value> {
    let pawn = view.weak(PieceType::Pawn).first()?;
    let king_away = distance(view.strong_king, pawn);
    let limit = match pawn.file() {
        File::A | File::H => 4,
        File::C | File::F => 3,
        _ => 8,
    };
    if pawn.rank() == Rank::Second && pawn.distance(view.weak_king) == 1 && king_away >= limit {
        return Some(Value(20 + 5 * (7 - king_away)));
    }
    Some(Value(1_400 + 20 * pawn.rank().index() as i32 + 20 * (7 - king_away)))
}

/// What rook against pawn is worth by the margin of [`rook`], −1 and less to 4 and more, in centipawns. Syzygy tables have
/// 10, 21, 40, 76, 92 and 99 wins in a hundred of 40,000 random quiet positions.
const ROOK_BY_MARGIN: [i32; 6] = [30, 70, 150, 320, 420, 480];

/// Rook against pawn is a race: the pawn and its king to the queening square, the rook's king to the same.
pub(super) fn rook(view: &View<'_>) -> Option<Value> {
    let pawn = view.weak(PieceType::Pawn).first()?;
    let queening = Square::new(pawn.file(), Rank::First);
    let (strong, weak) = (view.strong_king, view.weak_king);
    let stopped = strong.file() == pawn.file() && strong.rank() < pawn.rank();
    let alone = distance(weak, pawn) >= 4 - view.tempo();
    let margin = pawn.rank().index() as i32 + distance(weak, queening) - distance(strong, queening) + view.tempo();
    let value = if stopped || alone { 500 } else { ROOK_BY_MARGIN[(margin + 1).clamp(0, 5) as usize] };
    // A little for every step, so that the king does come.
    Some(Value(value - 4 * distance(strong, queening)))
}

/// Two knights win against a pawn only if it is blocked far enough from its queening square (A. A. Troitzky, 1934), and
/// then in more moves than anybody sees: little more than a draw.
pub(super) fn two_knights(view: &View<'_>) -> Option<Value> {
    let pawn = view.weak(PieceType::Pawn).first()?;
    Some(Value(6 * pawn.rank().index() as i32 + 4 * off_centre(view.weak_king) - 20))
}
