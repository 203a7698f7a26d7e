//! Threats: attacks on more valuable or badly defended pieces, and safe moves that create such attacks.
//!
//! A piece is weak when it is attacked and the enemy does not hold its square.

use crate::context::Context;
use crate::side::{Side, ranks};
use crate::side_score::{SideScore, Tracer};
use crate::weights::{
    THREAT_BY_KING, THREAT_BY_MINOR, THREAT_BY_PAWN, THREAT_BY_PAWN_PUSH, THREAT_BY_ROOK, THREAT_HANGING,
    THREAT_ON_QUEEN, THREAT_OVERLOADED, THREAT_QUEEN_DEFENDS, THREAT_RESTRICTED, Term,
};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, PieceType};

/// All threats by `S`.
#[inline(always)]
pub(crate) fn threats<S: Side, T: Tracer>(context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    // Squares that the enemy holds: defended by a pawn, or defended twice and attacked at most once.
    let held = them.by(PieceType::Pawn) | (them.attacked_twice - us.attacked_twice);
    let pieces = them.all - them.of(PieceType::Pawn) - them.of(PieceType::King);
    let weak = (them.all - them.of(PieceType::King)) & (us.attacked - held);
    let targets = weak | pieces & held;
    if targets.any() {
        let by_minors = us.by(PieceType::Knight) | us.by(PieceType::Bishop);
        victims::<S, T>(THREAT_BY_MINOR, targets & by_minors, context, tally);
        victims::<S, T>(THREAT_BY_ROOK, weak & us.by(PieceType::Rook), context, tally);
        if (weak & us.by(PieceType::King)).any() {
            tally.add(THREAT_BY_KING);
        }
        let hanging = weak & (!them.attacked | pieces & us.attacked_twice);
        victims::<S, T>(THREAT_HANGING, hanging, context, tally);
        let once = (us.attacked - us.attacked_twice) & (them.attacked - them.attacked_twice);
        tally.add_n(THREAT_OVERLOADED, (weak & pieces & once).count());
        tally.add_n(THREAT_QUEEN_DEFENDS, (weak & them.by(PieceType::Queen)).count());
    }
    let restricted = them.attacked & (us.attacked - held);
    tally.add_n(THREAT_RESTRICTED, restricted.count());
    by_pawns::<S, T>(pieces, context, tally);
    on_queen::<S, T>(held, context, tally);
}

/// Adds the weight of each attacked piece, by its type.
#[inline(always)]
fn victims<S: Side, T: Tracer>(term: Term, attacked: Bitboard, context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    for square in attacked {
        tally.set_subject(square);
        if let Some(piece) = context.position.piece_at(square) {
            tally.add_at(term, piece.piece_type().index().min(4));
        }
    }
    tally.set_subject(None);
}

#[inline(always)]
fn by_pawns<S: Side, T: Tracer>(pieces: Bitboard, context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let pawns = us.of(PieceType::Pawn);
    let safe = !them.attacked | us.attacked;
    let attacked = attacks::pawns(S::US, pawns & safe) & pieces;
    if attacked.any() {
        victims::<S, T>(THREAT_BY_PAWN, attacked, context, tally);
    }
    let step = pawns.shift(S::UP) - context.occupied;
    let step = step | ((step & ranks::<S>(2, 2)).shift(S::UP) - context.occupied);
    let step = (step - them.by(PieceType::Pawn)) & safe;
    let pushes = attacks::pawns(S::US, step) & (pieces - us.by(PieceType::Pawn));
    if pushes.any() {
        tally.add_n(THREAT_BY_PAWN_PUSH, pushes.count());
    }
}

/// Safe squares from which a minor piece or rook would attack the only enemy queen.
#[inline(always)]
fn on_queen<S: Side, T: Tracer>(held: Bitboard, context: &Context<'_>, tally: &mut SideScore<'_, S, T>) {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    let queens = them.of(PieceType::Queen);
    let Some(queen) = queens.first() else { return };
    if queens.has_many() {
        return;
    }
    let safe = us.mobility_area - us.all - held;
    let leaps = us.by(PieceType::Knight) & attacks::knight(queen) & safe;
    tally.add_at_n(THREAT_ON_QUEEN, 0, leaps.count());
    let lines = us.by(PieceType::Bishop) & attacks::bishop(queen, context.occupied)
        | us.by(PieceType::Rook) & attacks::rook(queen, context.occupied);
    tally.add_at_n(THREAT_ON_QUEEN, 1, (lines & safe & us.attacked_twice).count());
}
