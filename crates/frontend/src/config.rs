//! The values of all options.

use crate::Opponent;
use crate::learning::LearningOptions;
use bartizan_engine::{EngineError, Options};
use bartizan_types::Escaped;
use std::io;
use std::path::PathBuf;

/// The values of all options: those of the engine, and those of the front ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// What the engine itself needs.
    pub engine: Options,
    /// Whether the client lets the engine ponder.
    pub ponder: bool,
    /// Whether search lines show win, draw and loss probabilities.
    pub show_wdl: bool,
    /// Who plays against the engine.
    pub opponent: Opponent,
    /// The engine's own rating, unless the client tells it with the opponent's; 0 if unknown.
    pub own_rating: i32,
    /// The engine's rating lead over the opponent in Elo, as the client knows it; 0 to compare the ratings.
    pub rating_advantage: i32,
    /// File to which all input and output is logged; `None` for no log.
    pub debug_log: Option<PathBuf>,
    /// Position learning and its file.
    pub learning: LearningOptions,
    /// PGN file to which finished games are appended; `None` for no log.
    pub game_log: Option<PathBuf>,
    /// When to resign and what to do about draws, where the protocol has commands for it.
    pub resign_draw: ResignDrawOptions,
}

impl Config {
    /// The rating lead over the opponent, in Elo: see [`Opponent::rating_lead`].
    pub fn rating_lead(&self) -> i32 {
        match self.rating_advantage {
            0 => self.opponent.rating_lead(Some(self.own_rating).filter(|&rating| rating > 0)),
            _ if self.opponent.is_computer => 0,
            lead => lead,
        }
    }
}

/// Why a configuration was not applied. The old one is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The engine rejects it, or a value is out of range.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The debug log, the game log or the learning file cannot be written.
    #[error("cannot write '{}': {source}", Escaped(.path.display()))]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
}

/// When to resign, offer or accept a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignDrawOptions {
    /// Whether to resign lost games.
    pub resign: bool,
    /// The score at which a game counts as lost, in displayed centipawns below zero.
    pub resign_score: i32,
    /// The number of consecutive moves for which the score must be that low.
    pub resign_moves: u32,
    /// Whether to offer and accept draws.
    pub draws: bool,
}

impl Default for ResignDrawOptions {
    fn default() -> Self {
        Self { resign: false, resign_score: 700, resign_moves: 4, draws: true }
    }
}
