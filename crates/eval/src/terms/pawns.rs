//! Pawn structure: all that can be said of the pawns alone, and so kept in a table.

use crate::side::{Side, relative_rank};
use crate::spans::{beside, file_ahead, fill_ahead, from_rim, passed_span};
use crate::tally::{Tally, Tracer};
use crate::weights::{
    PAWN_BACKWARD, PAWN_CANDIDATE, PAWN_CONNECTED_OPEN, PAWN_DOUBLED, PAWN_DOUBLED_ISOLATED, PAWN_ISLAND,
    PAWN_ISOLATED, PAWN_LEVER, PAWN_PHALANX, PAWN_RAMMED, PAWN_SUPPORTED, PAWN_SUPPORTED_TWICE, PAWN_WEAK_LEVER,
};
use bartizan_attacks as attacks;
use bartizan_position::Position;
use bartizan_types::{Bitboard, PieceType, Square};

/// What other terms want to know of one side's pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Structure {
    pub(crate) passed: Bitboard,
    /// Every square that one of the pawns attacks or will attack when it has advanced.
    pub(crate) span: Bitboard,
}

/// One pawn and who stands around it.
struct Pawn {
    square: Square,
    rank: usize,
    stop: Bitboard,
    /// Own pawns on the files beside.
    neighbours: Bitboard,
    /// Those that defend it.
    support: Bitboard,
    /// Those beside it.
    phalanx: Bitboard,
    /// Enemy pawns that can stop it.
    stoppers: Bitboard,
    /// An enemy pawn ahead on its file.
    opposed: bool,
    /// An own pawn ahead on its file.
    doubled: bool,
}

/// The terms of all pawns of `S`.
pub(crate) fn structure<S: Side, T: Tracer>(position: &Position, tally: &mut Tally<'_, S, T>) -> Structure {
    let ours = position.pieces(S::US, PieceType::Pawn);
    let theirs = position.pieces(S::THEM, PieceType::Pawn);
    let mut passed = Bitboard::EMPTY;
    for square in ours {
        tally.set_subject(square);
        let pawn = look::<S>(square, ours, theirs);
        if pawn.stoppers.is_empty() && !pawn.doubled {
            passed |= square.bitboard();
        }
        weaknesses::<S, T>(&pawn, theirs, tally);
        strengths::<S, T>(&pawn, ours, theirs, tally);
    }
    tally.set_subject(None);
    let files = (fill_ahead::<S>(ours) | fill_ahead::<S::Opponent>(ours)).0 as u8;
    tally.add_n(PAWN_ISLAND, (files & !(files << 1)).count_ones());
    Structure { passed, span: fill_ahead::<S>(attacks::pawns(S::US, ours)) }
}

fn look<S: Side>(square: Square, ours: Bitboard, theirs: Bitboard) -> Pawn {
    let neighbours = ours & square.file().adjacent();
    let ahead = file_ahead::<S>(square);
    Pawn {
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

fn weaknesses<S: Side, T: Tracer>(pawn: &Pawn, theirs: Bitboard, tally: &mut Tally<'_, S, T>) {
    let rim = from_rim(pawn.square.file());
    if pawn.doubled {
        tally.add_at(PAWN_DOUBLED, rim);
        if pawn.neighbours.is_empty() {
            tally.add(PAWN_DOUBLED_ISOLATED);
        }
    }
    if pawn.neighbours.is_empty() {
        tally.add_at(PAWN_ISOLATED, rim + if pawn.opposed { 0 } else { 4 });
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

/// No neighbour is beside or behind it, and its next step is barred or attacked by a pawn.
fn is_backward<S: Side>(pawn: &Pawn, theirs: Bitboard) -> bool {
    let behind = passed_span::<S::Opponent>(pawn.square) | pawn.square.rank().bitboard();
    !pawn.neighbours.intersects(behind) && pawn.stop.intersects(theirs | attacks::pawns(S::THEM, theirs))
}

fn strengths<S: Side, T: Tracer>(pawn: &Pawn, ours: Bitboard, theirs: Bitboard, tally: &mut Tally<'_, S, T>) {
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

/// A pawn becomes a candidate when as many own pawns help it forward as enemy pawns attack it there.
fn candidate<S: Side, T: Tracer>(pawn: &Pawn, ours: Bitboard, theirs: Bitboard, tally: &mut Tally<'_, S, T>) {
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
