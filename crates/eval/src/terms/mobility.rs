//! Mobility: the number of useful squares that each piece reaches. Also records all attacks in the context.

use crate::context::Context;
use crate::side::Side;
use crate::side_score::{SideScore, Tracer};
use crate::terms::pawns::Structure;
use crate::terms::pieces;
use crate::weights::{BISHOP_MOBILITY, KNIGHT_MOBILITY, QUEEN_MOBILITY, ROOK_MOBILITY, Term};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, ByColor, PieceType, Square};

/// The mobility of all pieces of `S`, and the terms of [`pieces`] for each of them.
#[inline(always)]
pub(crate) fn mobility<S: Side, T: Tracer>(
    context: &mut Context<'_>,
    structures: &ByColor<Structure>,
    tally: &mut SideScore<'_, S, T>,
) {
    let queens = context.position.by_type(PieceType::Queen);
    let through_queens = context.occupied ^ queens;
    let through_heavies = through_queens ^ context.us::<S>().of(PieceType::Rook);
    for square in context.us::<S>().of(PieceType::Knight) {
        tally.set_subject(square);
        let reach = reach::<S, T>(PieceType::Knight, KNIGHT_MOBILITY, square, attacks::knight(square), context, tally);
        pieces::knight::<S, T>(square, reach, context, structures, tally);
    }
    for square in context.us::<S>().of(PieceType::Bishop) {
        tally.set_subject(square);
        let attacked = attacks::bishop(square, through_queens);
        reach::<S, T>(PieceType::Bishop, BISHOP_MOBILITY, square, attacked, context, tally);
        pieces::bishop::<S, T>(square, context, structures, tally);
    }
    for square in context.us::<S>().of(PieceType::Rook) {
        tally.set_subject(square);
        let attacked = attacks::rook(square, through_heavies);
        let reach = reach::<S, T>(PieceType::Rook, ROOK_MOBILITY, square, attacked, context, tally);
        pieces::rook::<S, T>(square, reach, context, tally);
    }
    for square in context.us::<S>().of(PieceType::Queen) {
        tally.set_subject(square);
        let attacked = attacks::queen(square, context.occupied);
        reach::<S, T>(PieceType::Queen, QUEEN_MOBILITY, square, attacked, context, tally);
        pieces::queen::<S, T>(square, context, structures, tally);
    }
}

/// Records the attacks of a piece and counts the squares of the mobility area it reaches. A pinned piece reaches only
/// squares on its pin line.
#[inline(always)]
fn reach<S: Side, T: Tracer>(
    piece_type: PieceType,
    table: Term,
    square: Square,
    attacked: Bitboard,
    context: &mut Context<'_>,
    tally: &mut SideScore<'_, S, T>,
) -> Bitboard {
    let us = context.us::<S>();
    let attacked = if us.pinned.contains(square) { attacked & attacks::line(us.king, square) } else { attacked };
    let reach = attacked & us.mobility_area;
    tally.add_at(table, reach.count() as usize);
    context.enter::<S>(piece_type, attacked);
    reach
}
