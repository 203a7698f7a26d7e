//! The bench searches fixed positions to a fixed depth with one thread and an empty hash table. The node count is the
//! signature of the search: it is the same on every machine, and changes with every change of search or evaluation.

use crate::{Engine, EngineError, Limits, Options};
use bartizan_notation::list;
use bartizan_position::{Game, PositionError, Setup, Tolerance};
use std::time::{Duration, Instant};

/// The positions, one FEN per line, from games of the engine against itself: see `examples/bench_positions.rs`.
pub const POSITIONS: &str = include_str!("bench_positions.txt");

/// The depth of the signature.
pub const DEPTH: u32 = 11;

/// The size of the hash table for the signature, in MiB.
pub const HASH: usize = 16;

/// The result of a bench.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes searched in all positions.
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1)) as u64
    }
}

/// The built-in positions.
pub fn positions() -> impl Iterator<Item = &'static str> {
    list::records(POSITIONS).map(|(_, fen)| fen)
}

/// Why a bench could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The system cannot provide the thread or the hash table.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A position is invalid.
    #[error("position {number}: {source}")]
    Position {
        /// Its number, from 1.
        number: usize,
        /// The problem.
        source: PositionError,
    },
}

/// The game that starts in a position; Chess960's castling rights are kept.
fn game(fen: &str) -> Result<Game, PositionError> {
    Ok(Game::from_setup(&Setup::from_fen(fen)?, Tolerance::ALL)?)
}

/// Searches each position with an empty hash table, and calls `progress` with the position and its node count.
///
/// # Errors
/// [`BenchError`].
pub fn run<'a>(
    positions: impl Iterator<Item = &'a str>,
    options: Options,
    limits: &Limits,
    mut progress: impl FnMut(&str, u64),
) -> Result<BenchResult, BenchError> {
    let mut engine = Engine::with_options(options)?;
    engine.prepare()?;
    let mut result = BenchResult::default();
    for (index, fen) in positions.enumerate() {
        let game = game(fen).map_err(|source| BenchError::Position { number: index + 1, source })?;
        engine.set_game(game);
        engine.new_game();
        let start = Instant::now();
        let nodes = engine.go(limits.clone())?.wait().nodes;
        result.time += start.elapsed();
        result.nodes += nodes;
        progress(fen, nodes);
    }
    Ok(result)
}
