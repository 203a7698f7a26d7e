//! The games of a match as a PGN file.

use crate::error::MatchError;
use crate::record::GameRecord;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A PGN file that always holds whole games.
pub(crate) struct PgnFile {
    path: PathBuf,
    file: File,
}

impl PgnFile {
    /// Opens a file for appending. With `games`, those of a resumed journal, the file is rewritten first, so that both
    /// agree however the last run ended.
    pub(crate) fn open(path: PathBuf, games: Option<&[GameRecord]>) -> Result<Self, MatchError> {
        let open = || {
            if let Some(games) = games {
                replace(&path, games)?;
            }
            OpenOptions::new().create(true).append(true).open(&path)
        };
        match open() {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(MatchError::Write { path, source }),
        }
    }

    /// Appends a game.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        self.file.write_all(game.pgn.as_bytes()).map_err(|source| MatchError::Write { path: self.path.clone(), source })
    }
}

/// Writes a temporary file and renames it, so that the file is never incomplete.
fn replace(path: &Path, games: &[GameRecord]) -> io::Result<()> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    for game in games {
        file.write_all(game.pgn.as_bytes())?;
    }
    file.persist(path)?;
    Ok(())
}
