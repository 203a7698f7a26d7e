//! What an engine has on its board.

use bartizan_position::{Game, Position};
use bartizan_types::Move;

pub(super) struct Board {
    /// `None` if the engine has chosen it.
    start: Option<Position>,
    moves: Vec<Move>,
    /// Whether nothing but `new` has happened.
    fresh: bool,
}

impl Board {
    /// After `new`.
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

    /// The moves of the game that the engine has not seen; `None` if it has seen another game.
    pub(super) fn missing(&self, game: &Game) -> Option<Vec<Move>> {
        let mut moves = game.moves();
        let same = self.start.as_ref() == Some(game.start()) && self.moves.iter().all(|&mv| moves.next() == Some(mv));
        same.then(|| moves.collect())
    }
}
