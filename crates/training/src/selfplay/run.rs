//! Plays the games of a file.

use super::file::{ExistingFile, FileFormat, GameFile};
use super::play::{self, FinishedGame};
use super::{Openings, SelfplaySettings};
use crate::Error;
use bartizan_engine::SingleThreadedEngine;
use bartizan_parallel::{FeedOptions, StopFlag, run};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::Path;

/// Number of games per thread that may wait for an earlier one. They are lost if the program is killed.
const WAITING: usize = 16;

/// A run before its first game.
pub struct SelfplayRun {
    settings: SelfplaySettings,
    openings: Openings,
    /// One for each thread.
    engines: Vec<SingleThreadedEngine>,
    file: GameFile,
    /// The numbers of the games in the file.
    done: HashSet<usize>,
}

impl SelfplayRun {
    /// Begins a file.
    ///
    /// # Errors
    /// If the file exists or cannot be written, or if the settings name something unusable.
    pub fn begin(
        path: &Path,
        format: FileFormat,
        settings: SelfplaySettings,
        threads: NonZeroUsize,
    ) -> Result<Self, Error> {
        let openings = settings.openings()?;
        // Allocate the memory before creating a file.
        let engines = engines(&settings, threads)?;
        let file = GameFile::create(path, format, &settings)?;
        Ok(Self { settings, openings, engines, file, done: HashSet::new() })
    }

    /// Continues a file with its settings, or with others that give the same games. `openings` are those of the
    /// settings.
    ///
    /// # Errors
    /// If the file cannot be written, or if the settings name something unusable.
    pub fn resume(
        file: ExistingFile,
        settings: SelfplaySettings,
        openings: Openings,
        threads: NonZeroUsize,
    ) -> Result<Self, Error> {
        let stored = file.settings()?;
        let done = file.ids();
        let is_changed = stored.as_ref().is_some_and(|stored| *stored != settings);
        let engines = engines(&settings, threads)?;
        // A new name for the same content may be too long for the space in the file.
        let mut kept = settings.clone();
        if let Some(stored) = stored {
            (kept.eval_file, kept.openings) = (stored.eval_file, stored.openings);
        }
        Ok(Self { file: file.resume(&kept, is_changed)?, settings, openings, engines, done })
    }

    /// The total number of games of the run.
    pub fn games(&self) -> usize {
        self.settings.games
    }

    /// The number of games already in the file.
    pub fn resumed(&self) -> usize {
        self.done.iter().filter(|&&id| id < self.settings.games).count()
    }

    /// Plays the missing games, and passes each to `written` once it is in the file. Games are written in numerical
    /// order, whatever the number of threads. After a stop, the games that have ended are written.
    ///
    /// # Errors
    /// If a game cannot be written or has no start. Earlier games are kept.
    pub fn play(self, stop: &StopFlag, mut written: impl FnMut(&FinishedGame)) -> Result<(), Error> {
        let Self { settings, openings, engines, mut file, done } = self;
        let (settings, openings) = (&settings, &openings);
        let ahead = WAITING * engines.len();
        let workers = engines.into_iter().map(|mut engine| {
            move |id: usize| play::game(&mut engine, settings, &openings.get(id / 2), id, stop).transpose()
        });
        let missing = (0..settings.games).filter(|id| !done.contains(id));
        run(missing, workers, FeedOptions::kept(ahead), |game| {
            let game = game?;
            file.write(&game)?;
            written(&game);
            Ok(())
        })
    }
}

fn engines(settings: &SelfplaySettings, threads: NonZeroUsize) -> Result<Vec<SingleThreadedEngine>, Error> {
    let model = settings.model()?;
    let engine = |_| Ok(SingleThreadedEngine::new(settings.hash, model.clone())?);
    (0..threads.get()).map(engine).collect()
}
