//! Correction histories: how far the static evaluation was off in similar positions.
//!
//! For pawn structures, for the pieces of each side and of each kind, and for the last two moves, the search records
//! the difference between its result and the evaluation, and adds it to later evaluations (Witold Kowalski 2023,
//! Caissa; adopted by Stockfish and many others).
//!
//! The constants are starting values. Screenings 10, 11 and 18 tried smaller bonuses (`docs/lab/screening.md`).

use crate::gravity;
use crate::history::PieceTo;
use crate::known::is_known;
use crate::params;
use crate::prefetch::prefetch;
use crate::steps::{ActiveSteps, Step};
use bartizan_eval::ORDINARY_MAX;
use bartizan_position::Position;
use bartizan_types::{ByColor, Color, Depth, Key, Value};

/// Rows of each table, a power of two. Positions share a row if their keys are equal modulo this number.
const ROWS: usize = 16_384;

/// The greatest absolute value of a counter.
const LIMIT: i32 = 1_024;

/// Counter units in a centipawn at full weight.
const GRAIN: i32 = 16;

/// The unit of the weights: 1/16.
const WEIGHT_UNIT: i32 = 16;

/// A result at full depth with an error of `e` centipawns gives a bonus of `e * GRAIN / BONUS_DIVISOR`.
const BONUS_DIVISOR: i32 = 4;

/// A result counts in full at this depth, in plies, and in proportion at others.
const FULL_DEPTH: i32 = 8;

/// The greatest bonus for one result.
const BONUS_LIMIT: i32 = LIMIT / 4;

/// One table for each side to move.
type Table = ByColor<Box<[i16]>>;

fn table(rows: usize) -> Table {
    ByColor::from_fn(|_| vec![0; rows].into_boxed_slice())
}

/// The corrections of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Corrections {
    steps: ActiveSteps,
    pawn: Table,
    /// One table for the pieces of each side.
    non_pawn: ByColor<Table>,
    minor: Table,
    major: Table,
    /// Indexed by the last two moves.
    continuation: Box<[i16]>,
}

#[inline]
fn row(key: Key) -> usize {
    key.0 as usize % ROWS
}

#[inline]
fn pair(last: [PieceTo; 2]) -> usize {
    last[1].index() * (PieceTo::NONE.index() + 1) + last[0].index()
}

impl Corrections {
    pub(crate) fn new() -> Self {
        let pairs = (PieceTo::NONE.index() + 1) * (PieceTo::NONE.index() + 1);
        Self {
            steps: ActiveSteps::DEFAULT,
            pawn: table(ROWS),
            non_pawn: ByColor::from_fn(|_| table(ROWS)),
            minor: table(ROWS),
            major: table(ROWS),
            continuation: vec![0; pairs].into_boxed_slice(),
        }
    }

    pub(crate) fn set_steps(&mut self, steps: ActiveSteps) {
        self.steps = steps;
    }

    pub(crate) fn clear(&mut self) {
        let ByColor([white, black]) = &mut self.non_pawn;
        for by_side in [&mut self.pawn, white, black, &mut self.minor, &mut self.major] {
            by_side.0.iter_mut().for_each(|table| table.fill(0));
        }
        self.continuation.fill(0);
    }

    /// Corrects an evaluation, unless it is a known result. `last` are the moves one and two plies ago.
    #[inline]
    pub(crate) fn correct(&self, position: &Position, eval: Value, last: [PieceTo; 2]) -> Value {
        if is_known(eval) {
            return eval;
        }
        let side = position.turn();
        let mut sum = 0;
        if self.steps.has(Step::PawnCorrection) {
            sum += i32::from(self.pawn[side][row(position.pawn_key())]) * params::correction_pawn();
        }
        if self.steps.has(Step::NonPawnCorrection) {
            for color in Color::ALL {
                let counter = self.non_pawn[color][side][row(position.non_pawn_key(color))];
                sum += i32::from(counter) * params::correction_non_pawn();
            }
        }
        if self.steps.has(Step::MinorCorrection) {
            sum += i32::from(self.minor[side][row(position.minor_key())]) * params::correction_minor();
        }
        if self.steps.has(Step::MajorCorrection) {
            sum += i32::from(self.major[side][row(position.major_key())]) * params::correction_major();
        }
        if self.steps.has(Step::ContinuationCorrection) {
            sum += i32::from(self.continuation[pair(last)]) * params::correction_continuation();
        }
        (eval + sum / (WEIGHT_UNIT * GRAIN)).clamp(-ORDINARY_MAX, ORDINARY_MAX)
    }

    /// Prefetches the rows of a position, except those of the minor and major pieces.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position, last: [PieceTo; 2]) {
        let side = position.turn();
        prefetch(&self.pawn[side][row(position.pawn_key())]);
        for color in Color::ALL {
            prefetch(&self.non_pawn[color][side][row(position.non_pawn_key(color))]);
        }
        prefetch(&self.continuation[pair(last)]);
    }

    /// Records that the search found `error` centipawns more than the corrected evaluation, or less if negative.
    pub(crate) fn update(&mut self, position: &Position, last: [PieceTo; 2], depth: Depth, error: i32) {
        let side = position.turn();
        let bonus = (error * depth.0 / FULL_DEPTH * GRAIN / BONUS_DIVISOR).clamp(-BONUS_LIMIT, BONUS_LIMIT);
        let add = |counter: &mut i16| gravity::update(counter, bonus, LIMIT);
        add(&mut self.pawn[side][row(position.pawn_key())]);
        for color in Color::ALL {
            add(&mut self.non_pawn[color][side][row(position.non_pawn_key(color))]);
        }
        if self.steps.has(Step::MinorCorrection) {
            add(&mut self.minor[side][row(position.minor_key())]);
        }
        if self.steps.has(Step::MajorCorrection) {
            add(&mut self.major[side][row(position.major_key())]);
        }
        if last[0] != PieceTo::NONE && last[1] != PieceTo::NONE {
            add(&mut self.continuation[pair(last)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_the_error_and_stay_in_range() {
        let mut corrections = Corrections::new();
        let position = Position::startpos();
        let last = [PieceTo::NONE; 2];
        assert_eq!(corrections.correct(&position, Value(20), last), Value(20));
        for _ in 0..1_000 {
            corrections.update(&position, last, Depth(20), 10_000);
        }
        let most = corrections.correct(&position, Value(20), last);
        assert!(most > Value(20) && most < Value(400), "{most:?}");
        for _ in 0..1_000 {
            corrections.update(&position, last, Depth(20), -10_000);
        }
        assert!(corrections.correct(&position, Value(20), last) < Value(20));
        corrections.clear();
        assert_eq!(corrections.correct(&position, Value(20), last), Value(20));
    }
}
