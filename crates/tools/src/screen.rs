//! `screen`: measures many changes of an engine at once; see [`bartizan_match::screen`].

use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::matches::{Detail, run_with_progress};
use crate::output::say;
use crate::paired::{PairedArgs, Task, read_list};
use crate::resume::{SettingsComparison, cannot, refuse_cut};
use anyhow::{Context, ensure};
use bartizan_match::screen::{Factor, Screening};
use bartizan_match::{Match, MatchEnd, journal};
use bartizan_types::Escaped;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
A factor file has one line per change: the name, the options without the change,
the options with it.
  # name       | without    | with
  wider-lmp    | lmp_base=5 | lmp_base=7
  no-probcut   |            | ProbCut=false
Bartizan's search has these options if it is built with --features tuning.

Example:
  bartizan-tools screen factors.txt --engine \"cmd=./engine nodes=20000\" \\
      --openings openings.epd --pairs 5000 --concurrency 4 \\
      --journal screen.jsonl
  bartizan-tools screen --resume screen.jsonl";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Factor file: the changes to measure, see below
    #[arg(value_name = "FILE", required_unless_present_any = ["resume", "report"])]
    factors: Option<PathBuf>,
    /// Number of game pairs [default: 1000]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: Option<u32>,
    #[command(flatten)]
    paired: PairedArgs,
}

/// Runs the command.
///
/// # Errors
/// When the options, the engine or the files are unusable. Everything that can be checked is checked before the first
/// game.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let (task, journal) = args.paired.task()?;
    let (setup, concurrency) = match task {
        Task::Begin => (args.given()?, 1),
        Task::Resume | Task::Report => {
            let history = journal::read(journal).map_err(|error| cannot(task.verb(), journal, &error))?;
            (args.stored(history.extra, task, journal)?, history.settings.concurrency)
        }
    };
    let settings = setup.settings(args.paired.concurrency.unwrap_or(concurrency))?;
    let mut end = MatchEnd::Complete;
    if task != Task::Report {
        let games = Match::from(settings.clone()).stop_by(interrupt.stop());
        let games = games.extra(serde_json::json!({ SCREEN: setup }));
        let games = if task == Task::Resume { games.resume(journal) } else { games.journal(journal) };
        let detail = if args.paired.json { Detail::Lines } else { Detail::Bar };
        end = run_with_progress(games, &settings, detail)?.end;
    }
    let history = journal::read(journal)?;
    let (engines, given) = (&history.settings.engines, &settings.engines);
    ensure!(
        engines.len() == given.len() && engines.iter().zip(given).all(|(one, other)| one.plays_as(other)),
        "the journal '{}' was written with other factors, another engine or another seed",
        Escaped(journal.display())
    );
    let report = setup.effects(&history.games);
    if args.paired.json {
        say!("{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        say!("{} pairs of games, {} factors\n\n{report}", report.pairs, setup.factors.len())?;
    }
    refuse_cut(journal, history.is_cut)?;
    Ok(if end == MatchEnd::Interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The key of the settings in the data that the journal stores for its writer.
const SCREEN: &str = "screen";

impl Args {
    /// The setup of the command line.
    fn given(&self) -> anyhow::Result<Screening> {
        Ok(Screening {
            paired: self.paired.given()?,
            pairs: self.pairs.unwrap_or(1_000),
            factors: read_list(self.factors.as_ref(), "factors", Factor::list)?,
        })
    }

    /// The setup stored in a journal. Settings that are given again must be the same.
    fn stored(&self, mut extra: Value, task: Task, journal: &Path) -> anyhow::Result<Screening> {
        let context = || task.cannot(journal);
        let stored = match extra.get_mut(SCREEN) {
            Some(stored) => serde_json::from_value::<Screening>(stored.take()),
            None => {
                return self
                    .given()
                    .context("it has no settings of a screening; give those that it was begun with")
                    .with_context(context);
            }
        };
        let stored = stored.context("cannot read its settings, which another version may have written");
        let stored = stored.with_context(context)?;
        let mut compared = SettingsComparison::with("file");
        if let Some(file) = &self.factors
            && read_list(Some(file), "factors", Factor::list)? != stored.factors
        {
            compared.add(format!("other factors in '{}'", Escaped(file.display())));
        }
        let setup = Screening {
            paired: self.paired.stored(stored.paired, &mut compared)?,
            pairs: compared.stored("--pairs", self.pairs, stored.pairs),
            factors: stored.factors,
        };
        compared.finish().with_context(context)?;
        Ok(setup)
    }
}
