//! The game that an xboard engine has on its board.

use bartizan_position::{Game, Position};
use bartizan_types::Move;

/// The game on an engine's board.
pub(super) struct Board {
    /// The start; `None` if the engine chose it.
    start: Option<Position>,
    moves: Vec<Move>,
    /// Whether no move or position was sent since `new`.
    fresh: bool,
}

impl Board {
    /// The board after `new`.
    pub(super) fn fresh(start: Option<Position>) -> Self {
        Self { start, moves: Vec::new(), fresh: true }
    }

    pub(super) fn of(game: &Game) -> Self {
        Self { start: Some(game.start().clone()), moves: game.moves().collect(), fresh: false }
    }

    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    pub(super) fn push(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    /// The moves of `game` that the engine has not received; `None` if the board shows another game.
    pub(super) fn missing(&self, game: &Game) -> Option<Vec<Move>> {
        let mut moves = game.moves();
        let same = self.start.as_ref() == Some(game.start()) && self.moves.iter().all(|&mv| moves.next() == Some(mv));
        same.then(|| moves.collect())
    }
}
