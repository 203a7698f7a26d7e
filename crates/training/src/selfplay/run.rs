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

/// The games of each thread that may wait for an earlier one: they are lost if the program is killed.
const WAITING: usize = 16;

/// A run before its first game.
pub struct SelfplayRun {
    settings: SelfplaySettings,
    openings: Openings,
    /// One for each thread.
    engines: Vec<SingleThreadedEngine>,
    file: GameFile,
    /// The numbers of the games that the file has.
    done: HashSet<usize>,
}

impl SelfplayRun {
    /// Begins a file.
    ///
    /// # Errors
    /// If the file exists or cannot be written, or if what the settings name cannot be used.
    pub fn begin(
        path: &Path,
        format: FileFormat,
        settings: SelfplaySettings,
        threads: NonZeroUsize,
    ) -> Result<Self, Error> {
        let openings = settings.openings()?;
        // There must be memory before a file is begun.
        let engines = engines(&settings, threads)?;
        let file = GameFile::create(path, format, &settings)?;
        Ok(Self { settings, openings, engines, file, done: HashSet::new() })
    }

    /// Continues a file with its settings, or others that make the same games. `openings` are those of the settings.
    ///
    /// # Errors
    /// If the file cannot be written, or if what the settings name cannot be used.
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
        // Other names of the same content may be too long for the space in the file.
        let mut kept = settings.clone();
        if let Some(stored) = stored {
            (kept.eval_file, kept.openings) = (stored.eval_file, stored.openings);
        }
        Ok(Self { file: file.resume(&kept, is_changed)?, settings, openings, engines, done })
    }

    /// The number of games that the file is to have.
    pub fn games(&self) -> usize {
        self.settings.games
    }

    /// The number of these games that the file has.
    pub fn resumed(&self) -> usize {
        self.done.iter().filter(|&&id| id < self.settings.games).count()
    }

    /// Plays the games that are missing, and passes each to `written` when the file has it. The order is that of their
    /// numbers, whatever the number of threads. After a stop, the games that have ended are written.
    ///
    /// # Errors
    /// If a game cannot be written or has no start. The games before it are kept.
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
