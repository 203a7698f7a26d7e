//! The journal of a run: one JSON object a line, the settings first, then every finished game.

use super::prospect::Stage;
use super::{Found, Settings};
use crate::resume::{self, compare, create};
use anyhow::{Context, bail, ensure};
use bartizan_match::JournalFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

const VERSION: u32 = 1;

/// What a game has yielded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct GameEntry {
    /// The number of positions at each [`Stage`].
    pub(super) counts: [u64; Stage::COUNT],
    pub(super) found: Vec<Found>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[allow(clippy::large_enum_variant)] // Written and dropped one at a time.
enum Entry {
    Mine {
        version: u32,
        settings: Settings,
    },
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
        if !resume {
            let first = Entry::Mine { version: VERSION, settings: settings.clone() };
            let file = create(path, &first)?;
            return Ok((Self(Some(file)), BTreeMap::new()));
        }
        let cannot = || format!("cannot resume '{}'", path.display());
        let failed = |error| resume::cannot("resume", path, &error);
        let (file, lines) = JournalFile::resume(path).map_err(failed)?;
        let mut games = BTreeMap::new();
        for (index, (number, line)) in lines.iter().enumerate() {
            let entry = serde_json::from_slice(line).map_err(|error| failed(lines.error(number, error)))?;
            match (index, entry) {
                (0, Entry::Mine { version, settings: stored }) => {
                    ensure!(version <= VERSION, "{}: it has version {version}", cannot());
                    compare(settings, &stored).with_context(cannot)?;
                }
                (1.., Entry::Game { game, entry }) => drop(games.insert(game, entry)),
                _ => bail!(failed(lines.error(number, "this is not a journal of epd mine"))),
            }
        }
        Ok((Self(Some(file)), games))
    }

    pub(super) fn add(&mut self, game: usize, entry: &GameEntry) -> anyhow::Result<()> {
        if let Some(file) = &mut self.0 {
            file.append(&Entry::Game { game, entry: entry.clone() })?;
        }
        Ok(())
    }
}
