//! King danger: what the attackers bring together is worth more than each of them alone.
//!
//! The weights add up to a danger that enters the score squared (Glaurung's king safety table, Tord Romstad, as a curve).

use crate::context::{Camp, Context};
use crate::side::{Side, ranks};
use crate::spans::flank;
use crate::tally::{Tally, Tracer};
use crate::weights::{
    DANGER_ATTACKER, DANGER_ATTACKERS, DANGER_ATTACKS, DANGER_BASE, DANGER_BLOCKERS, DANGER_DEFENDER,
    DANGER_FLANK_ATTACK, DANGER_FLANK_DEFENCE, DANGER_FLIGHTS, DANGER_NO_QUEEN, DANGER_PAWN_ATTACKS, DANGER_SAFE_CHECK,
    DANGER_UNSAFE_CHECK, DANGER_WEAK_SQUARES,
};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, PieceType, Score};

/// The types whose attacks count, in the order of the terms' tables.
const ATTACKERS: [PieceType; 4] = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// Whether `S` attacks the other king with enough to speak of danger: two pieces, or one if there is a queen.
#[inline(always)]
fn is_danger<S: Side>(context: &Context<'_>) -> bool {
    let us = context.us::<S>();
    us.zone_attackers.iter().sum::<u32>() >= if us.of(PieceType::Queen).any() { 1 } else { 2 }
}

/// The danger that `S` brings to the other king; `shelter` is what that king's pawns add to it.
#[inline(always)]
pub(crate) fn danger<S: Side, T: Tracer>(context: &Context<'_>, shelter: Score, tally: &mut Tally<'_, S, T>) {
    if !is_danger::<S>(context) {
        tally.forget_danger();
        return;
    }
    let (us, them) = (context.us::<S>(), context.them::<S>());
    tally.danger += shelter;
    tally.add(DANGER_BASE);
    attackers::<S, T>(us, tally);
    tally.add_n(DANGER_PAWN_ATTACKS, (us.by(PieceType::Pawn) & them.zone).count());
    let weak =
        (us.attacked - them.attacked_twice) & (!them.attacked | them.by(PieceType::King) | them.by(PieceType::Queen));
    tally.add_n(DANGER_WEAK_SQUARES, (weak & (them.zone | them.by(PieceType::King))).count());
    checks::<S, T>(context, weak, tally);
    if us.of(PieceType::Queen).is_empty() {
        tally.add(DANGER_NO_QUEEN);
    }
    for (index, defender) in [PieceType::Knight, PieceType::Bishop].into_iter().enumerate() {
        if them.by(defender).intersects(them.by(PieceType::King)) {
            tally.add_at(DANGER_DEFENDER, index);
        }
    }
    let flights = them.by(PieceType::King) - them.all - us.attacked;
    tally.add_at(DANGER_FLIGHTS, flights.count() as usize);
    let ground = flank(them.king.file()) & ranks::<S>(3, 7);
    let attacked = ground & us.attacked;
    tally.add_n(DANGER_FLANK_ATTACK, attacked.count() + (attacked & us.attacked_twice).count());
    tally.add_n(DANGER_FLANK_DEFENCE, (ground & them.attacked).count());
    tally.add_n(DANGER_BLOCKERS, them.pinned.count());
}

#[inline(always)]
fn attackers<S: Side, T: Tracer>(us: &Camp, tally: &mut Tally<'_, S, T>) {
    let mut all = 0;
    for (index, piece_type) in ATTACKERS.into_iter().enumerate() {
        let count = us.zone_attackers[piece_type.index()];
        tally.add_at_n(DANGER_ATTACKER, index, count);
        all += count as usize;
    }
    tally.add_at(DANGER_ATTACKERS, all.min(5));
    tally.add_n(DANGER_ATTACKS, us.zone_attacks);
}

/// Squares from which a piece of `S` can give check. The defender's queen does not shield its king: it would be skewered.
#[inline(always)]
fn checks<S: Side, T: Tracer>(context: &Context<'_>, weak: Bitboard, tally: &mut Tally<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let occupied = context.occupied ^ them.of(PieceType::Queen);
    let rook_lines = attacks::rook(them.king, occupied);
    let bishop_lines = attacks::bishop(them.king, occupied);
    let lines = [attacks::knight(them.king), bishop_lines, rook_lines, rook_lines | bishop_lines];
    let safe = !us.all & (!them.attacked | weak & us.attacked_twice);
    for (index, piece_type) in ATTACKERS.into_iter().enumerate() {
        let from = lines[index] & (us.by(piece_type) - us.all);
        if from.any() {
            let safe = from & safe;
            // A queen's check on a square that the enemy queen covers is an offer to exchange.
            let safe = if piece_type == PieceType::Queen { safe - them.by(PieceType::Queen) } else { safe };
            tally.add_at_n(DANGER_SAFE_CHECK, index, safe.count());
            tally.add_at_n(DANGER_UNSAFE_CHECK, index, (from - safe).count());
        }
    }
}
