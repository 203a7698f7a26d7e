//! Endings in which the stronger side has no pawns.

use super::view::{View, distance, off_centre};
use super::{MINOR_PIECE, SCALE_DRAW, SCALE_NORMAL, SideMaterial, mate, rooks};
use bartizan_types::{PieceType, Value};

/// Base value of queen against rook, in centipawns. A long win is worth less than a quick one, and far less than
/// [`PAWN_WIN`](super::PAWN_WIN).
const QUEEN_ROOK: i32 = 1_500;

/// Base value of queen against a minor piece, in centipawns.
const QUEEN_MINOR: i32 = 1_800;

/// Base value of rook against a minor piece, in centipawns: practical chances in a drawn ending.
const ROOK_MINOR: i32 = 20;

/// Scale of the two bishops against a knight: won in general, but in up to 78 moves.
const BISHOPS_KNIGHT: i32 = 32;

/// Scale of a small lead against a single minor piece.
const AGAINST_MINOR: i32 = 8;

/// Scale of any other small lead without pawns.
const SMALL_LEAD: i32 = 14;

/// Queen against rook: a long win. Rewards driving the king to the edge, kings close together, and a rook far from its
/// king, which falls to a double attack.
pub(super) fn queen_rook(view: &View<'_>) -> Value {
    let rook = view.weak(PieceType::Rook).first().unwrap_or(view.weak_king);
    Value(QUEEN_ROOK + drive(view) + 4 * distance(rook, view.weak_king))
}

/// Queen against a minor piece: won in at least 98% of quiet positions.
pub(super) fn queen_minor(view: &View<'_>) -> Value {
    Value(QUEEN_MINOR + drive(view))
}

/// Rook against bishop: drawn unless the king is caught on the edge.
pub(super) fn rook_bishop(view: &View<'_>) -> Value {
    Value(ROOK_MINOR + drive(view) / 3)
}

/// Rook against knight: drawn while the knight stays near its king, so the value grows with their distance.
pub(super) fn rook_knight(view: &View<'_>) -> Option<Value> {
    let apart = distance(view.weak(PieceType::Knight).first()?, view.weak_king);
    Some(Value(ROOK_MINOR + drive(view) / 4 + 8 * apart))
}

/// The gradient that leads to mate, 0 to about 200 centipawns.
fn drive(view: &View<'_>) -> i32 {
    18 * off_centre(view.weak_king) + 12 * (7 - distance(view.strong_king, view.weak_king))
}

/// A side without pawns rarely wins when it leads by at most a minor piece.
pub(super) fn scale(view: &View<'_>) -> i32 {
    let (strong, weak) = view.forces();
    let lead = strong.points() - weak.points();
    if strong == SideMaterial::QUEEN && weak.pieces() == SideMaterial::ROOK && rooks::fortress_against_queen(view) {
        return SCALE_DRAW;
    }
    match (strong.pieces(), weak.pieces()) {
        // Two knights can force mate against a single pawn, but `known_value` covers that ending.
        _ if !mate::can_mate(view, strong) => SCALE_DRAW,
        _ if lead > MINOR_PIECE => SCALE_NORMAL,
        (SideMaterial::TWO_BISHOPS, SideMaterial::KNIGHT) => BISHOPS_KNIGHT,
        (_, SideMaterial::KNIGHT | SideMaterial::BISHOP) => AGAINST_MINOR,
        _ => SMALL_LEAD,
    }
}
