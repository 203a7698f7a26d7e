//! Endings of pieces against a single pawn.

use super::view::{View, distance, off_centre};
use bartizan_types::{File, PieceType, Rank, Square, Value};

/// Base value of queen against pawn where it is won, in centipawns.
const QUEEN_PAWN: i32 = 1_400;

/// Base value of queen against pawn where it is drawn, in centipawns.
const QUEEN_PAWN_DRAWN: i32 = 20;

/// The distance of the queen's king, in king moves, from which a rook pawn on its seventh rank draws.
const ROOK_PAWN_DRAWS: i32 = 4;

/// The same for a bishop pawn.
const BISHOP_PAWN_DRAWS: i32 = 3;

/// Queen against pawn: won, except against a rook or bishop pawn on its seventh rank with its king beside it and the
/// other king far away, where stalemate in the corner saves the draw.
///
/// The distances come from Syzygy tables with the queen's side to move. Of the quiet positions claimed as draws, the
/// queen wins a third against a bishop pawn and half against a rook pawn, mostly by checks that the search finds.
pub(super) fn queen(view: &View<'_>) -> Option<Value> {
    let pawn = view.weak(PieceType::Pawn).first()?;
    let king_away = distance(view.strong_king, pawn);
    let drawing_distance = match pawn.file() {
        File::A | File::H => Some(ROOK_PAWN_DRAWS),
        File::C | File::F => Some(BISHOP_PAWN_DRAWS),
        _ => None,
    };
    let is_far = drawing_distance.is_some_and(|distance| king_away >= distance);
    if pawn.rank() == Rank::Second && pawn.distance(view.weak_king) == 1 && is_far {
        return Some(Value(QUEEN_PAWN_DRAWN + 5 * (7 - king_away)));
    }
    Some(Value(QUEEN_PAWN + 20 * pawn.rank().index() as i32 + 20 * (7 - king_away)))
}

/// Value of rook against pawn in centipawns by the margin of [`rook`], clamped to −1..=4. Of 40,000 random quiet
/// positions, the rook wins 10, 21, 40, 76, 92 and 99 per cent at these margins (Syzygy).
const ROOK_BY_MARGIN: [i32; 6] = [30, 70, 150, 320, 420, 480];

/// Value of rook against pawn in centipawns when the rook's king stops the pawn or the pawn's king is too far to help.
const ROOK_PAWN_WON: i32 = 500;

/// Rook against pawn: a race of the pawn and its king with the rook's king to the queening square.
pub(super) fn rook(view: &View<'_>) -> Option<Value> {
    let pawn = view.weak(PieceType::Pawn).first()?;
    let queening = Square::new(pawn.file(), Rank::First);
    let (strong, weak) = (view.strong_king, view.weak_king);
    let stopped = strong.file() == pawn.file() && strong.rank() < pawn.rank();
    let alone = distance(weak, pawn) >= 4 - view.tempo();
    let margin = pawn.rank().index() as i32 + distance(weak, queening) - distance(strong, queening) + view.tempo();
    let value = if stopped || alone { ROOK_PAWN_WON } else { ROOK_BY_MARGIN[(margin + 1).clamp(0, 5) as usize] };
    // Each step of the king counts a little, so that it approaches.
    Some(Value(value - 4 * distance(strong, queening)))
}

/// Two knights against a pawn: little more than a draw. They win only if the pawn is blocked far enough from its
/// queening square (A. A. Troitzky, 1934), and the win is too long for a search.
pub(super) fn two_knights(view: &View<'_>) -> Option<Value> {
    let pawn = view.weak(PieceType::Pawn).first()?;
    Some(Value(6 * pawn.rank().index() as i32 + 4 * off_centre(view.weak_king) - 20))
}
