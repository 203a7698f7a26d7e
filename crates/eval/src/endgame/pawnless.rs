//! Pieces alone.

use super::view::{View, distance, off_centre};
use super::{Force, SCALE_DRAW, SCALE_NORMAL, rooks};
use bartizan_types::{PieceType, Value};

/// Queen against rook wins, though not soon: the king to the rim, the kings close. A rook far from its king falls to a
/// double attack.
pub(super) fn queen_rook(view: &View<'_>) -> Value {
    let rook = view.weak(PieceType::Rook).first().unwrap_or(view.weak_king);
    Value(1_500 + drive(view) + 4 * distance(rook, view.weak_king))
}

/// Queen against a minor piece wins: 98% and more of all quiet positions.
pub(super) fn queen_minor(view: &View<'_>) -> Value {
    Value(1_800 + drive(view))
}

/// Rook against bishop is a draw unless the king is caught at the rim.
pub(super) fn rook_bishop(view: &View<'_>) -> Value {
    Value(20 + drive(view) / 3)
}

/// Rook against knight is a draw while the knight stays with its king. `None` when it strayed: then much depends on what
/// attacks what, and the ordinary evaluation knows of that.
pub(super) fn rook_knight(view: &View<'_>) -> Option<Value> {
    let apart = distance(view.weak(PieceType::Knight).first()?, view.weak_king);
    Some(Value(20 + drive(view) / 4 + 8 * apart))
}

/// The gradient of a mate, 0 to about 200.
fn drive(view: &View<'_>) -> i32 {
    18 * off_centre(view.weak_king) + 12 * (7 - distance(view.strong_king, view.weak_king))
}

/// A side without pawns that leads by no more than a minor piece seldom wins.
pub(super) fn scale(view: &View<'_>) -> i32 {
    let (strong, weak) = view.forces();
    let lead = strong.worth() - weak.worth();
    if strong == Force::QUEEN && weak.pieces() == Force::ROOK && rooks::fortress_against_queen(view) {
        return SCALE_DRAW;
    }
    match (strong.pieces(), weak.pieces()) {
        // A minor piece, or two knights, cannot mate, whatever pawns they lead by. (Against a single pawn two knights may:
        // that ending is known.)
        (Force::KNIGHT | Force::BISHOP | Force::TWO_KNIGHTS, _) => SCALE_DRAW,
        _ if lead > 3 => SCALE_NORMAL,
        // The one win among them, which takes up to 78 moves.
        (Force::TWO_BISHOPS, Force::KNIGHT) => 32,
        (_, Force::KNIGHT | Force::BISHOP) => 8,
        _ => 14,
    }
}
