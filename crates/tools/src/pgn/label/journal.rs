//! The journal of a run: one JSON object a line, the settings first, then every finished game.

use super::{Outcome, Positions, Settings, Task};
use crate::resume::{self, compare, create};
use anyhow::{Context, bail, ensure};
use bartizan_match::JournalFile;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
#[allow(clippy::large_enum_variant)] // Written and dropped one at a time.
enum Entry {
    Label {
        version: u32,
        settings: Settings,
    },
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
        if !resume {
            let first = Entry::Label { version: VERSION, settings: settings.clone() };
            let file = create(path, &first)?;
            return Ok((Self { file: Some(file), lines }, BTreeMap::new()));
        }
        let cannot = || format!("cannot resume '{}'", path.display());
        let failed = |error| resume::cannot("resume", path, &error);
        let (file, read) = JournalFile::resume(path).map_err(failed)?;
        let mut outcomes = BTreeMap::new();
        for (index, (number, text)) in read.iter().enumerate() {
            let entry = serde_json::from_slice(text).map_err(|error| failed(read.error(number, error)))?;
            match (index, entry) {
                (0, Entry::Label { version, settings: stored }) => {
                    ensure!(version <= VERSION, "{}: it has version {version}", cannot());
                    compare(settings, &stored).with_context(cannot)?;
                }
                (1.., Entry::Game { line, game, outcome }) => {
                    let index = lines.binary_search(&line).ok().filter(|_| (1..=settings.games).contains(&game));
                    let Some(index) = index else {
                        bail!(failed(read.error(number, "a game that is not of this run")))
                    };
                    outcomes.insert((index, game - 1), outcome);
                }
                _ => bail!(failed(read.error(number, "this is not a journal of pgn label"))),
            }
        }
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

/// The SHA-256 of a text, in hexadecimal.
pub(super) fn digest(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
