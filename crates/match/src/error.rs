//! Why a match ends early.

use crate::adjudication::TablebaseRuleError;
use crate::openings::OpeningsError;
use crate::settings::{SettingsDifference, SettingsError};
use bartizan_client::{ClientError, EngineSpecError};
use bartizan_files::journal::JournalError;
use bartizan_tablebase::TablebaseError;
use bartizan_types::Escaped;
use std::io;
use std::path::PathBuf;

/// Why a match cannot be played or continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// An engine's specification cannot be read.
    #[error(transparent)]
    Spec(#[from] EngineSpecError),
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The openings cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The tablebases for adjudication cannot be used.
    #[error(transparent)]
    Tablebases(#[from] TablebaseRuleError),
    /// The tablebases failed during a game.
    #[error(transparent)]
    Tablebase(#[from] TablebaseError),
    /// An engine cannot be started. The error names the engine.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// An engine cannot set up an opening.
    #[error("cannot play the opening '{position}'")]
    Opening {
        /// The start of the opening, as FEN.
        position: String,
        /// The reason, which names the engine.
        source: ClientError,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal belongs to another match.
    #[error("cannot resume '{}': the {difference} of the journal and of this match differ", Escaped(path.display()))]
    OtherMatch {
        /// The journal.
        path: PathBuf,
        /// The first difference.
        difference: SettingsDifference,
    },
    /// A file cannot be written.
    #[error("cannot write '{}'", Escaped(path.display()))]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
