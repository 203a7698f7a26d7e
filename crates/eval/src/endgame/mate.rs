//! The bare king.

use super::view::{View, distance, off_centre};
use super::{Force, PAWN_WIN, WIN, pawns};
use bartizan_types::{Bitboard, PieceType, Square, Value};

/// For each step of the bare king from the centre; at the rim it can be mated.
const TO_THE_RIM: i32 = 20;

/// For each step that the kings are closer: the mate needs both.
const KINGS_CLOSE: i32 = 14;

/// What it is worth to have the bare king against oneself; `None` if the pawns have to decide and may not.
pub(super) fn value(view: &View<'_>) -> Option<Value> {
    let (force, _) = view.forces();
    if force.count(PieceType::Pawn) == 0 && !can_mate(view, force) {
        return Some(Value::DRAW);
    }
    if !view.strong_to_move && view.no_legal_move() {
        // Mate or stalemate. The search knows a mate when it sees the check; an evaluation is not asked about checks.
        return Some(Value::DRAW);
    }
    if force == Force::BISHOP_KNIGHT {
        return Some(bishop_and_knight(view));
    }
    if can_mate(view, force) {
        return Some(Value(WIN + material(view, force) + drive(view)));
    }
    match pawns::progress(view, force) {
        Some(progress) => Some(Value(PAWN_WIN + progress)),
        // The bitbase is the whole truth about a single pawn.
        None if force == Force::PAWN => Some(Value::DRAW),
        None => None,
    }
}

/// Whether the pieces alone can force mate.
fn can_mate(view: &View<'_>, force: Force) -> bool {
    let knights = force.count(PieceType::Knight);
    let bishops = view.strong(PieceType::Bishop);
    force.count(PieceType::Queen) + force.count(PieceType::Rook) > 0
        || bishops.intersects(Bitboard::LIGHT) && bishops.intersects(Bitboard::DARK)
        || bishops.any() && knights > 0
        || knights > 2
}

/// The usual values, and something for pawns on their way.
fn material(view: &View<'_>, force: Force) -> i32 {
    let advance: i32 = view.strong(PieceType::Pawn).into_iter().map(|pawn| 20 * pawn.rank().index() as i32).sum();
    100 * force.worth() + 100 * force.count(PieceType::Pawn) as i32 + advance
}

/// The gradient of the mate: the bare king to the rim, the other king close to it.
fn drive(view: &View<'_>) -> i32 {
    TO_THE_RIM * off_centre(view.weak_king) + KINGS_CLOSE * (7 - distance(view.strong_king, view.weak_king))
}

/// With bishop and knight, for each ply that the mate is nearer by the squares of the kings and the knight.
const MATE_NEARER: i32 = 8;

/// There is a mate only in the corners of the bishop's colour, and shallow searches do not see the way there. Of 200 games
/// against the longest resistance, with 30,000 nodes a move, this table won 197, and one of the squares of the kings alone
/// 166. Steps to the corner and the like won 26 of 40 with 20,000 nodes, however weighted. With a search that counts the plies
/// to a known win it wins all of 200 at 50 ms a move.
fn bishop_and_knight(view: &View<'_>) -> Value {
    // The table has the bishop on dark squares.
    let dark = |square: Square| {
        if view.strong(PieceType::Bishop).intersects(Bitboard::LIGHT) { square.flip_file() } else { square }
    };
    let knight = view.strong(PieceType::Knight).first().unwrap_or(view.weak_king);
    let plies = plies_to_mate([view.weak_king, view.strong_king, knight].map(dark));
    Value(WIN + 1_000 - MATE_NEARER * i32::from(plies))
}

/// Plies to mate with the bishop on the best of the dark squares, 255 where there is none: written by
/// `examples/kbnk.rs`, which describes the layout.
static PLIES: &[u8; 20 * 64 * 64] = include_bytes!("kbnk.bin");

/// The table's entry for the bare king, the other king and the knight. The board with the bishop on dark squares stays
/// the same when it is mirrored in either long diagonal.
fn plies_to_mate(men: [Square; 3]) -> u8 {
    /// The first place of each rank of the triangle.
    const RANKS: [usize; 4] = [0, 8, 14, 18];
    let mut men = men.map(|square| (square.file().index(), square.rank().index()));
    if men[0].0 < men[0].1 {
        men = men.map(|(file, rank)| (rank, file));
    }
    if men[0].0 + men[0].1 > 7 {
        men = men.map(|(file, rank)| (7 - rank, 7 - file));
    }
    let [(file, rank), strong, knight] = men;
    let index = |(file, rank): (usize, usize)| rank * 8 + file;
    PLIES[((RANKS[rank] + file - rank) * 64 + index(strong)) * 64 + index(knight)]
}
