//! Plays games of the engine against itself at fixed nodes, in one process, as training data.
//!
//! The same [`SelfplaySettings`] give the same games, which a [`SelfplayRun`] writes to a file in numerical order,
//! whatever the number of threads. The file records the settings, so that an [`ExistingFile`] can be continued.

mod file;
mod openings;
mod pgn;
mod play;
mod run;
mod settings;
mod start;
mod summary;

pub use file::{ExistingFile, FileFormat, GamesComparison};
pub use openings::Openings;
pub use play::FinishedGame;
pub use run::SelfplayRun;
pub use settings::{InputFile, SelfplaySettings, evaluation_model};
pub use summary::SelfplaySummary;
