//! `match`: plays engines against each other.

mod args;
mod ladder;
mod plan;
mod progress;
mod resume;
mod scaling;
mod settings_file;

use crate::files;
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{note, say};
use crate::resume::{cannot, file};
use args::Options;
use bartizan_client::ClientError;
use bartizan_files::journal::JournalError;
use bartizan_match::{Match, MatchEnd, MatchError, MatchResult, MatchSettings, Standing, journal, report};
use clap::Subcommand;
pub(crate) use progress::{Detail, Progress};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = args::AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)] // There is only one value.
enum Sub {
    /// Rate engines from journals or PGN files
    Ladder(ladder::Args),
    /// Measure how the Elo difference of two engines scales with nodes
    Scaling(scaling::Args),
    /// Estimate the games and hours that a sequential test takes
    Plan(plan::Args),
}

/// Runs the command.
///
/// # Errors
/// When the options, the engines or the files are unusable. Everything that can be checked is checked before the first
/// game.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match args.command {
        Some(Sub::Ladder(args)) => ladder::run(&args, interrupt),
        Some(Sub::Plan(args)) => plan::run(&args),
        Some(Sub::Scaling(args)) => scaling::run(args, interrupt),
        None => play(args.options.with_file()?, interrupt),
    }
}

/// Where a match puts its output, as the journal keeps it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Outputs {
    #[serde(skip_serializing_if = "Option::is_none")]
    pgn: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<PathBuf>,
}

/// A match that is ready to begin or to continue.
struct Prepared {
    game_match: Match,
    settings: MatchSettings,
    detail: Detail,
    /// Journal, PGN file and log, as far as they are written.
    outputs: Vec<PathBuf>,
}

impl Prepared {
    fn new(options: Options, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let journal = options.journal.as_ref();
        let resumed = options.resume.as_ref();
        let resumed = resumed.map(|resume| file(("--resume", resume.as_ref()), ("--journal", journal)));
        let resumed = resumed.transpose()?;
        let (settings, outputs) = match resumed {
            Some(path) => {
                let journal = journal::read(path).map_err(|error| cannot("resume", path, &error))?;
                // A later version may store something else.
                let outputs = serde_json::from_value(journal.extra).unwrap_or_default();
                (options.resumed(journal.settings, path)?, outputs)
            }
            None => (options.settings()?, Outputs::default()),
        };
        let new = [
            options.journal.as_ref().filter(|_| resumed.is_none()),
            options.pgn.as_ref().filter(|_| options.pgn != outputs.pgn),
            options.log.as_ref().filter(|_| options.log != outputs.log),
        ];
        new.into_iter().flatten().try_for_each(|path| files::refuse_compressed(path))?;
        let outputs = Outputs { pgn: options.pgn.or(outputs.pgn), log: options.log.or(outputs.log) };
        let written = [resumed.or(options.journal.as_deref()), outputs.pgn.as_deref(), outputs.log.as_deref()];
        let written = written.into_iter().flatten().map(Path::to_owned).collect();
        let mut game_match = Match::from(settings.clone()).stop_by(interrupt.stop());
        if outputs.pgn.is_some() || outputs.log.is_some() {
            game_match = game_match.extra(serde_json::to_value(&outputs)?);
        }
        game_match = match (resumed, &options.journal) {
            (Some(journal), _) => game_match.resume(journal),
            (None, Some(journal)) => game_match.journal(journal),
            (None, None) => game_match,
        };
        if let Some(pgn) = outputs.pgn {
            game_match = game_match.pgn(pgn);
        }
        if let Some(log) = outputs.log {
            game_match = game_match.log(log);
        }
        let detail = match (options.json, options.quiet) {
            (true, _) => Detail::Lines,
            (false, true) => Detail::Bar,
            (false, false) => Detail::Games,
        };
        Ok(Self { game_match, settings, detail, outputs: written })
    }

    /// Plays the games and shows the progress.
    fn run(self) -> anyhow::Result<(MatchResult, MatchSettings)> {
        let outcome = run_with_progress(self.game_match, &self.settings, self.detail)?;
        Ok((outcome, self.settings))
    }
}

fn play(options: Options, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let json = options.json;
    let prepared = Prepared::new(options, interrupt)?;
    let detail = prepared.detail;
    let (outcome, settings) = prepared.run()?;
    if json {
        say!("{}", serde_json::to_string_pretty(&report::summary(&settings, &outcome))?)?;
    } else {
        say!("{}{}", if detail == Detail::Games { "\n" } else { "" }, report::text(&settings, &outcome))?;
    }
    finish(&settings, &outcome.standing, outcome.end)
}

/// The exit code of a match, after its results.
fn finish(settings: &MatchSettings, standing: &Standing, end: MatchEnd) -> anyhow::Result<ExitCode> {
    let (lost, faults) = (standing.lost_by_fault_count(), standing.fault_count());
    if settings.strict && lost + faults > 0 {
        let some = |number, noun| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        let (lost, faults) = (some(lost, "game"), some(faults, "protocol fault"));
        note!("error: --strict: {lost} lost by a fault, {faults} that lost no game");
        return Ok(ExitCode::FAILURE);
    }
    Ok(if end == MatchEnd::Interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Plays a match and shows its progress. `settings` are those of the match.
pub(crate) fn run_with_progress(
    game_match: Match,
    settings: &bartizan_match::MatchSettings,
    detail: Detail,
) -> anyhow::Result<MatchResult> {
    let mut progress = Progress::new(settings, detail);
    let result = game_match.run(|event| progress.show(event));
    progress.finish();
    result.map_err(with_hint)
}

/// Adds advice to the error where possible.
pub(crate) fn with_hint(error: MatchError) -> anyhow::Error {
    match error {
        MatchError::Journal(error @ JournalError::Exists(_)) => {
            anyhow::anyhow!("{error}; continue it with --resume FILE, or choose another name")
        }
        MatchError::Engine(error @ ClientError::OtherProtocol { speaks, .. }) => {
            anyhow::anyhow!("{error}; add proto={speaks} to its --engine")
        }
        error => error.into(),
    }
}
