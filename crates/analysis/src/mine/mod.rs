//! Finds positions for suites in games, with proven best moves.
//!
//! A position passes these steps, cheapest first: the scores of the game around it, a small search that must not find
//! the move, a search for the two best lines, and either the deep searches of all engines or the tablebases.

mod candidates;
mod judge;
mod mined_games;
mod miner;

use crate::AnalysisError;
use bartizan_position::Position;
use bartizan_tablebase::TablebaseError;
pub use judge::KeptResult;
pub use mined_games::MinedGames;
pub use miner::{MineStage, Miner};
use serde::{Deserialize, Serialize};

/// Requirements for a position of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criteria {
    /// The lead of the best move over the second in every engine's search, in centipawns.
    pub margin: i32,
    /// Nodes within which a search of the first engine must not find the move.
    pub easy: u64,
    /// Nodes of the search that decides whether the deep searches are worthwhile.
    pub sift: u64,
    /// The change of the game's scores around a position, in centipawns, that makes it a candidate; 0 accepts every
    /// position.
    pub jump: i32,
    /// The maximum number of positions from one game.
    pub per_game: u32,
    /// The minimum distance between two positions of a game, in plies.
    pub distance: u32,
    /// The minimum number of men, kings and pawns included.
    pub min_men: u32,
    /// The maximum number of men.
    pub max_men: u32,
    /// The seed of the order in which the positions of a game are tried.
    pub seed: u64,
}

/// Sharp positions of 13 men or more.
impl Default for Criteria {
    fn default() -> Self {
        Self {
            margin: 150,
            easy: 2_000,
            sift: 50_000,
            jump: 100,
            per_game: 2,
            distance: 10,
            min_men: 13,
            max_men: 32,
            seed: 1,
        }
    }
}

/// A position with a proven best move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedPosition {
    /// The number of plies before it in its game.
    pub ply: usize,
    /// Four fields, then counters 0 and 1.
    pub fen: String,
    /// The best move, in coordinate notation.
    pub best: String,
    /// What it keeps.
    pub task: KeptResult,
    /// The proof, in readable form.
    pub proof: Vec<String>,
}

/// The results of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedGame {
    /// The number of positions at each [`MineStage`].
    pub counts: [u64; MineStage::COUNT],
    /// The positions in their order in the game.
    pub found: Vec<MinedPosition>,
}

/// The examination of a position failed.
#[derive(Debug, thiserror::Error)]
#[error("position '{fen}'")]
pub struct MineError {
    /// The position.
    pub fen: String,
    /// What went wrong.
    pub source: MineCause,
}

impl MineError {
    fn new(position: &Position, source: MineCause) -> Self {
        Self { fen: position.to_fen(), source }
    }

    /// Whether the search was stopped: see [`Analyser::stop_by`](crate::Analyser::stop_by).
    pub fn is_stop(&self) -> bool {
        matches!(self.source, MineCause::Analysis(AnalysisError::Stopped))
    }
}

/// Why the examination of a position failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MineCause {
    /// An engine failed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A table cannot be read or is damaged.
    #[error(transparent)]
    Table(#[from] TablebaseError),
}
