//! Matches between pairs of variants of one engine, as `screen` and `spsa` play them.

use bartizan_match::{EngineSpec, Format, OpeningSettings, Settings};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The arguments that `screen` and `spsa` share.
#[derive(Debug, clap::Args)]
pub(crate) struct PairedArgs {
    /// Engine, as KEY=VALUE words (see `match --help`); the options of the file are set on top
    #[arg(long, value_name = "SPEC")]
    pub(crate) engine: String,
    /// Openings, one for each pair of games: a PGN file, or a file of EPD or FEN lines
    #[arg(long, value_name = "FILE")]
    pub(crate) openings: PathBuf,
    /// Seed for the order of the openings and for the random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Number of games at the same time
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    pub(crate) concurrency: usize,
    /// Journal to write, with which the run can be resumed and reported
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: PathBuf,
    /// Continue the run of the journal
    #[arg(long)]
    pub(crate) resume: bool,
    /// Play no games, print the results of the journal so far
    #[arg(long, conflicts_with = "resume")]
    pub(crate) report: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of an engine, by name.
pub(crate) type Options = BTreeMap<String, String>;

impl PairedArgs {
    /// The match for some pairs of games. The two engines of a pair differ only in the given options. `first` is the
    /// number of the first pair.
    pub(crate) fn settings(
        &self,
        event: &str,
        first: usize,
        pairs: impl IntoIterator<Item = [Options; 2]>,
    ) -> anyhow::Result<Settings> {
        let base: EngineSpec = self.engine.parse()?;
        let mut settings = Settings::default();
        for (pair, both) in pairs.into_iter().enumerate() {
            for (letter, options) in ['a', 'b'].into_iter().zip(both) {
                let mut engine = base.clone().name(format!("{}{letter}", first + pair));
                engine.options.extend(options);
                settings.engines.push(engine);
            }
        }
        settings.event = event.to_owned();
        settings.format = Format::Pairs;
        // Pairs that begin elsewhere play other openings.
        settings.openings = Some(OpeningSettings::new(&self.openings).shuffled(self.seed.wrapping_add(first as u64)));
        settings.concurrency = self.concurrency;
        Ok(settings.complete()?)
    }
}
