//! King danger: several attackers together are worth more than the sum of their separate values.
//!
//! The weights add up to a danger that enters the middlegame score squared. The idea is Tord Romstad's king safety
//! table in Glaurung, with a curve in place of the table.

use crate::context::{Context, SideInfo};
use crate::side::{Side, ranks};
use crate::side_score::{SideScore, Tracer};
use crate::spans::flank;
use crate::weights::{
    DANGER_ATTACKER, DANGER_ATTACKERS, DANGER_ATTACKS, DANGER_BASE, DANGER_BLOCKERS, DANGER_DEFENDER,
    DANGER_FLANK_ATTACK, DANGER_FLANK_DEFENCE, DANGER_FLIGHTS, DANGER_NO_QUEEN, DANGER_PAWN_ATTACKS, DANGER_SAFE_CHECK,
    DANGER_UNSAFE_CHECK, DANGER_WEAK_SQUARES,
};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, PieceType, TaperedScore};

/// The piece types that count as attackers, in the order of the terms' tables.
const ATTACKERS: [PieceType; 4] = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// The last index of [`DANGER_ATTACKERS`]: more attackers count as this many.
const MAX_ATTACKERS: usize = DANGER_ATTACKERS.len - 1;

/// Whether enough pieces of `S` attack the enemy king's zone: two, or one if `S` has a queen.
#[inline(always)]
fn is_danger<S: Side>(context: &Context<'_>) -> bool {
    let us = context.us::<S>();
    us.zone_attackers.0.iter().sum::<u32>() >= if us.of(PieceType::Queen).any() { 1 } else { 2 }
}

/// The danger terms of `S` as the attacker. `shelter` is the contribution of the defending king's pawns.
#[inline(always)]
pub(crate) fn danger<S: Side, T: Tracer>(
    context: &Context<'_>,
    shelter: TaperedScore,
    tally: &mut SideScore<'_, S, T>,
) {
    if !is_danger::<S>(context) {
        tally.discard_danger();
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
    let flank = flank(them.king.file()) & ranks::<S>(3, 7);
    let attacked = flank & us.attacked;
    tally.add_n(DANGER_FLANK_ATTACK, attacked.count() + (attacked & us.attacked_twice).count());
    tally.add_n(DANGER_FLANK_DEFENCE, (flank & them.attacked).count());
    tally.add_n(DANGER_BLOCKERS, them.pinned.count());
}

/// The pieces that attack the king's zone, and their attacks beside the king.
#[inline(always)]
fn attackers<S: Side, T: Tracer>(us: &SideInfo, tally: &mut SideScore<'_, S, T>) {
    let mut all = 0;
    for (index, piece_type) in ATTACKERS.into_iter().enumerate() {
        let count = us.zone_attackers[piece_type];
        tally.add_at_n(DANGER_ATTACKER, index, count);
        all += count as usize;
    }
    tally.add_at(DANGER_ATTACKERS, all.min(MAX_ATTACKERS));
    tally.add_n(DANGER_ATTACKS, us.zone_attacks);
}

/// The squares from which a piece of `S` can give check.
///
/// Rays pass through the defender's queen, which would be lost if it interposed.
#[inline(always)]
fn checks<S: Side, T: Tracer>(context: &Context<'_>, weak: Bitboard, tally: &mut SideScore<'_, S, T>) {
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
            // A queen check on a square that the enemy queen covers only offers an exchange.
            let safe = if piece_type == PieceType::Queen { safe - them.by(PieceType::Queen) } else { safe };
            tally.add_at_n(DANGER_SAFE_CHECK, index, safe.count());
            tally.add_at_n(DANGER_UNSAFE_CHECK, index, (from - safe).count());
        }
    }
}
