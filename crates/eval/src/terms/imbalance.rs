//! Material imbalance: corrections for pairs of own pieces, and for own pieces against enemy ones.
//!
//! Each term is a product of two counts with a weight, as in Tord Romstad's material imbalance in Glaurung and in Larry
//! Kaufman, "The Evaluation of Material Imbalances" (1999).

use crate::side::{Black, Side, White};
use crate::side_score::{SideScore, Tracer};
use crate::weights::{
    BISHOP_PAIR, BISHOP_PAIR_PAWNS, PAIR_AGAINST_PIECE, PIECE_AGAINST_PAWN, PIECE_AGAINST_PIECE, PIECE_WITH_PAWN,
    PIECE_WITH_PIECE,
};
use bartizan_position::Position;
use bartizan_types::{Color, PieceType, TaperedScore};

struct Counts {
    pawns: u32,
    /// Number of knights, bishops, rooks and queens.
    pieces: [u32; 4],
}

fn counts(position: &Position, color: Color) -> Counts {
    use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
    let count = |piece_type| position.pieces(color, piece_type).count();
    Counts { pawns: count(Pawn), pieces: [Knight, Bishop, Rook, Queen].map(count) }
}

/// The sum of the imbalance terms, white minus black.
pub(crate) fn trace<T: Tracer>(position: &Position, tracer: &mut T) -> TaperedScore {
    fn side<S: Side, T: Tracer>(position: &Position, tracer: &mut T) -> TaperedScore {
        let mut tally = SideScore::<S, T>::new(tracer);
        imbalance(position, &mut tally);
        tally.score
    }
    side::<White, T>(position, tracer) - side::<Black, T>(position, tracer)
}

/// The imbalance terms of one side. They depend only on the number of pieces, so the material key identifies them.
fn imbalance<S: Side, T: Tracer>(position: &Position, tally: &mut SideScore<'_, S, T>) {
    let (ours, theirs) = (counts(position, S::US), counts(position, S::THEM));
    let pair = ours.pieces[1] >= 2;
    if pair {
        tally.add(BISHOP_PAIR);
        tally.add_n(BISHOP_PAIR_PAWNS, ours.pawns);
    }
    let mut against = 0;
    for piece in 0..4 {
        tally.add_at_n(PIECE_WITH_PAWN, piece, ours.pieces[piece] * ours.pawns);
        tally.add_at_n(PIECE_AGAINST_PAWN, piece, ours.pieces[piece] * theirs.pawns);
        if pair {
            tally.add_at_n(PAIR_AGAINST_PIECE, piece, theirs.pieces[piece]);
        }
        for other in 0..piece {
            tally.add_at_n(PIECE_AGAINST_PIECE, against, ours.pieces[piece] * theirs.pieces[other]);
            against += 1;
        }
    }
    with_each_other(&ours.pieces, tally);
}

/// Pairs of own pieces, in the order of [`PIECE_WITH_PIECE`]. `n` pieces of one type are `n (n - 1) / 2` pairs.
fn with_each_other<S: Side, T: Tracer>(&[n, b, r, q]: &[u32; 4], tally: &mut SideScore<'_, S, T>) {
    let two = |count: u32| count * count.saturating_sub(1) / 2;
    for (index, times) in [two(n), b * n, r * n, r * b, two(r), q * n, q * b, q * r, two(q)].into_iter().enumerate() {
        tally.add_at_n(PIECE_WITH_PIECE, index, times);
    }
}
