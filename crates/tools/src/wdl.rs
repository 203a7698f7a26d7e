//! Fits the win-draw-loss model, which normalises scores, to games with scores.

use crate::files;
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{note, say, say_part};
use crate::records::Reading;
use anyhow::{Context, ensure};
use bartizan_training::wdl::{Data, WdlSettings, WdlSummary, chart};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools wdl --data games.bin --out wdl --plot";

/// The arguments of `wdl`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Games with scores: selfplay files, or PGN with --shown
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Directory for the fitted model and its accuracy (fit.json) [default: none is written]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// File for the fitted model as Rust source [default: none is written]
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Draw the predicted and the observed results (fit.svg in the output directory)
    #[arg(long, requires = "out")]
    plot: bool,
    /// Read the scores of PGN files as the normalised scores that this engine shows, as `match` writes them; without
    /// this option they are internal centipawns. Those of `selfplay` always are
    #[arg(long)]
    shown: bool,
    /// Number of plies to skip at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    skip_plies: usize,
    /// Score from which on a position is not fitted, in internal centipawns: at large scores games are drawn more often
    /// than a logistic model can express, and the middle matters most
    #[arg(
        long,
        value_name = "CENTIPAWNS",
        default_value_t = 400,
        value_parser = clap::value_parser!(u32).range(100..=30_000)
    )]
    max_score: u32,
    /// Skip broken games and lines
    #[arg(long)]
    skip_errors: bool,
    /// The last game of a file may be incomplete, because it is still being written
    #[arg(long)]
    partial: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Names the problem; then no file is written.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let in_folder = |name: &str| args.out.as_ref().map(|folder| folder.join(name));
    let (fit_file, chart_file) = (in_folder("fit.json"), in_folder("fit.svg").filter(|_| args.plot));
    let outputs: Vec<&PathBuf> = [&fit_file, &chart_file, &args.source].into_iter().flatten().collect();
    files::refuse_same(&outputs)?;
    for output in outputs {
        files::refuse_input(output, &args.data)?;
    }
    let settings = WdlSettings { shown: args.shown, skip_plies: args.skip_plies, max_score: args.max_score };
    let reading = Reading {
        files: &args.data,
        skip_errors: args.skip_errors,
        partial: args.partial,
        quiet: args.json,
        interrupt,
    };
    let data = reading.with(|files, progress, warn| Data::load(files, settings, progress, warn))?;
    let Some(data) = data else { return Ok(interrupted()) };
    let why_none = || format!("no position to fit to in {}: {}", files::names(&args.data), data.counts.why_none());
    ensure!(data.counts.positions > 0, why_none());
    let summary = WdlSummary::fit(&args.data, &data, settings)?;
    // After an interruption the user does not expect the files to change.
    if interrupt.is_set() {
        return Ok(interrupted());
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create '{}'", folder.display()))?;
    }
    if let Some(file) = fit_file {
        files::replace(&file, (serde_json::to_string_pretty(&summary)? + "\n").as_bytes())?;
    }
    if let Some(file) = chart_file {
        files::replace(&file, chart(&data.all, &summary.model()).to_string().as_bytes())?;
    }
    if let Some(file) = &args.source {
        files::replace(file, summary.model().source().as_bytes())?;
    }
    if args.json {
        say!("{}", serde_json::to_string(&summary)?)?;
    } else {
        say_part!("{summary}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn interrupted() -> ExitCode {
    note!("interrupted: no file was written");
    ExitCode::from(INTERRUPTED)
}
