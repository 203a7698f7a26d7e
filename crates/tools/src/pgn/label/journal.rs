//! The journal of a run: one JSON object a line, the settings first, then every finished game.

use super::{Outcome, Positions, Settings, Task};
use crate::resume;
use bartizan_files::journal::JournalFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Entry {
    Game {
        /// The number of the line, from 1.
        line: usize,
        /// The number of the game from this position, from 1.
        game: u32,
        #[serde(flatten)]
        outcome: Outcome,
    },
}

/// The journal, if the user wants one.
pub(super) struct Log {
    file: Option<JournalFile>,
    lines: Vec<usize>,
}

impl Log {
    /// Begins or continues a journal. Returns the games that it has.
    pub(super) fn open(
        path: Option<&Path>,
        resume: bool,
        settings: &Settings,
        positions: &Positions,
    ) -> anyhow::Result<(Self, BTreeMap<Task, Outcome>)> {
        let lines: Vec<usize> = positions.iter().map(|&(line, _)| line).collect();
        let Some(path) = path else { return Ok((Self { file: None, lines }, BTreeMap::new())) };
        let mut outcomes = BTreeMap::new();
        let take = |Entry::Game { line, game, outcome }| {
            let index = lines.binary_search(&line).ok().filter(|_| (1..=settings.rules.games).contains(&game));
            let index = index.ok_or("a game that is not of this run")?;
            outcomes.insert((index, game - 1), outcome);
            Ok(())
        };
        let file = resume::journal(path, resume, ("label", "a journal of pgn label"), settings, take)?;
        Ok((Self { file: Some(file), lines }, outcomes))
    }

    pub(super) fn add(&mut self, (index, game): Task, outcome: &Outcome) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            let line = self.lines.get(index).copied().unwrap_or_default();
            file.append(&Entry::Game { line, game: game + 1, outcome: outcome.clone() })?;
        }
        Ok(())
    }
}
