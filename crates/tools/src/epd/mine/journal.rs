//! The journal of a run: one JSON object a line, the settings first, then every finished game.

use super::prospect::Stage;
use super::{Found, Settings};
use crate::resume;
use bartizan_files::journal::JournalFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What a game has yielded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct GameEntry {
    /// The number of positions at each [`Stage`].
    pub(super) counts: [u64; Stage::COUNT],
    pub(super) found: Vec<Found>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Entry {
    Game {
        game: usize,
        #[serde(flatten)]
        entry: GameEntry,
    },
}

/// The journal, if the user wants one.
pub(super) struct Log(Option<JournalFile>);

impl Log {
    /// Begins or continues a journal. Returns the games that it has.
    pub(super) fn open(
        path: Option<&Path>,
        resume: bool,
        settings: &Settings,
    ) -> anyhow::Result<(Self, BTreeMap<usize, GameEntry>)> {
        let Some(path) = path else { return Ok((Self(None), BTreeMap::new())) };
        let mut games = BTreeMap::new();
        let take = |Entry::Game { game, entry }| {
            games.insert(game, entry);
            Ok(())
        };
        let file = resume::journal(path, resume, ("mine", "a journal of epd mine"), settings, take)?;
        Ok((Self(Some(file)), games))
    }

    pub(super) fn add(&mut self, game: usize, entry: &GameEntry) -> anyhow::Result<()> {
        if let Some(file) = &mut self.0 {
            file.append(&Entry::Game { game, entry: entry.clone() })?;
        }
        Ok(())
    }
}
