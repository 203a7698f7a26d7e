//! Matches between pairs of variants of one engine, as played by [`screen`](crate::screen) and [`spsa`](crate::spsa).

use crate::adjudication::{DrawRule, ResignRule};
use crate::error::MatchError;
use crate::openings::{OpeningSettings, Openings};
use crate::settings::{MatchSettings, TournamentFormat};
use bartizan_client::EngineSpec;
use bartizan_types::{Excerpt, SplitMix64};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Options of an engine, by name.
pub type EngineOptions = BTreeMap<String, String>;

/// Everything that determines the games between variants of an engine, apart from the variants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedSettings {
    /// The engine, as the text of an [`EngineSpec`].
    pub engine: String,
    /// The file of openings, one for each pair of games.
    pub openings: PathBuf,
    /// The seed for the order of the openings and for the random choices.
    pub seed: u64,
    /// When to adjudicate a win.
    #[serde(default)]
    pub resign: Option<ResignRule>,
    /// When to adjudicate a draw.
    #[serde(default)]
    pub draw: Option<DrawRule>,
}

impl PairedSettings {
    /// Games of an engine, without adjudication.
    pub fn new(engine: impl Into<String>, openings: impl Into<PathBuf>) -> Self {
        Self { engine: engine.into(), openings: openings.into(), seed: 1, resign: None, draw: None }
    }

    /// Identifies the contents of the file of openings: [`Openings::sha256`].
    ///
    /// # Errors
    /// If the openings cannot be used.
    pub fn openings_sha256(&self) -> Result<String, MatchError> {
        Ok(Openings::load(&OpeningSettings::new(&self.openings))?.sha256())
    }

    /// The match for some pairs of games. The two engines of a pair differ only in the given options. `first` is the
    /// number of the first pair.
    pub(crate) fn settings(
        &self,
        event: &str,
        first: usize,
        pairs: impl IntoIterator<Item = [EngineOptions; 2]>,
        concurrency: usize,
    ) -> Result<MatchSettings, MatchError> {
        let base: EngineSpec = self.engine.parse()?;
        let mut settings = MatchSettings::default();
        for (pair, both) in pairs.into_iter().enumerate() {
            for (letter, options) in ['a', 'b'].into_iter().zip(both) {
                let mut engine = base.clone().name(format!("{}{letter}", first + pair));
                engine.set_options(&options);
                settings.engines.push(engine);
            }
        }
        settings.event = event.to_owned();
        settings.format = TournamentFormat::Pairs;
        // Different pairs play different openings.
        settings.openings = Some(OpeningSettings::new(&self.openings).shuffled(self.seed.wrapping_add(first as u64)));
        settings.concurrency = concurrency;
        (settings.resign, settings.draw) = (self.resign, self.draw);
        Ok(settings.complete()?)
    }

    /// The random choices for a numbered pair of games. The settings of a recorded pair are derived from its seed and
    /// number, so the sequence must never change.
    pub(crate) fn random(&self, pair: u64) -> SplitMix64 {
        let start = SplitMix64::new(self.seed ^ pair.wrapping_mul(0xd6e8_feb8_6659_fd93)).next_u64();
        SplitMix64::new(start)
    }
}

/// Why a list of parameters or factors is unusable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// The list has no entries.
    #[error("no {0}")]
    Empty(&'static str),
    /// A line is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The problem.
        reason: String,
    },
}

/// Reads a list of `what`, one per line. `add` adds a line's entry to those before it, or returns what is wrong.
pub(crate) fn list<T>(
    text: &str,
    what: &'static str,
    mut add: impl FnMut(&[T], &str) -> Result<T, String>,
) -> Result<Vec<T>, ListError> {
    let mut entries = Vec::new();
    for (line, record) in bartizan_notation::list::records(text) {
        entries.push(add(&entries, record).map_err(|reason| ListError::Line { line, reason })?);
    }
    if entries.is_empty() { Err(ListError::Empty(what)) } else { Ok(entries) }
}

/// The beginning of a text, for a message.
pub(crate) fn shown(text: &str) -> Excerpt<'_> {
    Excerpt::with_length(text, Excerpt::LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequences_of_recorded_data_never_change() {
        assert_eq!(PairedSettings::new("", "").random(2).next_u64(), 0x8d10_f305_32ee_b7d4);
    }
}
