//! Distinguishes versions of the engine.

use crate::{EngineError, SingleThreadedEngine, bench};
use bartizan_network::EvaluationModel;
use bartizan_notation::list;
use bartizan_parallel::StopFlag;
use bartizan_position::{Game, Position};
use bartizan_search::Limits;
use bartizan_types::Checksum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which engine plays.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineIdentity {
    version: String,
    /// Checksum of some searches, in hexadecimal: two engines that play alike have the same checksum, whatever their
    /// versions.
    searches: String,
}

impl fmt::Display for EngineIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {}, searches {}", self.version, self.searches)
    }
}

/// The searches count, not the version.
impl PartialEq for EngineIdentity {
    fn eq(&self, other: &Self) -> bool {
        self.searches == other.searches
    }
}

/// Nodes of each search in the checksum.
const NODES: u64 = 1_000;
/// Number of these searches.
const SEARCHES: usize = 8;

impl EngineIdentity {
    /// This program, with an evaluation.
    ///
    /// # Errors
    /// [`EngineError`] if the system cannot provide the memory or the thread.
    pub fn of_this_program(model: EvaluationModel) -> Result<Self, EngineError> {
        let mut engine = SingleThreadedEngine::new(1, model)?;
        let mut checksum = Checksum::default();
        for (_, fen) in list::records(bench::POSITIONS).take(SEARCHES) {
            let Ok(position) = Position::from_fen(fen) else { continue };
            engine.forget();
            // They take milliseconds and cannot be stopped.
            let result = engine.search(&Game::new(position), Limits::nodes(NODES), &StopFlag::new());
            let result = result.unwrap_or_default();
            checksum.add(result.best.map_or(0, |mv| u64::from(mv.to_bits())));
            checksum.add(result.value.0 as u64);
            checksum.add(u64::from(result.depth));
        }
        Ok(Self { version: env!("CARGO_PKG_VERSION").to_owned(), searches: checksum.to_string() })
    }
}
