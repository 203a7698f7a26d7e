//! What the rules alone tell about the moves of a game.

use super::captures::{GIFT, best_gain, gain, has_winning_recapture, taken};
use bartizan_position::Position;
use bartizan_types::{Move, PieceType};

/// The move number before which an undone move counts.
const UNDONE_BEFORE: u16 = 20;

/// The move number before which a king walk counts.
const WALK_BEFORE: u16 = 15;

/// What the rules tell about a move. `None` where a question does not arise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveConduct {
    /// Whether the opponent can now win three points or more by one capture, beyond what the move itself took.
    pub leaves_gift: bool,
    /// If a capture that wins three points or more was there, and no mate in one: whether the move is one.
    pub takes_gift: Option<bool>,
    /// Before move 20: whether the piece goes back where it came from with the mover's last move, not in check.
    pub undoes: Option<bool>,
    /// Before move 15: whether it is a king move, not in check and not castling.
    pub walks: Option<bool>,
    /// If a mate in one was there: whether the move does not mate.
    pub misses_mate: Option<bool>,
    /// If the opponent's last move captured, a recapture would win at least a pawn by static exchange, and no mate in
    /// one was there: whether the move neither takes on that square nor takes as much elsewhere.
    pub misses_recapture: Option<bool>,
}

/// What the rules tell about each move of a game. `positions` are those before the moves and that after the last one.
/// Move numbers are those of the positions, so a game that begins later counts from there.
pub fn move_conduct(positions: &[Position], moves: &[Move]) -> Vec<MoveConduct> {
    let mut best = positions.first().and_then(best_gain);
    let mut conduct = Vec::with_capacity(moves.len());
    for (ply, (pair, &mv)) in positions.windows(2).zip(moves).enumerate() {
        let (before, after) = (&pair[0], &pair[1]);
        let next = best_gain(after);
        let (number, is_free) = (before.fullmove_number(), !before.in_check());
        let has_mate = has_mate_in_one(before);
        let has_gift = !has_mate && best >= Some(GIFT);
        let own = ply.checked_sub(2).map(|ply| moves[ply]);
        let is_walk = before.piece_type_at(mv.from()) == Some(PieceType::King) && !mv.is_castling();
        let last = ply.checked_sub(1).map(|last| (&positions[last], moves[last]));
        conduct.push(MoveConduct {
            leaves_gift: next.is_some_and(|gain| gain - taken(before, mv) >= GIFT),
            takes_gift: has_gift.then(|| gain(before, mv) >= Some(GIFT)),
            undoes: (number < UNDONE_BEFORE).then(|| is_free && own.is_some_and(|own| is_undone(own, mv))),
            walks: (number < WALK_BEFORE).then_some(is_free && is_walk),
            misses_mate: has_mate.then(|| !after.is_checkmate()),
            misses_recapture: last
                .filter(|&(earlier, last)| {
                    !has_mate && earlier.is_capture(last) && has_winning_recapture(before, last.to())
                })
                .map(|(_, last)| {
                    let at_stake = before.piece_type_at(last.to()).map_or(0, bartizan_review::points);
                    taken(before, mv) < at_stake
                }),
        });
        best = next;
    }
    conduct
}

/// Whether a move puts a piece back that moved with `own`, the mover's last move.
fn is_undone(own: Move, mv: Move) -> bool {
    let is_plain = |mv: Move| !mv.is_castling() && !mv.is_promotion();
    is_plain(own) && is_plain(mv) && mv.from() == own.to() && mv.to() == own.from()
}

fn has_mate_in_one(position: &Position) -> bool {
    let mates = |&mv: &Move| position.gives_check(mv) && position.play_unchecked(mv).is_checkmate();
    position.legal_moves().iter().any(mates)
}
