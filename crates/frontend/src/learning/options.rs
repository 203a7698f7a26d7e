//! The options of position learning.

use bartizan_engine::EngineError;
use bartizan_engine::options::check;
use bartizan_types::Depth;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What to learn, and where to keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LearningOptions {
    /// Whether learnt positions are used and new ones are kept.
    pub enabled: bool,
    /// The file; `None` for `learning.epd` in the user's folder.
    pub file: Option<PathBuf>,
    /// How far a deep search must contradict the shallower ones, in internal centipawns, in
    /// [`LearningOptions::THRESHOLD`].
    pub threshold: i32,
    /// Minimum depth of a search whose result is kept, in plies, in [`LearningOptions::DEPTH`].
    pub depth: u32,
    /// Whether the file is used but never written.
    pub read_only: bool,
}

impl LearningOptions {
    /// Range of [`LearningOptions::threshold`].
    pub const THRESHOLD: RangeInclusive<i32> = 1..=2_000;
    /// Range of [`LearningOptions::depth`]: up to the deepest search.
    pub const DEPTH: RangeInclusive<u32> = 1..=Depth::MAX.0 as u32;

    /// Checks every value against its range.
    ///
    /// # Errors
    /// [`EngineError::OutOfRange`] for the first value that is out of range.
    pub fn validate(&self) -> Result<(), EngineError> {
        check("learning.threshold", self.threshold, Self::THRESHOLD)?;
        check("learning.depth", self.depth, Self::DEPTH)
    }
}

impl Default for LearningOptions {
    fn default() -> Self {
        Self { enabled: false, file: None, threshold: 80, depth: 10, read_only: false }
    }
}
