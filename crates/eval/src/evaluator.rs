//! What the search talks to.

use crate::Phase;
use crate::cache::{Cache, CacheStats};
use crate::evaluation::evaluate_with;
use crate::terms::piece_squares::{self, Table, Wings};
use bartizan_position::{Observer, Position};
use bartizan_types::{Move, Piece, PieceType, Score, Square, Value};

/// An evaluation that follows a line of moves. The board does not know it; the search tells it of every move.
pub trait Evaluator: Send {
    /// A new line begins at `position`.
    fn reset(&mut self, position: &Position);
    /// Plays a legal move and follows it.
    fn play(&mut self, position: &Position, mv: Move) -> Position;
    /// Passes and follows.
    fn play_null(&mut self, position: &Position) -> Position;
    /// The last move (or pass) is taken back.
    fn undo(&mut self);
    /// What the position now reached is worth to the side to move, within ±[`Value::EVAL_MAX`]. The caller does not ask
    /// about positions in check.
    fn evaluate(&mut self, position: &Position) -> Value;
}

/// The sums kept up to date while pieces move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    /// Material and piece squares, white minus black.
    piece_squares: Score,
    phase: Phase,
    wings: Wings,
}

impl Line {
    const EMPTY: Self = Self { piece_squares: Score::ZERO, phase: Phase::NONE, wings: Wings::KINGSIDE };

    fn of(position: &Position) -> Self {
        Self { piece_squares: piece_squares::sum(position), phase: Phase::of(position), wings: Wings::of(position) }
    }
}

/// The hand-written evaluation, with its tables of pawns and material: 672 KiB.
#[derive(Clone, Debug)]
pub struct HandCrafted {
    /// One entry a ply; the last is the position now reached.
    line: Vec<Line>,
    cache: Cache,
}

struct Follower<'a> {
    table: &'static Table,
    sums: &'a mut Line,
    king_moved: bool,
}

impl Observer for Follower<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.sums.piece_squares += self.table[piece.index()][square.index()];
        self.sums.phase.add(piece.piece_type());
        self.king_moved |= piece.piece_type() == PieceType::King;
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.sums.piece_squares -= self.table[piece.index()][square.index()];
        self.sums.phase.remove(piece.piece_type());
    }

    #[inline]
    fn step(&mut self, piece: Piece, from: Square, to: Square) {
        let row = &self.table[piece.index()];
        self.sums.piece_squares += row[to.index()] - row[from.index()];
        self.king_moved |= piece.piece_type() == PieceType::King;
    }
}

/// How many plies fit before the line has to grow.
const PLIES: usize = 256;

impl HandCrafted {
    /// An evaluator at no position: call [`Evaluator::reset`] first.
    pub fn new() -> Self {
        let mut line = Vec::with_capacity(PLIES);
        line.push(Line::EMPTY);
        Self { line, cache: Cache::new() }
    }

    /// How well its tables do.
    pub fn cache_stats(&self) -> CacheStats {
        self.cache.stats
    }

    #[inline]
    fn last(&self) -> Line {
        self.line.last().copied().unwrap_or(Line::EMPTY)
    }
}

impl Default for HandCrafted {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator for HandCrafted {
    fn reset(&mut self, position: &Position) {
        self.line.clear();
        self.line.push(Line::of(position));
    }

    #[inline]
    fn play(&mut self, position: &Position, mv: Move) -> Position {
        let mut sums = self.last();
        let mut follower = Follower { table: piece_squares::table(sums.wings), sums: &mut sums, king_moved: false };
        let next = position.play_observed(mv, &mut follower);
        if follower.king_moved && Wings::of(&next) != sums.wings {
            // A king crossed the middle: every piece has another table now.
            sums.wings = Wings::of(&next);
            sums.piece_squares = piece_squares::sum(&next);
        }
        self.line.push(sums);
        next
    }

    #[inline]
    fn play_null(&mut self, position: &Position) -> Position {
        self.line.push(self.last());
        position.play_null()
    }

    #[inline]
    fn undo(&mut self) {
        self.line.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        let Line { piece_squares, phase, .. } = self.last();
        evaluate_with(position, piece_squares, phase, &mut self.cache)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// In every position of a random game and on the way back: sums and value equal recomputed ones.
        #[test]
        fn incremental_equals_recomputed(choices in prop::collection::vec(any::<u16>(), 1..150)) {
            let mut position = Position::startpos();
            let mut evaluator = HandCrafted::new();
            evaluator.reset(&position);
            let mut line = vec![position.clone()];
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = evaluator.play(&position, moves[usize::from(choice) % moves.len()]);
                prop_assert_eq!(evaluator.last(), Line::of(&position));
                prop_assert_eq!(evaluator.evaluate(&position), evaluate(&position));
                line.push(position.clone());
            }
            while let Some(position) = line.pop() {
                prop_assert_eq!(evaluator.last(), Line::of(&position));
                evaluator.undo();
            }
        }
    }
}
