//! Pawn races: passed pawns that an enemy with only king and pawns cannot stop (the rule of the square).

use crate::context::Context;
use crate::side::{Black, Side, White, relative_rank};
use crate::side_score::{SideScore, Tracer};
use crate::spans::file_ahead;
use crate::terms::pawns::Structure;
use crate::weights::PASSED_UNSTOPPABLE;
use bartizan_types::{Bitboard, ByColor, Color, PieceType};

/// Plies until the first unstoppable pawn of `S` promotes.
fn plies<S: Side>(passed: Bitboard, context: &Context<'_>) -> Option<u32> {
    let (us, them) = (context.us::<S>(), context.them::<S>());
    if !them.only_pawns() {
        return None;
    }
    let they_move = u32::from(context.position.turn() != S::US);
    let needed = |pawn| {
        let path = file_ahead::<S>(pawn);
        let rank = relative_rank::<S>(pawn);
        let steps = if rank == 1 { 5 } else { 7 - rank as u32 };
        // The path must be empty and either outside the enemy king's reach or fully guarded by the own king.
        let promotion = if S::US.is_white() { path.last() } else { path.first() }?;
        let catches = u32::from(them.king.distance(promotion)) <= steps + they_move;
        let escorted = path.is_subset_of(us.by(PieceType::King));
        let is_clear = !path.intersects(context.occupied);
        (is_clear && (!catches || escorted)).then_some(2 * steps - (1 - they_move))
    };
    passed.into_iter().filter_map(needed).min()
}

/// The side that wins the race: only it has an unstoppable pawn, or its pawn promotes at least two plies earlier.
pub(crate) fn winner(structures: &ByColor<Structure>, context: &Context<'_>) -> Option<Color> {
    let white = plies::<White>(structures[Color::White].passed, context);
    let black = plies::<Black>(structures[Color::Black].passed, context);
    match (white, black) {
        (Some(_), None) => Some(Color::White),
        (None, Some(_)) => Some(Color::Black),
        (Some(white), Some(black)) if white + 1 < black => Some(Color::White),
        (Some(white), Some(black)) if black + 1 < white => Some(Color::Black),
        _ => None,
    }
}

/// The bonus for winning the race.
#[inline(always)]
pub(crate) fn race<S: Side, T: Tracer>(winner: Option<Color>, tally: &mut SideScore<'_, S, T>) {
    if winner == Some(S::US) {
        tally.add(PASSED_UNSTOPPABLE);
    }
}
