//! The journal of a run: one JSON object a line, the settings first, then every finished game.

use crate::resume;
use bartizan_analysis::Opinion;
use bartizan_engine::EngineIdentity;
use bartizan_files::journal::JournalFile;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// What decides the opinions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    /// SHA-256 of each file.
    pub(super) files: Vec<String>,
    /// The engine; `None` for the built-in one.
    pub(super) engine: Option<resume::KeptEngine>,
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
enum Entry<'a> {
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
        let mut games = BTreeMap::new();
        let take = |Entry::Game { game, opinions }: Entry<'_>| {
            games.insert(game, opinions.into_owned());
            Ok(())
        };
        let file = resume::journal(path, resume, ("annotate", "a journal of pgn annotate"), &settings, take)?;
        Ok((Self(Some(file)), games))
    }

    pub(super) fn add(&mut self, game: u64, opinions: &Opinions) -> anyhow::Result<()> {
        if let Some(file) = &mut self.0 {
            file.append(&Entry::Game { game, opinions: opinions.into() })?;
        }
        Ok(())
    }
}
