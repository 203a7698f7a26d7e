//! Pawn structure: the terms that depend only on the pawns, and can therefore be cached.

use crate::side::{Side, relative_rank};
use crate::side_score::{SideScore, Tracer};
use crate::spans::{beside, edge_distance, file_ahead, files, fill_ahead, passed_span};
use crate::weights::{
    PAWN_BACKWARD, PAWN_CANDIDATE, PAWN_CONNECTED_OPEN, PAWN_DOUBLED, PAWN_DOUBLED_ISOLATED, PAWN_ISLAND,
    PAWN_ISOLATED, PAWN_LEVER, PAWN_PHALANX, PAWN_RAMMED, PAWN_SUPPORTED, PAWN_SUPPORTED_TWICE, PAWN_WEAK_LEVER,
};
use bartizan_attacks as attacks;
use bartizan_position::Position;
use bartizan_types::{Bitboard, PieceType, Square};

/// Properties of one side's pawns that other terms use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Structure {
    /// The passed pawns.
    pub(crate) passed: Bitboard,
    /// The attack span: every square that a pawn attacks now or after advancing.
    pub(crate) span: Bitboard,
}

/// One pawn and the pawns around it.
struct Pawn {
    square: Square,
    rank: usize,
    stop: Bitboard,
    /// Own pawns on the adjacent files.
    neighbours: Bitboard,
    /// Neighbours that defend it.
    support: Bitboard,
    /// Neighbours on its rank.
    phalanx: Bitboard,
    /// Enemy pawns ahead on its file and the adjacent files.
    stoppers: Bitboard,
    /// Whether an enemy pawn is ahead on its file.
    opposed: bool,
    /// Whether an own pawn is ahead on its file.
    doubled: bool,
}

/// The terms of all pawns of `S`.
pub(crate) fn structure<S: Side, T: Tracer>(position: &Position, tally: &mut SideScore<'_, S, T>) -> Structure {
    let ours = position.pieces(S::US, PieceType::Pawn);
    let theirs = position.pieces(S::THEM, PieceType::Pawn);
    let mut passed = Bitboard::EMPTY;
    for square in ours {
        tally.set_subject(square);
        let pawn = Pawn::new::<S>(square, ours, theirs);
        if pawn.stoppers.is_empty() && !pawn.doubled {
            passed |= square.bitboard();
        }
        weaknesses::<S, T>(&pawn, theirs, tally);
        strengths::<S, T>(&pawn, ours, theirs, tally);
    }
    tally.set_subject(None);
    let files = files(ours);
    tally.add_n(PAWN_ISLAND, (files & !(files << 1)).count_ones());
    Structure { passed, span: fill_ahead::<S>(attacks::pawns(S::US, ours)) }
}

impl Pawn {
    fn new<S: Side>(square: Square, ours: Bitboard, theirs: Bitboard) -> Self {
        let neighbours = ours & square.file().adjacent();
        let ahead = file_ahead::<S>(square);
        Self {
            square,
            rank: relative_rank::<S>(square),
            stop: square.bitboard().shift(S::UP),
            neighbours,
            support: ours & attacks::pawn(S::THEM, square),
            phalanx: neighbours & square.rank().bitboard(),
            stoppers: theirs & passed_span::<S>(square),
            opposed: theirs.intersects(ahead),
            doubled: ours.intersects(ahead),
        }
    }
}

fn weaknesses<S: Side, T: Tracer>(pawn: &Pawn, theirs: Bitboard, tally: &mut SideScore<'_, S, T>) {
    let file = edge_distance(pawn.square.file());
    if pawn.doubled {
        tally.add_at(PAWN_DOUBLED, file);
        if pawn.neighbours.is_empty() {
            tally.add(PAWN_DOUBLED_ISOLATED);
        }
    }
    if pawn.neighbours.is_empty() {
        tally.add_at(PAWN_ISOLATED, file + if pawn.opposed { 0 } else { 4 });
    } else if is_backward::<S>(pawn, theirs) {
        tally.add_at(PAWN_BACKWARD, pawn.rank + if pawn.opposed { 0 } else { 8 });
    }
    if pawn.stop.intersects(theirs) {
        tally.add_at(PAWN_RAMMED, pawn.rank);
    }
    let levers = theirs & attacks::pawn(S::US, pawn.square);
    if levers.any() {
        tally.add(PAWN_LEVER);
        if levers.has_many() && pawn.support.is_empty() {
            tally.add(PAWN_WEAK_LEVER);
        }
    }
}

/// Whether no neighbour is on its rank or behind it, and an enemy pawn occupies or attacks its stop square.
fn is_backward<S: Side>(pawn: &Pawn, theirs: Bitboard) -> bool {
    let behind = passed_span::<S::Opponent>(pawn.square) | pawn.square.rank().bitboard();
    !pawn.neighbours.intersects(behind) && pawn.stop.intersects(theirs | attacks::pawns(S::THEM, theirs))
}

fn strengths<S: Side, T: Tracer>(pawn: &Pawn, ours: Bitboard, theirs: Bitboard, tally: &mut SideScore<'_, S, T>) {
    let Pawn { rank, support, phalanx, .. } = *pawn;
    if support.any() {
        tally.add_at(PAWN_SUPPORTED, rank);
        if support.has_many() {
            tally.add(PAWN_SUPPORTED_TWICE);
        }
    }
    if phalanx.any() {
        tally.add_at(PAWN_PHALANX, rank);
    }
    if (support | phalanx).any() && !pawn.opposed {
        tally.add_at(PAWN_CONNECTED_OPEN, rank);
    }
    if !pawn.opposed && !pawn.doubled && pawn.stoppers.any() {
        candidate::<S, T>(pawn, ours, theirs, tally);
    }
}

/// A candidate is a pawn that can become passed: at least as many own pawns support its advance as enemy pawns attack
/// its stop square.
fn candidate<S: Side, T: Tracer>(pawn: &Pawn, ours: Bitboard, theirs: Bitboard, tally: &mut SideScore<'_, S, T>) {
    let levers = theirs & attacks::pawn(S::US, pawn.square);
    let sentries = theirs & attacks::pawns(S::US, pawn.stop);
    if !pawn.stoppers.is_subset_of(levers | sentries) || levers.count() > pawn.support.count() {
        return;
    }
    let behind = passed_span::<S::Opponent>(pawn.square) | pawn.square.rank().bitboard();
    let helpers = ours & beside(pawn.square.file().bitboard()) & behind;
    if pawn.phalanx.count() >= sentries.count() {
        tally.add_at(PAWN_CANDIDATE, pawn.rank + 8);
    } else if helpers.count() >= sentries.count() {
        tally.add_at(PAWN_CANDIDATE, pawn.rank);
    }
}
