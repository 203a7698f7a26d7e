//! Moves with scores, from which the best is taken repeatedly.

use arrayvec::ArrayVec;
use bartizan_position::MAX_MOVES;
use bartizan_types::Move;

/// The number of moves that are compared at once.
const LANES: usize = 8;

/// Less than every move with a score.
const NONE: i64 = i64::MIN;

/// Scores are between this and its negative, so that the number of a move is positive and below the bit pattern of
/// floating-point infinity, as [`greatest`] requires.
const MAX_SCORE: i32 = 1 << 29;

/// A move with its score and its index in the list, packed so that one comparison of integers orders two moves: first
/// by score, then the one with the lower index.
#[derive(Clone, Copy)]
struct Scored(i64);

impl Scored {
    #[inline]
    fn new(mv: Move, score: i32, index: usize) -> Self {
        debug_assert!(score.abs() < MAX_SCORE, "{mv} has a score of {score}");
        let score = i64::from(score + MAX_SCORE);
        Self(score << 32 | i64::from(!(index as u16)) << 16 | i64::from(mv.to_bits()))
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(!((self.0 >> 16) as u16))
    }

    #[inline]
    fn with_index(self, index: usize) -> Self {
        Self(self.0 & !0xffff_0000 | i64::from(!(index as u16)) << 16)
    }
}

/// The greatest of the numbers, which are those of moves or [`NONE`]; `NONE` without any.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
#[inline]
fn greatest(groups: &[[i64; LANES]]) -> i64 {
    groups.as_flattened().iter().copied().fold(NONE, i64::max)
}

/// The greatest of the numbers, which are those of moves or [`NONE`]; `NONE` without any.
///
/// AVX has an instruction for the greater of two floating-point numbers, but not of two integers. The numbers of moves
/// are positive and, read as floating-point numbers, finite, so that their order is the same; `NONE` is zero. The
/// compiler vectorises a loop over integers only for four groups or more, and most nodes have fewer.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[inline]
fn greatest(groups: &[[i64; LANES]]) -> i64 {
    use safe_arch::{
        cast_to_m128d_from_m256d, extract_m128d_from_m256d, get_f64_from_m128d_s, m256d, max_m128d, max_m256d,
        unpack_high_m128d,
    };
    let best = groups.iter().fold([m256d::from([f64::from_bits(NONE as u64); LANES / 2]); 2], |best, group| {
        let [a, b, c, d, e, f, g, h] = group.map(|scored| f64::from_bits(scored as u64));
        [max_m256d(best[0], m256d::from([a, b, c, d])), max_m256d(best[1], m256d::from([e, f, g, h]))]
    });
    let best = max_m256d(best[0], best[1]);
    let best = max_m128d(cast_to_m128d_from_m256d(best), extract_m128d_from_m256d::<1>(best));
    let best = max_m128d(best, unpack_high_m128d(best, best));
    get_f64_from_m128d_s(best).to_bits() as i64
}

/// A list of moves with scores.
///
/// It is used in two phases: moves are pushed, then, after [`ScoredMoves::finish`], taken. Most nodes need only a few
/// of their moves, so the list is not sorted: each [`ScoredMoves::take_best`] is one step of a selection sort.
pub(crate) struct ScoredMoves {
    /// Moves, and after `finish` at least as many times [`NONE`] as complete the last group of lanes.
    moves: ArrayVec<i64, { MAX_MOVES + LANES - 1 }>,
    /// The number of moves taken. Their slots hold [`NONE`].
    taken: usize,
    /// The best of the remaining moves if [`ScoredMoves::peek`] has found it, otherwise [`NONE`].
    best: i64,
}

impl ScoredMoves {
    pub(crate) fn new() -> Self {
        Self { moves: ArrayVec::new(), taken: 0, best: NONE }
    }

    /// Begins a new list.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.taken = 0;
        self.best = NONE;
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move, score: i32) {
        self.moves.push(Scored::new(mv, score, self.moves.len()).0);
    }

    /// Ends the first phase.
    #[inline]
    pub(crate) fn finish(&mut self) {
        // A constant number is faster than the exact one; it does nothing for more moves than a position can have.
        let _ = self.moves.try_extend_from_slice(&[NONE; LANES - 1]);
    }

    /// The best of the remaining moves, the first of equals; [`NONE`] if there are none.
    #[inline]
    fn best(&self) -> i64 {
        if self.best != NONE {
            return self.best;
        }
        // Whole groups, because a loop over single moves ends at an unpredictable point.
        let (groups, _) = self.moves.as_chunks::<LANES>();
        greatest(groups.get(self.taken / LANES..).unwrap_or_default())
    }

    /// The move that [`ScoredMoves::take_best`] will return next. The result is remembered.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<Move> {
        self.best = self.best();
        if self.best == NONE { None } else { Scored(self.best).mv() }
    }

    /// Takes the best of the remaining moves, the first of equals.
    #[inline]
    pub(crate) fn take_best(&mut self) -> Option<Move> {
        let best = self.best();
        if best == NONE {
            return None;
        }
        let best = Scored(best);
        self.best = NONE;
        // The first remaining move takes the place of the best.
        let first = Scored(*self.moves.get(self.taken)?);
        *self.moves.get_mut(best.index())? = first.with_index(best.index()).0;
        *self.moves.get_mut(self.taken)? = NONE;
        self.taken += 1;
        best.mv()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Square;
    use proptest::prelude::*;

    proptest! {
        /// The moves come by descending score, each once, whether or not they were peeked at before.
        #[test]
        fn the_best_comes_first(scores in prop::collection::vec(-3..3_i32, 0..60), peeks in any::<u64>()) {
            let squares = Square::ALL;
            let mut list = ScoredMoves::new();
            // Moves left by an earlier stage are ignored.
            list.push(Move::normal(squares[63], squares[0]), MAX_SCORE - 1);
            list.finish();
            list.peek();
            list.clear();
            let moves: Vec<_> = (1..=scores.len()).map(|to| Move::normal(squares[0], squares[to])).collect();
            for (&mv, &score) in moves.iter().zip(&scores) {
                list.push(mv, score);
            }
            list.finish();
            let mut taken = Vec::new();
            loop {
                let peeked = (peeks >> (taken.len() % 64) & 1 != 0).then(|| list.peek());
                let best = list.take_best();
                prop_assert!(peeked.is_none_or(|peeked| peeked == best));
                let Some(best) = best else { break };
                taken.push(best);
            }
            prop_assert_eq!(list.peek(), None);
            let score = |mv: &Move| scores[mv.to().index() - 1];
            prop_assert!(taken.is_sorted_by_key(|mv| -score(mv)));
            prop_assert_eq!(taken.first(), moves.iter().rev().max_by_key(|mv| score(mv)));
            taken.sort_unstable();
            let mut moves = moves;
            moves.sort_unstable();
            prop_assert_eq!(taken, moves);
        }
    }

    #[test]
    fn the_longest_list_fits() {
        let mut list = ScoredMoves::new();
        for n in 0..MAX_MOVES {
            list.push(Move::normal(Square::A1, Square::A2), n as i32);
        }
        list.finish();
        assert_eq!(std::iter::from_fn(|| list.take_best()).count(), MAX_MOVES);
    }
}
