//! The journal of a run: one JSON object a line, the settings first, then every finished game.

use super::judge::Opinion;
use crate::resume::{self, compare, create};
use crate::selfplay::settings::EngineIdentity;
use anyhow::{Context, bail, ensure};
use bartizan_match::{EngineSpec, JournalFile};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

const VERSION: u32 = 1;

/// What decides the opinions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    /// SHA-256 of each file.
    pub(super) files: Vec<String>,
    /// The engine; `None` for the built-in one.
    pub(super) engine: Option<EngineSpec>,
    /// What tells the built-in engine from other versions of it.
    pub(super) built_in: Option<EngineIdentity>,
    pub(super) options: Vec<(String, String)>,
    pub(super) st: Option<f64>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) from_ply: usize,
}

/// The opinions of the positions of a game; `None` for one that was not searched.
pub(super) type Opinions = Vec<Option<Opinion>>;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[allow(clippy::large_enum_variant)] // Written and dropped one at a time.
enum Entry<'a> {
    Annotate {
        version: u32,
        settings: Settings,
    },
    Game {
        /// The number of the game in all files, from 1.
        game: u64,
        opinions: Cow<'a, [Option<Opinion>]>,
    },
}

/// The journal, if the user wants one.
pub(super) struct Log(Option<JournalFile>);

impl Log {
    /// No journal.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Begins or continues a journal. Returns the games that it has.
    pub(super) fn open(
        path: &Path,
        resume: bool,
        settings: Settings,
    ) -> anyhow::Result<(Self, BTreeMap<u64, Opinions>)> {
        if !resume {
            let file = create(path, &Entry::Annotate { version: VERSION, settings })?;
            return Ok((Self(Some(file)), BTreeMap::new()));
        }
        let cannot = || format!("cannot resume '{}'", path.display());
        let failed = |error| resume::cannot("resume", path, &error);
        let (file, lines) = JournalFile::resume(path).map_err(failed)?;
        let mut games = BTreeMap::new();
        for (index, (number, line)) in lines.iter().enumerate() {
            let entry = serde_json::from_slice(line).map_err(|error| failed(lines.error(number, error)))?;
            match (index, entry) {
                (0, Entry::Annotate { version, settings: stored }) => {
                    ensure!(version <= VERSION, "{}: it has version {version}", cannot());
                    compare(&settings, &stored).with_context(cannot)?;
                }
                (1.., Entry::Game { game, opinions }) => drop(games.insert(game, opinions.into_owned())),
                _ => bail!(failed(lines.error(number, "this is not a journal of pgn annotate"))),
            }
        }
        Ok((Self(Some(file)), games))
    }

    pub(super) fn add(&mut self, game: u64, opinions: &Opinions) -> anyhow::Result<()> {
        if let Some(file) = &mut self.0 {
            file.append(&Entry::Game { game, opinions: opinions.into() })?;
        }
        Ok(())
    }
}
