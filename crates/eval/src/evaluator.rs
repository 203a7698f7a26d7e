//! What the search talks to.

use crate::params::TEMPO;
use crate::{Phase, psqt};
use bartizan_position::{Observer, Position};
use bartizan_types::{Color, Move, Piece, Score, Square, Value};

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
struct Sums {
    /// White minus black.
    score: Score,
    phase: Phase,
}

/// The hand-written evaluation.
#[derive(Clone, Debug)]
pub struct HandCrafted {
    table: &'static [[Score; Square::COUNT]; Piece::COUNT],
    /// One entry a ply; the last is the position now reached.
    line: Vec<Sums>,
}

struct Follower<'a> {
    table: &'static [[Score; Square::COUNT]; Piece::COUNT],
    sums: &'a mut Sums,
}

impl Observer for Follower<'_> {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.sums.score += self.table[piece.index()][square.index()];
        self.sums.phase.add(piece.piece_type());
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.sums.score -= self.table[piece.index()][square.index()];
        self.sums.phase.remove(piece.piece_type());
    }

    #[inline]
    fn step(&mut self, piece: Piece, from: Square, to: Square) {
        let row = &self.table[piece.index()];
        self.sums.score += row[to.index()] - row[from.index()];
    }
}

impl HandCrafted {
    /// An evaluator at no position: call [`Evaluator::reset`] first.
    pub fn new() -> Self {
        let empty = Sums { score: Score::ZERO, phase: Phase::default() };
        Self { table: psqt::table(), line: vec![empty] }
    }

    fn last(&self) -> Sums {
        self.line.last().copied().unwrap_or(Sums { score: Score::ZERO, phase: Phase::default() })
    }

    fn sums(position: &Position) -> Sums {
        let table = psqt::table();
        let score = position
            .occupied()
            .into_iter()
            .filter_map(|square| position.piece_at(square).map(|piece| table[piece.index()][square.index()]))
            .sum();
        Sums { score, phase: Phase::of(position) }
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
        self.line.push(Self::sums(position));
    }

    #[inline]
    fn play(&mut self, position: &Position, mv: Move) -> Position {
        let mut sums = self.last();
        let next = position.play_observed(mv, &mut Follower { table: self.table, sums: &mut sums });
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
        value(self.last(), position.turn())
    }
}

#[inline]
fn value(sums: Sums, turn: Color) -> Value {
    let white = sums.phase.taper(sums.score);
    let ours = if turn.is_white() { white } else { -white };
    (ours + TEMPO).at_most(Value::EVAL_MAX).at_least(-Value::EVAL_MAX)
}

/// What a position is worth to the side to move, in internal centipawns, from nothing: for tests and single questions.
pub fn evaluate(position: &Position) -> Value {
    value(HandCrafted::sums(position), position.turn())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// In every position of a random game: the sums equal recomputed ones, and the value is the same from the other side.
        #[test]
        fn incremental_and_symmetric(choices in prop::collection::vec(any::<u16>(), 1..150)) {
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
                prop_assert_eq!(evaluator.last(), HandCrafted::sums(&position));
                prop_assert_eq!(evaluate(&position), evaluate(&position.flipped()));
                line.push(position.clone());
            }
            while let Some(position) = line.pop() {
                prop_assert_eq!(evaluator.last(), HandCrafted::sums(&position));
                evaluator.undo();
            }
        }
    }
}
