//! Passed pawns: rank, path to promotion, distance of the kings, supporters and blockers.

use crate::context::Context;
use crate::side::{Side, relative_rank};
use crate::side_score::{SideScore, Tracer};
use crate::spans::{edge_distance, file_ahead};
use crate::terms::pieces::heavies_behind;
use crate::weights::{
    PASSED_BLOCKED_BY, PASSED_CONNECTED, PASSED_ENEMY_BEHIND, PASSED_ENEMY_KING, PASSED_FILE, PASSED_OUTSIDE,
    PASSED_OWN_KING, PASSED_PATH_SAFE, PASSED_RANK, PASSED_ROOK_BEHIND, PASSED_STOP_DEFENDED,
};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, PieceType, Square};

/// The terms of all passed pawns of `S`.
#[inline(always)]
pub(crate) fn passed<S: Side, T: Tracer>(passed: Bitboard, context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    for square in passed {
        tally.set_subject(square);
        pawn::<S, T>(square, passed, context, tally);
    }
    tally.set_subject(None);
}

fn pawn<S: Side, T: Tracer>(square: Square, passed: Bitboard, context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let rank = relative_rank::<S>(square);
    let Some(stop) = square.bitboard().shift(S::UP).first() else { return };
    let (ours_behind, theirs_behind) = heavies_behind::<S>(square, context);
    let path = file_ahead::<S>(square);
    // A rook behind the pawn attacks the whole path once the pawn has advanced.
    let attacked = if theirs_behind { path } else { path & them.attacked };

    let is_free = !context.occupied.contains(stop);
    let is_safe = !attacked.contains(stop);
    tally.add_at(PASSED_RANK, rank + if is_free { 16 } else { 0 } + if is_safe { 8 } else { 0 });
    if attacked.is_empty() && !path.intersects(context.occupied) {
        tally.add_at(PASSED_PATH_SAFE, rank);
    }
    if us.attacked.contains(stop) || ours_behind {
        tally.add_at(PASSED_STOP_DEFENDED, rank);
    }
    tally.add_at(PASSED_OWN_KING, rank * 8 + usize::from(us.king.distance(stop)));
    tally.add_at(PASSED_ENEMY_KING, rank * 8 + usize::from(them.king.distance(stop)));
    tally.add_at(PASSED_FILE, edge_distance(square.file()));
    let beside = square.file().adjacent() & (square.rank().bitboard() | attacks::king(square));
    if beside.intersects(passed) {
        tally.add_at(PASSED_CONNECTED, rank);
    }
    if them.all.contains(stop)
        && let Some(blocker) = context.position.piece_at(stop)
        && blocker.piece_type() != PieceType::Pawn
    {
        tally.add_at(PASSED_BLOCKED_BY, blocker.piece_type().index() - 1);
    }
    if ours_behind {
        tally.add(PASSED_ROOK_BEHIND);
    }
    if theirs_behind {
        tally.add(PASSED_ENEMY_BEHIND);
    }
    if is_outside(square, context.position.by_type(PieceType::Pawn)) {
        tally.add(PASSED_OUTSIDE);
    }
}

/// Whether no other pawn stands within two files of the pawn.
fn is_outside(square: Square, pawns: Bitboard) -> bool {
    let files = square.file().bitboard() | square.file().adjacent();
    let files = files | crate::spans::beside(files);
    pawns & files == square.bitboard()
}
