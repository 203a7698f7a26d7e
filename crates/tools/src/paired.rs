//! The common arguments and the setup of `screen` and `spsa`.

use crate::resume::{self, SettingsComparison};
use crate::threads::parse_concurrency;
use anyhow::Context;
use bartizan_match::{DrawRule, EngineSpec, ListError, PairedSettings, ResignRule};
use bartizan_types::Escaped;
use std::path::{Path, PathBuf};

/// The arguments that `screen` and `spsa` share.
#[derive(Debug, clap::Args)]
pub(crate) struct PairedArgs {
    /// Engine, as KEY=VALUE pairs (see `match --help`); the options in the file are set in addition
    #[arg(long, value_name = "SPEC", required_unless_present_any = ["resume", "report"])]
    pub(crate) engine: Option<String>,
    /// Openings, one for each game pair: PGN, EPD or FEN, also as .gz, .bz2 or .zst
    #[arg(long, value_name = "FILE", required_unless_present_any = ["resume", "report"])]
    pub(crate) openings: Option<PathBuf>,
    /// Seed of the order of the openings and of the random choices [default: 1]
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,
    /// Win adjudication: the loser reports -SCORE centipawns or less for MOVES moves; with `both`, the winner must
    /// agree [default: none]
    #[arg(long, value_name = "MOVES,SCORE[,both]")]
    pub(crate) resign: Option<ResignRule>,
    /// Draw adjudication: from move FROM on, both sides report at most SCORE centipawns for MOVES moves in a row,
    /// without a capture or a pawn move, which restarts the count [default: none]
    #[arg(long, value_name = "FROM,MOVES,SCORE")]
    pub(crate) draw: Option<DrawRule>,
    /// Number of concurrent games [default: 1, or that of the resumed run]
    #[arg(long, value_name = "GAMES", value_parser = parse_concurrency)]
    pub(crate) concurrency: Option<usize>,
    /// Journal of the run, for --resume and --report
    #[arg(long, value_name = "FILE", required_unless_present_any = ["resume", "report"])]
    pub(crate) journal: Option<PathBuf>,
    /// Continue the run of a journal with its settings; options given as well must match them [default: the file of
    /// --journal]
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// Print the results of a journal so far, without playing games [default: the file of --journal]
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "resume")]
    pub(crate) report: Option<Option<PathBuf>>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to do with the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Begin,
    Resume,
    Report,
}

impl Task {
    /// What to do with an existing journal.
    pub(crate) fn verb(self) -> &'static str {
        if self == Self::Report { "report" } else { "resume" }
    }

    /// The error text for an unusable journal.
    pub(crate) fn cannot(self, journal: &Path) -> String {
        format!("cannot {} '{}'", self.verb(), Escaped(journal.display()))
    }
}

impl PairedArgs {
    /// What to do, and the journal.
    pub(crate) fn task(&self) -> anyhow::Result<(Task, &Path)> {
        let (task, option, file) = match (&self.resume, &self.report) {
            (Some(file), _) => (Task::Resume, "--resume", file.as_ref()),
            (None, Some(file)) => (Task::Report, "--report", file.as_ref()),
            (None, None) => (Task::Begin, "", None),
        };
        Ok((task, resume::file((option, file), ("--journal", self.journal.as_ref()))?))
    }

    /// The settings of the command line, for a journal without settings.
    pub(crate) fn given(&self) -> anyhow::Result<PairedSettings> {
        Ok(PairedSettings {
            engine: self.engine.clone().context("--engine is missing")?,
            openings: self.openings.clone().context("--openings is missing")?,
            seed: self.seed.unwrap_or(1),
            resign: self.resign,
            draw: self.draw,
        })
    }

    /// The settings of a journal. Differing settings of the command line are recorded.
    pub(crate) fn stored(
        &self,
        stored: PairedSettings,
        compared: &mut SettingsComparison,
    ) -> anyhow::Result<PairedSettings> {
        let mut engine = stored.engine;
        if let Some(text) = &self.engine {
            if !text.parse::<EngineSpec>()?.plays_as(&engine.parse()?) {
                compared.differs("--engine", text, &engine);
            }
            engine.clone_from(text);
        }
        Ok(PairedSettings {
            openings: compared.stored_as("--openings", self.openings.clone(), stored.openings, |path| {
                Escaped(path.display()).to_string()
            }),
            seed: compared.stored("--seed", self.seed, stored.seed),
            resign: compared.optional("--resign", self.resign, stored.resign),
            draw: compared.optional("--draw", self.draw, stored.draw),
            engine,
        })
    }
}

/// Reads a file that lists `what`, such as "factors".
pub(crate) fn read_list<T>(
    path: Option<&PathBuf>,
    what: &str,
    parse: impl Fn(&str) -> Result<Vec<T>, ListError>,
) -> anyhow::Result<Vec<T>> {
    let path = path.with_context(|| format!("the file of {what} is missing"))?;
    let text = bartizan_files::read_text(path, bartizan_files::MOST_WHOLE);
    let text = text.with_context(|| format!("cannot read the {what} '{}'", Escaped(path.display())))?;
    parse(&text).with_context(|| format!("invalid {what} '{}'", Escaped(path.display())))
}
