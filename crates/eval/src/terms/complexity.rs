//! Complexity: how many winning chances the endgame offers to the side that is ahead (Stockfish's "initiative", 2016).

use crate::context::Context;
use crate::side::White;
use crate::side_score::{SideScore, Tracer};
use crate::spans::QUEENSIDE;
use crate::terms::pawns::Structure;
use crate::weights::{
    COMPLEXITY_BASE, COMPLEXITY_BOTH_FLANKS, COMPLEXITY_INFILTRATION, COMPLEXITY_OUTFLANKING, COMPLEXITY_PASSED,
    COMPLEXITY_PAWN_ENDGAME, COMPLEXITY_PAWNS, COMPLEXITY_STUCK,
};
use bartizan_types::{ByColor, Color, PieceType, Rank};

/// The complexity terms. They belong to neither side and are counted once, for white.
#[inline(always)]
pub(crate) fn complexity<T: Tracer>(
    context: &Context<'_>,
    structures: &ByColor<Structure>,
    tally: &mut SideScore<'_, White, T>,
) {
    let position = context.position;
    let pawns = position.by_type(PieceType::Pawn);
    let (white, black) = (position.king(Color::White), position.king(Color::Black));
    let both_flanks = pawns.intersects(QUEENSIDE) && !pawns.is_subset_of(QUEENSIDE);
    let files = white.file().distance(black.file());
    let ranks = white.rank().distance(black.rank());
    let infiltration = white.rank() > Rank::Fourth || black.rank() < Rank::Fifth;

    tally.add(COMPLEXITY_BASE);
    tally.add_n(COMPLEXITY_PAWNS, pawns.count());
    tally.add_n(COMPLEXITY_PASSED, (structures[Color::White].passed | structures[Color::Black].passed).count());
    tally.add_n(COMPLEXITY_OUTFLANKING, u32::from(files.saturating_sub(ranks)));
    if both_flanks {
        tally.add(COMPLEXITY_BOTH_FLANKS);
    } else if files <= ranks {
        tally.add(COMPLEXITY_STUCK);
    }
    if infiltration {
        tally.add(COMPLEXITY_INFILTRATION);
    }
    if position.occupied() == pawns | position.by_type(PieceType::King) {
        tally.add(COMPLEXITY_PAWN_ENDGAME);
    }
}
