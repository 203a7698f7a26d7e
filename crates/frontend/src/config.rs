//! The values of all options.

use crate::Opponent;
use crate::learning::LearningOptions;
use bartizan_engine::{EngineError, Level, Options, Resignation};
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
    /// Whether to resign lost games; `None` to resign them below full strength only.
    pub resign: Option<bool>,
    /// The score at which a game counts as lost at full strength, in displayed centipawns below zero.
    pub resign_score: i32,
    /// The number of consecutive moves for which the score must then be that low.
    pub resign_moves: u32,
    /// Whether to offer and accept draws.
    pub draws: bool,
}

impl ResignDrawOptions {
    /// When to resign at a level; `None` for never. Below full strength, the level decides.
    pub fn resignation(&self, level: Level) -> Option<Resignation> {
        let of_options = Resignation { score: self.resign_score, moves: self.resign_moves };
        let is_full = level == Level::FULL;
        let resigns = self.resign.unwrap_or(!is_full);
        if is_full { Some(of_options) } else { level.resigns_at() }.filter(|_| resigns)
    }
}

impl Default for ResignDrawOptions {
    fn default() -> Self {
        Self { resign: None, resign_score: 700, resign_moves: 4, draws: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_resign_unless_told_not_to_and_full_strength_only_if_told_to() {
        let of_options = Resignation { score: 700, moves: 4 };
        let [full, strong, weak] = [Level::FULL, Level::rated(2_800), Level::rated(800)];
        for (resign, expected) in [
            (None, [None, strong.resigns_at(), None]),
            (Some(false), [None, None, None]),
            (Some(true), [Some(of_options), strong.resigns_at(), None]),
        ] {
            let options = ResignDrawOptions { resign, ..ResignDrawOptions::default() };
            assert_eq!([full, strong, weak].map(|level| options.resignation(level)), expected);
        }
    }
}
