//! What people do, and what nobody does without a reason.

use bartizan_position::{Game, Position, SEE_VALUES};
use bartizan_types::{Bitboard, File, Move, PieceType, Rank};

// In centipawns, at full weight. Chosen by hand so that levels undo moves and walk with the king about as often as
// people (`docs/lab/levels.md`, "2026-11-29 Levels that err like people").
const UNDOING: i32 = -15;
const KING_WALK: i32 = -35;
const RETREAT: i32 = -35;
const SAME_PIECE: i32 = -20;
const EARLY_QUEEN: i32 = -15;
const EDGE_PAWN: i32 = -15;
const EDGE_KNIGHT: i32 = -15;
const CASTLING: i32 = 45;
const DEVELOPMENT: i32 = 20;
const CENTRE_PAWN: i32 = 20;
const CAPTURE: i32 = 10;
const RECAPTURE: i32 = 30;
const CHECK: i32 = 8;
const SHUFFLING: i32 = -30;

/// The moves, counted in plies of the game, that belong to the opening.
const OPENING: u32 = 20;
/// The pieces, pawns and kings included, above which a king stays at home.
const MANY_PIECES: u32 = 14;

/// How much a player of full habits prefers or avoids a legal move beyond what it is worth, in centipawns.
pub(crate) fn preference(game: &Game, mv: Move) -> i32 {
    let position = game.position();
    let Some(piece_type) = position.piece_type_at(mv.from()) else { return 0 };
    let us = position.turn();
    let (is_capture, is_check) = (position.is_capture(mv), position.gives_check(mv));
    let mut sum = 0;
    if mv.is_castling() {
        return CASTLING;
    }
    if is_capture {
        let last = game.last_move().zip(game.positions().rev().nth(1));
        let is_recapture = last.is_some_and(|(last, before)| before.is_capture(last) && last.to() == mv.to());
        sum += if is_recapture { RECAPTURE } else { CAPTURE };
    }
    if is_check {
        sum += CHECK;
    }
    // Whoever is in check, takes something or flees has a reason.
    let has_reason = position.in_check() || is_capture || is_check || mv.is_promotion() || is_attacked(position, mv);
    let is_crowded = position.occupied().count() > MANY_PIECES;
    if has_reason {
        return sum;
    }
    let own: Vec<Move> = game.moves().rev().skip(1).step_by(2).take(2).collect();
    if own.first().is_some_and(|last| last.destination() == mv.from() && last.from() == mv.destination()) {
        sum += UNDOING;
    } else if own.first().is_some_and(|last| last.destination() == mv.from()) && is_crowded {
        sum += SHUFFLING / 2;
    }
    if piece_type == PieceType::King && is_crowded {
        sum += KING_WALK;
    }
    let (from, to) = (mv.from().relative_to(us), mv.destination().relative_to(us));
    let is_piece = !matches!(piece_type, PieceType::Pawn | PieceType::King);
    if is_piece && to.rank() == Rank::First && from.rank() != Rank::First {
        sum += RETREAT;
    }
    if is_crowded && position.game_ply() < OPENING {
        sum += opening(position, mv, piece_type);
    }
    sum
}

/// The principles that beginners are taught.
fn opening(position: &Position, mv: Move, piece_type: PieceType) -> i32 {
    let us = position.turn();
    let (from, to) = (mv.from().relative_to(us), mv.destination().relative_to(us));
    let edge = Bitboard(0x8181_8181_8181_8181);
    match piece_type {
        PieceType::Knight | PieceType::Bishop => {
            let at_edge = if piece_type == PieceType::Knight && edge.contains(to) { EDGE_KNIGHT } else { 0 };
            at_edge + if from.rank() == Rank::First { DEVELOPMENT } else { SAME_PIECE }
        }
        PieceType::Queen => EARLY_QUEEN,
        PieceType::Pawn if matches!(from.file(), File::D | File::E) => CENTRE_PAWN,
        PieceType::Pawn if edge.contains(from) || matches!(from.file(), File::B | File::G) => EDGE_PAWN,
        PieceType::Rook => SAME_PIECE,
        _ => 0,
    }
}

/// Whether the piece that moves could be taken with a gain where it stands.
fn is_attacked(position: &Position, mv: Move) -> bool {
    let us = position.turn();
    let from = mv.from();
    let Some(piece_type) = position.piece_type_at(from) else { return false };
    let attackers = position.attackers_to(from, position.occupied(), !us);
    let is_guarded = position.attackers_to(from, position.occupied(), us).any();
    attackers.into_iter().any(|square| {
        let by = position.piece_type_at(square).map_or(0, |attacker| SEE_VALUES[attacker]);
        !is_guarded || by < SEE_VALUES[piece_type]
    })
}
