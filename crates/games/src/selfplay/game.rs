//! A game as stored in a file.

use bartizan_position::Position;
use bartizan_types::{Color, Move};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplayGame {
    /// The number of the game. Numbers are unique within a file, so that a resumed run knows which games are missing.
    pub id: u32,
    /// The position before the first move.
    pub start: Position,
    /// The moves, each legal after the previous one; at most [`SelfplayGame::MAX_PLIES`].
    pub moves: Vec<ScoredMove>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

impl SelfplayGame {
    /// The maximum length of a game in a file, in plies.
    pub const MAX_PLIES: usize = u16::MAX as usize;
}

/// A move and the score of the search that chose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The score for the side that moves, in internal centipawns. Mate scores are those of
    /// [`Value`](bartizan_types::Value).
    pub score: i16,
}
