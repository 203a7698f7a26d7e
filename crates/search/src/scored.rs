//! Moves with scores, of which the best is taken again and again.

use arrayvec::ArrayVec;
use bartizan_position::MAX_MOVES;
use bartizan_types::Move;

/// The number of moves that are compared at once.
const LANES: usize = 8;

/// Less than every move with a score.
const NONE: i64 = i64::MIN;

/// A move with its score and its index in the list, packed so that one comparison of integers orders two moves: first
/// by score, then the one with the lower index.
#[derive(Clone, Copy)]
struct Scored(i64);

impl Scored {
    #[inline]
    fn new(mv: Move, score: i32, index: usize) -> Self {
        Self(i64::from(score) << 32 | i64::from(!(index as u16)) << 16 | i64::from(mv.to_bits()))
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

/// A list of moves with scores.
///
/// It is used in two phases: moves are pushed, then, after [`ScoredMoves::finish`], taken. Most nodes need only a few of
/// their moves, so the list is not sorted: each [`ScoredMoves::take_best`] is one step of a selection sort.
pub(crate) struct ScoredMoves {
    /// Moves, and after `finish` at least as many times [`NONE`] as complete the last group of lanes.
    moves: ArrayVec<i64, { MAX_MOVES + LANES - 1 }>,
    /// The number of moves taken. Their slots hold [`NONE`].
    taken: usize,
}

impl ScoredMoves {
    pub(crate) fn new() -> Self {
        Self { moves: ArrayVec::new(), taken: 0 }
    }

    /// Begins a new list.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.taken = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move, score: i32) {
        self.moves.push(Scored::new(mv, score, self.moves.len()).0);
    }

    /// Ends the first phase.
    #[inline]
    pub(crate) fn finish(&mut self) {
        // A constant number is faster than the right one, and for more moves than a position can have it does nothing.
        let _ = self.moves.try_extend_from_slice(&[NONE; LANES - 1]);
    }

    /// Takes the best of the remaining moves, the first of equals.
    #[inline]
    pub(crate) fn take_best(&mut self) -> Option<Move> {
        let (groups, _) = self.moves.as_chunks::<LANES>();
        // The compiler makes vector instructions of this. A loop over single moves ends at an unpredictable point.
        let best = groups.get(self.taken / LANES..)?.iter().fold([NONE; LANES], |mut best, group| {
            for (best, &scored) in best.iter_mut().zip(group) {
                *best = scored.max(*best);
            }
            best
        });
        let best = best.into_iter().fold(NONE, i64::max);
        if best == NONE {
            return None;
        }
        // The first remaining move takes the place of the best.
        let best = Scored(best);
        let first = Scored(*self.moves.get(self.taken)?);
        *self.moves.get_mut(best.index())? = first.with_index(best.index()).0;
        *self.moves.get_mut(self.taken)? = NONE;
        self.taken += 1;
        best.mv()
    }
}
