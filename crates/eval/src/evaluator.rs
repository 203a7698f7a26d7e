//! The interface between search and evaluation, and its implementation by hand-written terms.

use crate::Phase;
use crate::cache::{Cache, CacheStats};
use crate::evaluation::evaluate_with;
use crate::formula::{FULL_SCALE, MgEg, blend};
use crate::terms::piece_squares::{self, KingWings, Table};
use crate::weights::{TEMPO, weight};
use bartizan_position::{Observer, Position};
use bartizan_types::{Move, Piece, PieceType, Square, TaperedScore, Value};

/// An evaluation that follows the moves of a search.
///
/// An evaluation without incremental state implements only [`evaluate`](Self::evaluate). One that updates sums while
/// moves are made implements all methods: the search makes and unmakes every move through them. The `position`
/// argument is always the current one, which is the position given to [`reset`](Self::reset) after all moves played and
/// not undone since.
///
/// ```
/// use bartizan_eval::Evaluator;
/// use bartizan_position::Position;
/// use bartizan_types::Value;
///
/// /// Counts the legal moves: ten centipawns each.
/// struct Mobility;
///
/// impl Evaluator for Mobility {
///     fn evaluate(&mut self, position: &Position) -> Value {
///         Value(10 * position.legal_moves().len() as i32)
///     }
/// }
///
/// assert_eq!(Mobility.evaluate(&Position::startpos()), Value(200));
/// ```
pub trait Evaluator: Send {
    /// Returns the value for the side to move, in centipawns. The search calls this only when the side to move is not
    /// in check; in check the value is meaningless.
    ///
    /// Ordinary values are within ±[`ORDINARY_MAX`](crate::ORDINARY_MAX). A value from [`KNOWN_WIN`](crate::KNOWN_WIN)
    /// to [`Value::EVAL_MAX`] is a certain win, its negative a certain loss: the search does not correct it, and
    /// reduces it for each ply from the root. The search clamps values between these ranges to ±`ORDINARY_MAX`, and
    /// values beyond them to ±`EVAL_MAX`.
    fn evaluate(&mut self, position: &Position) -> Value;

    /// Like [`evaluate`](Self::evaluate), for the many positions near the leaves of a search: an evaluation with a
    /// costly part may reuse that part from an earlier position of the line.
    fn evaluate_roughly(&mut self, position: &Position) -> Value {
        self.evaluate(position)
    }

    /// Starts a new line at `position`.
    fn reset(&mut self, position: &Position) {
        let _ = position;
    }

    /// Makes a legal move on `position`.
    fn play(&mut self, position: &mut Position, mv: Move) {
        position.make_unchecked(mv);
    }

    /// Makes a null move on `position`.
    fn play_null(&mut self, position: &mut Position) {
        position.make_null_unchecked();
    }

    /// Takes back the last move or null move.
    fn undo(&mut self) {}
}

/// The incrementally updated part of the evaluation at one ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    /// Material and piece squares, white minus black.
    piece_squares: TaperedScore,
    phase: Phase,
    wings: KingWings,
}

impl Line {
    const EMPTY: Self = Self { piece_squares: TaperedScore::ZERO, phase: Phase::NONE, wings: KingWings::KINGSIDE };

    fn of(position: &Position) -> Self {
        Self { piece_squares: piece_squares::sum(position), phase: Phase::of(position), wings: KingWings::of(position) }
    }
}

/// The hand-written evaluation with its caches, 672 KiB in all.
#[derive(Clone, Debug)]
pub struct HandCrafted {
    /// One entry for each ply; the last belongs to the current position.
    line: Vec<Line>,
    cache: Cache,
}

/// Updates the sums of [`HandCrafted`] for the pieces that a move places, removes and moves.
#[derive(Debug)]
pub struct ScoreUpdater<'a> {
    table: &'static Table,
    sums: &'a mut Line,
    king_moved: bool,
}

impl Observer for ScoreUpdater<'_> {
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

/// Initial capacity of the line in plies; a search of ordinary depth never reallocates it.
const LINE_CAPACITY: usize = 256;

impl HandCrafted {
    /// Creates an evaluator without a position; call [`Evaluator::reset`] before any other method.
    pub fn new() -> Self {
        let mut line = Vec::with_capacity(LINE_CAPACITY);
        line.push(Line::EMPTY);
        Self { line, cache: Cache::new() }
    }

    /// Cache statistics since the evaluator was created.
    pub fn cache_stats(&self) -> CacheStats {
        self.cache.stats
    }

    /// Makes a move on `position` like [`Evaluator::play`], but through a function that reports every board change to
    /// the [`ScoreUpdater`], so that another evaluation can be updated with the same move.
    #[inline]
    pub fn play_by(&mut self, position: &mut Position, make: impl FnOnce(&mut Position, &mut ScoreUpdater<'_>)) {
        let mut sums = self.last();
        let mut updater = ScoreUpdater { table: piece_squares::table(sums.wings), sums: &mut sums, king_moved: false };
        make(position, &mut updater);
        if updater.king_moved && KingWings::of(position) != sums.wings {
            // A king crossed between the d- and e-files, so every piece uses a different table: recompute the sum.
            sums.wings = KingWings::of(position);
            sums.piece_squares = piece_squares::sum(position);
        }
        self.line.push(sums);
    }

    /// The part of the current position's value that comes from material, piece squares and tempo, for the side to
    /// move.
    #[inline]
    pub fn piece_square_part(&self, position: &Position) -> Value {
        let Line { piece_squares, phase, .. } = self.last();
        let tempo = weight(TEMPO, 0);
        let score = if position.turn().is_white() { piece_squares + tempo } else { piece_squares - tempo };
        let white = blend(MgEg::from(score), phase, FULL_SCALE);
        if position.turn().is_white() { white } else { -white }
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
    fn play(&mut self, position: &mut Position, mv: Move) {
        self.play_by(position, |position, updater| position.make_observed(mv, updater));
    }

    #[inline]
    fn play_null(&mut self, position: &mut Position) {
        self.line.push(self.last());
        position.make_null_unchecked();
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

        /// Incremental sums and values equal recomputed ones after every move of a random game and after every undo.
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
                evaluator.play(&mut position, moves[usize::from(choice) % moves.len()]);
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
