//! Pairs of games between two versions of one engine: what the commands have in common that play them by the thousand.

use crate::matches::config::{EngineEntry, Format, Settings};
use crate::matches::openings::OpeningSettings;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct PairedArgs {
    /// The engine, as for `match`; its options hold unless the file says otherwise
    #[arg(long, value_name = "SPEC")]
    pub(crate) engine: String,
    /// Openings, EPD or PGN, one for each pair
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: PathBuf,
    /// Chooses the openings, and who has what
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// What has been played; what it says can be looked at any time by --report
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: PathBuf,
    /// Go on with the journal
    #[arg(long)]
    pub(crate) resume: bool,
    /// Play nothing: only print what the journal says so far
    #[arg(long, conflicts_with = "resume")]
    pub(crate) report: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of an engine, by name.
pub(crate) type Options = BTreeMap<String, String>;

impl PairedArgs {
    /// A match of two engines for each pair, which differ in these options only. The first pair is number `first`.
    pub(crate) fn settings(
        &self,
        event: &str,
        first: usize,
        pairs: impl IntoIterator<Item = [Options; 2]>,
    ) -> anyhow::Result<Settings> {
        let base = EngineEntry::parse(&self.engine)?;
        let mut engines = Vec::new();
        for (pair, both) in pairs.into_iter().enumerate() {
            for (letter, options) in ['a', 'b'].into_iter().zip(both) {
                let mut engine = base.clone();
                engine.name = Some(format!("{}{letter}", first + pair));
                engine.options.extend(options);
                engines.push(engine);
            }
        }
        // Other openings wherever the pairs begin.
        let seed = Some(self.seed.wrapping_add(first as u64));
        Settings {
            event: event.to_owned(),
            engines,
            format: Format::Pairs,
            openings: Some(OpeningSettings { file: self.openings.clone(), seed, start: 1, plies: None }),
            concurrency: self.concurrency,
            ..Settings::default()
        }
        .complete()
    }
}
