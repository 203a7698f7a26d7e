//! The bench: fixed positions, searched to a fixed depth with one thread and a fresh table. The number of nodes is the
//! signature of the search: the same on every machine, another whenever the search or the evaluation changes.

use crate::{Engine, EngineError, Limits, Options, SetPositionError};
use bartizan_notation::list;
use std::time::{Duration, Instant};

/// The positions, one FEN a line: from games of the engine with itself, see `examples/bench_positions.rs`.
pub const POSITIONS: &str = include_str!("bench_positions.txt");

/// The depth of the signature.
pub const DEPTH: u32 = 11;

/// The table of the signature, in MiB.
pub const HASH: usize = 16;

/// What a bench counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes of all positions.
    pub nodes: u64,
    /// How long it took.
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
    /// The threads or the hash table are not available.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A position is invalid.
    #[error("position {number}: {source}")]
    Position {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        source: SetPositionError,
    },
}

/// Searches each position from a fresh start; `progress` gets each position with its number of nodes.
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
        engine.set_position(fen, &[]).map_err(|source| BenchError::Position { number: index + 1, source })?;
        engine.new_game();
        let start = Instant::now();
        let nodes = engine.go(limits.clone())?.wait().nodes;
        result.time += start.elapsed();
        result.nodes += nodes;
        progress(fen, nodes);
    }
    Ok(result)
}
