//! The evaluation of one position: calls the terms in order and combines their sums.

use crate::cache::Cache;
use crate::context::Context;
use crate::formula::{MgEg, Sums, blend, strong_side};
use crate::pawn_part::{PawnPart, pawn_part};
use crate::side::{Black, Side, White};
use crate::side_score::{NoTrace, SideScore, Tracer};
use crate::terms::pawns::Structure;
use crate::terms::race::race;
use crate::terms::{
    complexity::complexity, danger::danger, imbalance, king, mobility::mobility, passed::passed, piece_squares, pieces,
    race, space::space, threats::threats,
};
use crate::weights::TEMPO;
use crate::{Phase, endgame};
use bartizan_position::Position;
use bartizan_types::{ByColor, Color, TaperedScore, Value};

/// The parts of the evaluation that the engine takes from the [`Cache`] and from incremental sums.
pub(crate) struct Known {
    pub(crate) piece_squares: TaperedScore,
    pub(crate) imbalance: TaperedScore,
    pub(crate) pawns: PawnPart,
}

impl Known {
    /// Computes all parts from the position.
    fn compute<T: Tracer>(position: &Position, tracer: &mut T) -> Self {
        Self {
            piece_squares: piece_squares::trace(position, tracer),
            imbalance: imbalance::trace(position, tracer),
            pawns: pawn_part(position, tracer),
        }
    }
}

/// The sums of all terms, computed without cache.
pub(crate) fn sums<T: Tracer>(position: &Position, tracer: &mut T) -> Sums {
    let known = Known::compute(position, tracer);
    sums_with(position, &known, tracer)
}

/// The sums of all terms, given those in `known`.
#[inline(always)]
fn sums_with<T: Tracer>(position: &Position, known: &Known, tracer: &mut T) -> Sums {
    let structures = &known.pawns.structures;
    let ByColor([white_shelter, black_shelter]) = known.pawns.shelters;
    let mut context = Context::new(position);
    let mut score = known.piece_squares + known.imbalance + known.pawns.score;
    score += white_shelter.score - black_shelter.score;
    // Mobility comes first: it enters the attacks of every piece into the context, and the terms below read them.
    score += mobility_of::<White, T>(&mut context, structures, tracer);
    score -= mobility_of::<Black, T>(&mut context, structures, tracer);
    let winner = race::winner(structures, &context);
    let (white, white_danger) = rest::<White, T>(&context, structures, winner, black_shelter.danger, tracer);
    let (black, black_danger) = rest::<Black, T>(&context, structures, winner, white_shelter.danger, tracer);
    score += white - black;
    let mut tally = SideScore::<White, T>::new(tracer);
    complexity(&context, structures, &mut tally);
    Sums {
        linear: MgEg::from(score),
        danger: [MgEg::from(white_danger), MgEg::from(black_danger)],
        complexity: tally.complexity.eg(),
    }
}

#[inline(always)]
fn mobility_of<S: Side, T: Tracer>(
    context: &mut Context<'_>,
    structures: &ByColor<Structure>,
    tracer: &mut T,
) -> TaperedScore {
    let mut tally = SideScore::<S, T>::new(tracer);
    mobility(context, structures, &mut tally);
    tally.score
}

/// The score and the danger of the terms of `S` that need the attacks of both sides.
#[inline(always)]
fn rest<S: Side, T: Tracer>(
    context: &Context<'_>,
    structures: &ByColor<Structure>,
    winner: Option<Color>,
    shelter: TaperedScore,
    tracer: &mut T,
) -> (TaperedScore, TaperedScore) {
    let mut tally = SideScore::<S, T>::new(tracer);
    king::king(context, &mut tally);
    danger(context, shelter, &mut tally);
    pieces::pins(context, &mut tally);
    passed(structures[S::US].passed, context, &mut tally);
    race(winner, &mut tally);
    threats(context, &mut tally);
    space(context, &mut tally);
    if context.position.turn() == S::US {
        tally.add(TEMPO);
    }
    (tally.score, tally.danger)
}

/// Tapers and scales the sums; returns the value for the side to move.
#[inline]
fn value(position: &Position, sums: &Sums, phase: Phase) -> Value {
    let halves = sums.halves();
    let scale = endgame::scale(position, strong_side(halves.eg));
    let white = blend(halves, phase, scale);
    if position.turn().is_white() { white } else { -white }
}

/// The value of a position whose piece-square sum and phase are known.
#[inline]
pub(crate) fn evaluate_with(
    position: &Position,
    piece_squares: TaperedScore,
    phase: Phase,
    cache: &mut Cache,
) -> Value {
    if let Some(value) = endgame::known_value(position) {
        return value;
    }
    let known = Known { piece_squares, imbalance: cache.imbalance(position), pawns: cache.pawns(position) };
    value(position, &sums_with(position, &known, &mut NoTrace), phase)
}

/// Evaluates a single position: the value for the side to move, in internal centipawns. Meaningless if the side to move
/// is in check or checkmated.
///
/// Computes everything from scratch. A search uses [`HandCrafted`](crate::HandCrafted), which returns the same values
/// but updates its sums incrementally and caches the pawn terms.
pub fn evaluate(position: &Position) -> Value {
    if let Some(value) = endgame::known_value(position) {
        return value;
    }
    value(position, &sums(position, &mut NoTrace), Phase::of(position))
}
