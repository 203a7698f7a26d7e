//! Plays games of the engine against itself at fixed nodes, in one process, as training data.
//!
//! The same [`Settings`] give the same games, which a [`Run`] writes to a file in numerical order, whatever the number
//! of threads. The file records the settings, so that an [`ExistingFile`] can be continued.

mod file;
mod openings;
mod pgn;
mod play;
mod run;
mod settings;
mod start;
mod summary;

pub use file::{ExistingFile, FileFormat, Likeness};
pub use openings::Openings;
pub use play::FinishedGame;
pub use run::Run;
pub use settings::{InputFile, Settings, evaluation_model};
pub use summary::Summary;
